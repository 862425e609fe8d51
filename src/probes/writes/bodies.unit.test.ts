import { expect, test } from 'vitest';
import { creation } from '../../../test/operations/operations.ts';
import type { Operation, Schema } from '../../model/contract.ts';
import { type Variety, validBody } from './bodies.ts';

const OF = 'createThing:first';
const bodyOf = (schema: Schema, variety: Variety = 'first', change: Partial<Operation> = {}) =>
  validBody(creation(schema, change), variety, OF);
/** The value of a required field with this schema. */
const fieldOf = (field: Schema, variety: Variety = 'first') =>
  (
    bodyOf({ type: 'object', required: ['field'], properties: { field } }, variety) as
      | { field?: unknown }
      | undefined
  )?.field;
const text = (like: string) => ({ late: 'own', as: 'text', like, of: OF });

test.each<[field: Schema, first: unknown, second: unknown, other: unknown]>([
  [{ type: 'boolean' }, true, true, false],
  [{ type: 'integer' }, 1, 1, 2],
  [{ type: 'integer', maximum: 1 }, 1, 1, 0],
  [{ type: 'integer', minimum: 1, maximum: 1 }, 1, 1, 1],
  [{ type: 'number', minimum: 0.5 }, 1, 1, 2],
  [{ type: 'null' }, null, null, null],
  [{ enum: ['a', 'b', 'c'] }, 'a', 'a', 'c'],
  [{ type: 'string', example: 'own' }, 'own', text('petspec-xxxxxxxx'), text('petspec-xxxxxxxx')],
  [{ type: 'string', format: 'date' }, '2024-01-31', '2024-01-31', '2020-02-29'],
  [{ type: 'string', format: 'date', pattern: '^2024-01' }, '2024-01-31', '2024-01-31', '2024-01-31'],
  [{ type: 'integer', example: 'none' }, 1, 1, 2],
  [{ 'x-types': ['integer', 'string'] }, 1, 1, 2],
  [{ 'x-types': ['string', 'integer'], format: 'ipv4' }, '192.0.2.1', '192.0.2.1', '192.0.2.1'],
  [{ oneOf: [{ type: 'string', pattern: '^(?!)$' }, { type: 'integer' }] }, 1, 1, 2],
  [{ anyOf: [{ type: 'boolean' }] }, true, true, false],
  [{ anyOf: [{ type: 'string', 'x-unjudged': true }, { type: 'integer' }] }, 1, 1, 2],
  [{ anyOf: [{ type: 'null' }, { type: 'string', 'x-unjudged': true }] }, null, null, null],
  [
    { anyOf: [{ type: 'string', 'x-unjudged': true }, { type: 'null' }] },
    text('petspec-xxxxxxxx'),
    text('petspec-xxxxxxxx'),
    text('petspec-xxxxxxxx'),
  ],
  [{ type: 'integer', anyOf: [{ minimum: 0 }] }, 1, 1, 2],
  [{ type: 'array', items: { type: 'integer' } }, [1], [1], [2]],
  [{ type: 'array', items: { type: 'boolean' }, minItems: 2 }, [true, true], [true, true], [false, false]],
  [{ type: 'array' }, [], [], []],
  [{ type: 'array', items: { type: 'string', pattern: '^(?!)$' } }, [], [], []],
])('a value of %j in the first body, the second one, and another one', (field, ...values) => {
  expect((['first', 'second', 'other'] as const).map((variety) => fieldOf(field, variety))).toEqual(values);
});

test.each<Schema>([
  { type: 'string', pattern: '^(?!)$' },
  { type: 'array', minItems: 1 },
  { type: 'array', items: { type: 'string', pattern: '^(?!)$' }, minItems: 1 },
  { oneOf: [{ type: 'string', pattern: '^(?!)$' }] },
  { 'x-circular': { type: 'integer' }, type: 'integer' },
  { type: 'object', required: ['a'], properties: { a: { type: 'string', pattern: '^(?!)$' } } },
  {},
])('petspec finds no value for %j, and so no body that needs it', (field) => {
  const schema = { type: 'object', properties: { field, size: { type: 'integer' } } };
  expect(bodyOf({ ...schema, required: ['field'] })).toBeUndefined();
  expect(bodyOf(schema, 'second')).toEqual({ size: 1 });
});

test.each<[schema: Schema, value: unknown]>([
  [{ type: 'string' }, text('petspec-xxxxxxxx')],
  [{ type: 'string', format: 'color' }, text('petspec-xxxxxxxx')],
  [{ type: 'string', minLength: 20 }, text('xxxxpetspec-xxxxxxxx')],
  [{ type: 'string', maxLength: 10 }, text('c-xxxxxxxx')],
  [{ type: 'string', maxLength: 8 }, text('xxxxxxxx')],
  [{ type: 'string', maxLength: 7 }, 'petspec'],
  [{ type: 'string', pattern: '^[-a-zA-Z0-9_]+$' }, text('petspec-xxxxxxxx')],
  [{ type: 'string', pattern: '^[a-z]+$' }, text('petspecxxxxxxxx')],
  [{ type: 'string', pattern: '^[a-z]{1,8}$' }, text('xxxxxxxx')],
  [{ type: 'string', pattern: '^[a-z]{1,7}$' }, 'petspec'],
  [{ type: 'string', pattern: 'x$|^petspec$' }, 'petspec'],
  [
    { type: 'string', format: 'email' },
    { late: 'own', as: 'email', of: OF },
  ],
  [
    { type: 'string', format: 'email', maxLength: 28 },
    { late: 'own', as: 'email', of: OF },
  ],
  [{ type: 'string', format: 'email', maxLength: 27 }, 'someone@example.com'],
  [{ type: 'string', format: 'email', pattern: '@example' }, 'someone@example.com'],
  [
    { type: 'string', format: 'uuid' },
    { late: 'own', as: 'uuid', of: OF },
  ],
  [{ type: 'string', format: 'uuid', pattern: '^6' }, expect.stringMatching(/^6[\da-f]{7}-/)],
  [{ type: 'string', format: 'ipv4' }, '192.0.2.1'],
  [{ type: 'string', pattern: '^-?\\d{0,4}(?:\\.\\d{0,2})?$' }, '1.0'],
  [{ type: 'string', pattern: '^\\d+$' }, undefined],
  [
    { type: 'string', pattern: '^[A-Z]{2}-\\d{4}$', maxLength: 7 },
    {
      late: 'own',
      as: 'one-of',
      of: OF,
      texts: expect.arrayContaining([expect.stringMatching(/^[A-Z]{2}-\d{4}$/)]),
    },
  ],
])('a text that fits %j differs by request where it may', (schema, value) => {
  expect(fieldOf(schema)).toEqual(value);
});

