import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  body,
  contractOf,
  creation,
  operation,
  parameter,
  response,
} from '../../test/operations/operations.ts';
import type { Operation, Schema } from '../model/contract.ts';
import { parseJson, stringifyJson } from '../model/json.ts';
import { isLate, type Probe } from '../model/probe.ts';
import { deriveProbes } from './derive.ts';
import { probe } from './probe.ts';
import { caseAt } from './surplus/cases.ts';
import { surplusProbes } from './surplus/surplus.ts';

const REFUSING = { responses: [response('200'), response('400')] };

/** The requests that a run of an interface with this operation sends as certainly wrong. */
function wrongOf(one: Operation): Probe[] {
  const contract = contractOf([one], { isComplete: true });
  const planned = deriveProbes(contract, [], 0);
  return [...planned, ...surplusProbes(contract, planned, 0)].filter(
    ({ validity, key }) => validity === 'invalid' && key === 'valid',
  );
}

/** What is sent in place of a field, by the last part of the ids of the requests. */
function sentFor(field: Schema): Map<string, unknown> {
  const wrong = wrongOf(creation({ type: 'object', required: ['a'], properties: { a: field } }));
  return new Map(
    wrong.flatMap(({ id, body: sent }) =>
      id.startsWith('createThing:a-') && sent && 'json' in sent && 'a' in (sent.json as object)
        ? [[id.replace('createThing:a-', ''), asRead((sent.json as { a: unknown }).a)] as const]
        : [],
    ),
  );
}

/** A value as a service reads it; a late one as an example of what is filled in. */
function asRead(value: unknown): unknown {
  if (isLate(value)) return value.late === 'own' && value.as === 'text' ? value.like : 1;
  const parsed = parseJson(stringifyJson(value));
  return parsed.ok ? parsed.value : undefined;
}

describe('what is right is not sent as wrong', () => {
  test.each<[what: string, field: Schema, right: unknown]>([
    ['null, where it is allowed', { type: 'string', 'x-nullable': true }, null],
    ['a number, of several types', { 'x-types': ['string', 'integer'] }, 12],
    ['a list, without a type', {}, ['a']],
    ['a member in the other case that is a member as well', { type: 'string', enum: ['a', 'A'] }, 'A'],
    ['a boolean that is a member', { enum: [true, 'no'] }, true],
    ['a number that is a member', { enum: ['0', 0] }, 0],
    ['a text below a minimum that only numbers have', { 'x-types': ['string', 'integer'], minimum: 5 }, '4'],
  ])('%s', (_what, field, right) => {
    expect([...sentFor(field).values()]).not.toContainEqual(right);
  });

  test('an empty body, where none is required', () => {
    const texts = (required: boolean) =>
      wrongOf(
        operation({
          method: 'POST',
          body: { ...body({ type: 'object' }), required },
          responses: [response('201'), response('400')],
        }),
      ).flatMap(({ body: sent }) => (sent && 'text' in sent && sent.text.trim() === '' ? [sent.text] : []));
    expect(texts(false)).toEqual([]);
    expect(texts(true)).toContain('');
  });

  test('a value of a query that its schema allows', () => {
    const wrongFor = (schema: Schema) =>
      wrongOf(operation({ parameters: [parameter('p', schema)], ...REFUSING })).map(
        ({ query }) => query[0]?.[1],
      );
    expect(wrongFor({ type: 'integer', minimum: 1 })).toEqual(['0', 'abc']);
    expect(wrongFor({ 'x-types': ['integer', 'string'], minimum: 1 })).toEqual([]);
    expect(wrongFor({ type: 'string', enum: ['known', 'unknown'] })).toEqual([]);
  });
});

test('what a check adds is sent, although its schema allows it', () => {
  const one = creation({ type: 'object', properties: { a: { type: 'string' } } });
  const fields = {
    title: 'a name that is taken',
    validity: 'invalid',
    body: { json: { a: 'Rex' } },
  } as const;
  const taken = probe(one, 'taken', 'invalid', fields);
  for (const isComplete of [true, false]) {
    const contract = contractOf([one], isComplete ? { isComplete } : {});
    expect(deriveProbes(contract, [taken], 0).map(({ id }) => id)).toContain(taken.id);
  }
});

const FIELD: fc.Arbitrary<Schema> = fc.record(
  {
    type: fc.constantFrom('string', 'integer', 'number', 'boolean'),
    'x-nullable': fc.boolean(),
    enum: fc.uniqueArray(
      fc.constantFrom('a', 'A', '', 'null', '0', '1', 'true', 0, 1, -1, 1.5, true, false),
      { minLength: 1, maxLength: 4 },
    ),
    minimum: fc.integer({ min: -3, max: 3 }),
    maximum: fc.integer({ min: 4, max: 9 }),
    minLength: fc.integer({ min: 0, max: 3 }),
    maxLength: fc.integer({ min: 4, max: 9 }),
  },
  { requiredKeys: [] },
);

/** Whether a value has such a schema, by the words of JSON Schema. */
function isRight(schema: Schema, value: unknown): boolean {
  if (value === null) return schema['x-nullable'] === true || (schema.type === undefined && !schema.enum);
  if (schema.enum && !schema.enum.includes(value)) return false;
  const { type, minimum = -Infinity, maximum = Infinity, minLength = 0, maxLength = Infinity } = schema;
  if (typeof value === 'string')
    return (
      [undefined, 'string'].includes(type) && [...value].length >= minLength && [...value].length <= maxLength
    );
  if (typeof value === 'boolean') return [undefined, 'boolean'].includes(type);
  if (typeof value !== 'number' && typeof value !== 'bigint') return type === undefined;
  const isOfType =
    [undefined, 'number'].includes(type) ||
    (type === 'integer' && (typeof value === 'bigint' || Number.isInteger(value)));
  return isOfType && value >= minimum && value <= maximum;
}

test('no value that is sent as wrong has the schema of its field, whatever the schema', () => {
  let seen = 0;
  fc.assert(
    fc.property(FIELD, (field) => {
      for (const value of sentFor(field).values()) {
        seen += 1;
        expect(isRight(field, value)).toBe(false);
      }
    }),
    { numRuns: 40, seed: 1 },
  );
  expect(seen).toBeGreaterThan(100);
});

test('nor has one that is drawn', () => {
  fc.assert(
    fc.property(FIELD, (field) => {
      const one = creation({ type: 'object', required: ['a'], properties: { a: field } });
      const contract = contractOf([one], { isComplete: true });
      for (let index = 0; index < 20; index += 1) {
        const drawn = caseAt(contract, 1, [index]);
        if (drawn?.kind === 'body') expect(isRight(field, drawn.value)).toBe(false);
      }
    }),
    { numRuns: 15, seed: 1 },
  );
});