const PAIR = [{ type: 'number' }, { type: 'boolean' }];

test.each<[tuple: Schema, value: unknown]>([
  [{ prefixItems: PAIR }, [1, true]],
  [{ prefixItems: PAIR, items: { type: 'integer' } }, [1, true]],
  [{ prefixItems: PAIR, items: { type: 'integer' }, minItems: 3 }, [1, true, 1]],
  [{ prefixItems: PAIR, minItems: 1, maxItems: 1 }, [1]],
  [{ prefixItems: [...PAIR, { type: 'string', pattern: '^(?!)$' }] }, [1, true]],
  [{ prefixItems: [...PAIR, { type: 'string', pattern: '^(?!)$' }], minItems: 3 }, undefined],
  [{ prefixItems: [{ type: 'string', pattern: '^(?!)$' }] }, []],
])('a tuple %j has all its entries whose values are known', (tuple, value) => {
  expect(fieldOf({ type: 'array', ...tuple })).toEqual(value);
});

const PLAIN: Schema = {
  type: 'object',
  required: ['a'],
  properties: {
    a: { type: 'integer' },
    b: { type: 'object', properties: { c: { type: 'object', properties: { d: { type: 'integer' } } } } },
  },
};

test('the first body has the required fields alone, the others all of them, two levels deep', () => {
  expect(bodyOf(PLAIN)).toEqual({ a: 1 });
  expect(bodyOf(PLAIN, 'second')).toEqual({ a: 1, b: { c: {} } });
  const { type: _, ...untyped } = PLAIN;
  expect(bodyOf(untyped)).toEqual({ a: 1 });
  expect(bodyOf({})).toEqual({});
});

test('bodies do not nest without end', () => {
  const endless: Schema = { type: 'array', minItems: 1 };
  endless.items = endless;
  expect(fieldOf(endless)).toBeUndefined();
  const nested = (depth: number): Schema =>
    depth === 0 ? { type: 'integer' } : { type: 'array', minItems: 1, items: nested(depth - 1) };
  expect(JSON.stringify(fieldOf(nested(7)))).toBe('[[[[[[[1]]]]]]]');
  expect(fieldOf(nested(8))).toBeUndefined();
});

test('what the user states is the body of all, an example of the document only the first', () => {
  const stated = {
    required: true,
    mediaType: 'application/json',
    schema: PLAIN,
    unspecified: [],
    example: { a: 7 },
  };
  const of = (variety: Variety, body: Operation['body']) =>
    validBody({ ...creation(PLAIN), body } as Operation, variety, OF);
  expect((['first', 'second'] as const).map((variety) => of(variety, { ...stated, isStated: true }))).toEqual(
    [{ a: 7 }, { a: 7 }],
  );
  expect((['first', 'second'] as const).map((variety) => of(variety, stated))).toEqual([
    { a: 7 },
    { a: 1, b: { c: {} } },
  ]);
  expect(of('first', { ...stated, example: 'none' })).toEqual({ a: 1 });
  expect(bodyOf({ ...PLAIN, example: { a: 8 } })).toEqual({ a: 8 });
  expect(of('first', undefined)).toBeUndefined();
});

test('a PATCH changes the required fields, or else the first one', () => {
  const patch = { method: 'PATCH' };
  expect(bodyOf(PLAIN, 'second', patch)).toEqual({ a: 1 });
  const { required: _, ...free } = PLAIN;
  expect(bodyOf(free, 'second', patch)).toEqual({ a: 1 });
  expect(bodyOf({ ...PLAIN, required: ['b'] }, 'second', patch)).toEqual({ b: { c: {} } });
  expect(bodyOf({ type: 'array', items: { type: 'integer' } }, 'second', patch)).toEqual([1]);
});

test('an id is that of what was created, or a plain value if nothing was', () => {
  const probes = ['createOwner:first', 'createOwner:second'];
  const id: Schema = { type: 'integer', 'x-created-id': { probes, as: 'integer' } };
  const late = { late: 'created', as: 'integer', otherwise: 1 };
  expect(fieldOf(id)).toEqual({ ...late, probes });
  expect(fieldOf(id, 'second')).toEqual({ ...late, probes: ['createOwner:second', 'createOwner:first'] });
  expect(fieldOf(id, 'other')).toEqual({ ...late, probes, otherwise: 2 });
  expect(fieldOf({ ...id, example: 5 })).toBe(5);
  expect(fieldOf({ ...id, example: 5 }, 'second')).toEqual({
    ...late,
    otherwise: 5,
    probes: probes.toReversed(),
  });
  expect(fieldOf({ ...id, minimum: 2, maximum: 1 })).toBeUndefined();
});
