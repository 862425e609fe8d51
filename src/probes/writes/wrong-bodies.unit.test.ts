import { expect, test } from 'vitest';
import { creation, parameter, response } from '../../../test/operations/operations.ts';
import type { Operation, Schema } from '../../model/contract.ts';
import { statusesOf } from '../../model/http/expectation.ts';
import { rawNumber } from '../../model/json.ts';
import { wrongBodies, wrongChanges } from './wrong-bodies.ts';

const THING: Schema = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string' },
    state: { type: 'string', enum: ['new'] },
    size: { type: 'integer', minimum: 3 },
    tame: { type: 'boolean' },
    any: {},
    tags: { type: 'array' },
    level: { enum: [1, 2] },
  },
};
const wrong = (change: Partial<Operation> = {}) =>
  wrongBodies(creation(THING, change), { id: '7' }, ['createThing:first']);
const text = (of: string) => ({ late: 'own', as: 'text', like: 'petspec-xxxxxxxx', of: `createThing:${of}` });
const whole = (of: string) => ({ name: text(of), state: 'new', size: 3, tame: true, tags: [], level: 1 });

test('each body is wrong in one way, and right otherwise', () => {
  const sent = wrong().map(({ id, title, body }) => [
    id.split(':')[1],
    title,
    body && 'json' in body ? body.json : body,
  ]);
  const { name: _, ...nameless } = whole('name-missing');
  expect(sent).toEqual([
    ['name-missing', 'name is missing', nameless],
    ['name-object', 'name is an object', { ...whole('name-object'), name: { value: 1 } }],
    [
      'state-non-member',
      'state is not in its enumeration',
      { ...whole('state-non-member'), state: 'petspec-unknown' },
    ],
    ['size-below', 'size is one below the minimum', { ...whole('size-below'), size: 2 }],
    ['malformed', 'malformed JSON', { text: '{"' }],
    ['empty', 'an empty body', { text: '' }],
    ['array', 'an array instead of an object', [whole('array')]],
    ['null', 'null instead of an object', null],
    ['tame-object', 'tame is an object', { ...whole('tame-object'), tame: { value: 1 } }],
    ['level-array', 'level is an array of two entries', { ...whole('level-array'), level: ['a', 'b'] }],
    // One of each further kind, and then more of these kinds, as far as the bound allows.
    ['name-null', 'name is null', { ...whole('name-null'), name: null }],
    ['name-array', 'name is an array of two entries', { ...whole('name-array'), name: ['a', 'b'] }],
    [
      'state-other-case',
      'state is NEW, which is not a member',
      { ...whole('state-other-case'), state: 'NEW' },
    ],
    ['size-fraction', 'size is a fraction', { ...whole('size-fraction'), size: rawNumber('1.5') }],
    ['state-array', 'state is an array of two entries', { ...whole('state-array'), state: ['a', 'b'] }],
    ['size-object', 'size is an object', { ...whole('size-object'), size: { value: 1 } }],
    ['name-other-type', 'name is a number, and the rest is valid', { ...whole('name-other-type'), name: 12 }],
  ]);
});

test('each is due a documented 400 or 422; malformed JSON never gets so far in some frameworks', () => {
  const dues = (change: Partial<Operation>) =>
    wrong(change).map(({ validity, expectation, rule }) => [validity, statusesOf(expectation), rule]);
  const open = ['open', [], undefined];
  const due = (...statuses: string[]) => ['invalid', statuses, 'createThing.body'];
  expect(dues({})[0]).toEqual(due('400'));
  expect(dues({}).filter(([validity]) => validity === 'open')).toEqual([open]);
  const both = { responses: [response('422'), response('400'), response('4XX')] };
  expect(dues(both)[0]).toEqual(due('400', '422', '4XX'));
  expect(dues({ responses: [response('201'), response('409')] })).toEqual(
    Array.from({ length: wrong().length }, () => open),
  );
});

test('every one of them is a write at this path, after what has to be accepted', () => {
  const all = wrong();
  expect(all.length).toBeGreaterThan(1);
  for (const { path, controls, isWriting, stage } of all)
    expect([path, controls, isWriting, stage]).toEqual([{ id: '7' }, ['createThing:first'], true, 'invalid']);
});

test('there are so many wrong objects at most, more of them in a sandbox, and few of a change', () => {
  expect(wrongChanges(creation(THING), { id: '7' }, []).map(({ title }) => title)).toEqual([
    'name is missing',
    'name is an object',
    'name is a number, and the rest is valid',
    'malformed JSON',
  ]);
  // Beside them, a value of another type, malformed JSON, an empty body, an array and null.
  const many = Array.from({ length: 15 }, (_, index) => [`field${index}`, { type: 'string' }]);
  const schema = { type: 'object', properties: Object.fromEntries(many) };
  expect(wrongBodies(creation(schema), {}, [])).toHaveLength(12 + 5);
  const disposable = creation(schema, { isUnguarded: true });
  expect(wrongBodies(disposable, {}, [])).toHaveLength(30 + 5);
});

test('each bound of each field is violated, before most fields are of a wrong type', () => {
  const schema = {
    type: 'object',
    properties: {
      title: { type: 'string', minLength: 2, maxLength: 5 },
      seats: { type: 'integer', minimum: 1, maximum: 9 },
    },
  };
  const sent = wrongBodies(creation(schema), {}, []).map(({ title }) => title);
  expect(sent.slice(0, 4)).toEqual([
    'title is one shorter than allowed',
    'seats is one below the minimum',
    'title is one longer than allowed',
    'seats is one above the maximum',
  ]);
});

test('a body of several forms is wrong in the first of them, and fits none of the others', () => {
  const form = (...names: string[]): Schema => ({
    type: 'object',
    required: names,
    properties: Object.fromEntries(names.map((name) => [name, { type: 'integer' }])),
  });
  const titles = (...forms: Schema[]) =>
    wrongChanges(creation({ anyOf: forms }), {}, []).map(({ title }) => title);
  expect(titles(form('iban', 'owner'), form('card'))).toEqual([
    'iban is missing',
    'iban is an object',
    'iban is a string, and the rest is valid',
    'malformed JSON',
  ]);
  expect(titles(form('iban', 'owner'), form('iban'))).toEqual([
    'iban is missing',
    'iban is an object',
    'iban is a string, and the rest is valid',
    'malformed JSON',
  ]);
});

test('required parameters go with a wrong body; none is sent if one has no value, or if the operation has no body in JSON or a form', () => {
  const trace = parameter('trace', { type: 'string', example: 't' }, { in: 'header', required: true });
  expect(wrong({ parameters: [trace] })[0]?.headers).toEqual([['trace', 't']]);
  expect(wrong({ parameters: [{ ...trace, required: false }] })[0]?.headers).toEqual([]);
  const unknown = { ...trace, schema: { type: 'string', pattern: '^(?!)$' } };
  expect(wrong({ parameters: [unknown] })).toEqual([]);
  const { body, ...bodiless } = creation(THING);
  expect(wrongBodies(bodiless, {}, [])).toEqual([]);
  const inMediaType = (mediaType: string) => (body ? wrong({ body: { ...body, mediaType } }).length : 0);
  expect(['application/xml', 'application/json-seq', 'application/problem+json'].map(inMediaType)).toEqual([
    0,
    0,
    wrong().length,
  ]);
});

test('a field too many is wrong where the schema says so', () => {
  const ids = (schema: Schema) => wrongBodies(creation(schema), {}, []).map(({ id }) => id.split(':')[1]);
  expect(ids({ ...THING, additionalProperties: false })).toContain('extra-field');
  expect(ids(THING)).not.toContain('extra-field');
  expect(ids({ ...THING, additionalProperties: { type: 'string' } })).toContain('extra-field');
  expect(ids({ type: 'array', items: { ...THING, additionalProperties: false } })).not.toContain(
    'extra-field',
  );
});

test.each(['application/x-www-form-urlencoded', 'multipart/form-data'])(
  'a wrong body in %s has texts alone',
  (mediaType) => {
    const { body } = creation(THING);
    const sent = body ? wrong({ body: { ...body, mediaType } }) : [];
    const values = sent.map(({ id, body: own }) => [
      id.split(':')[1],
      own && 'json' in own
        ? Object.values(own.json as object).filter((each) => typeof each === 'object' && each?.value)
        : own,
    ]);
    expect(values).toEqual(
      ['name-missing', 'state-non-member', 'size-below', 'tame-text', 'size-text'].map((id) => [id, []]),
    );
  },
);

/** What a wrong body of this schema is, by the last part of its id. */
const sentFor = (schema: Schema, change: Partial<Operation> = {}) =>
  new Map(
    wrongBodies(creation(schema, { isUnguarded: true, ...change }), {}, []).map(({ id, body: sent }) => [
      id.slice(id.indexOf(':') + 1),
      sent && 'json' in sent ? sent.json : sent,
    ]),
  );
const objectOf = (properties: Record<string, Schema>, required = Object.keys(properties)): Schema => ({
  type: 'object',
  properties,
  required,
});

test('null is wrong for what is required and may not be null, but not where it may mean that nothing is sent', () => {
  const text: Schema = { type: 'string' };
  const schema = objectOf({ name: text, note: text, mark: { 'x-types': ['string', 'null'] } as Schema }, [
    'name',
    'mark',
  ]);
  const nulls = (change: Partial<Operation> = {}) =>
    [...sentFor(schema, change).keys()].filter((id) => id.endsWith('-null'));
  expect(nulls()).toEqual(['name-null']);
  // A merge patch removes a field by null.
  expect(nulls({ method: 'PATCH' })).toEqual([]);
});

test('a number beyond its format is wrong, and of no other format', () => {
  const of = (format: string | undefined) =>
    [...sentFor(objectOf({ a: { type: 'integer', ...(format ? { format } : {}) } }))].filter(([id]) =>
      id.includes('beyond'),
    );
  expect(of('int64')).toEqual([['a-beyond-int64', { a: 9223372036854775808n }]]);
  expect(of('int32')).toEqual([['a-beyond-int32', { a: 2147483648 }]]);
  expect(of(undefined)).toEqual([]);
});

test.each<[members: unknown[], value: unknown]>([
  [['asc', 'desc'], 'ASC'],
  [['ASC', 'asc', 'DESC'], 'desc'],
  [['asc', 'ASC'], undefined],
  [['1', '2'], undefined],
  [[1, 2], undefined],
])('a member of %j is sent in another case, unless that is a member, too', (members, value) => {
  const sent = sentFor(objectOf({ order: { enum: members } })).get('order-other-case');
  expect((sent as { order: unknown } | undefined)?.order).toBe(value);
});

test('objects inside a body, and the first entries of its lists, are wrong after the body itself', () => {
  const line = objectOf({ sku: { type: 'string' }, count: { type: 'integer' } });
  const schema = objectOf({
    buyer: objectOf({ name: { type: 'string' } }),
    lines: { type: 'array', items: line },
    tags: { type: 'array', items: { type: 'string' } },
  });
  const sent = sentFor(schema);
  const value = (id: string) => sent.get(id) as { buyer: object; lines: object[]; tags: unknown[] };
  expect(value('buyer.name-missing').buyer).toEqual({});
  expect(value('buyer.name-null').buyer).toEqual({ name: null });
  expect(value('tags.0-object').tags).toEqual([{ value: 1 }]);
  expect(value('tags.0-null').tags).toEqual([null]);
  expect(value('lines.0.count-fraction').lines).toEqual([
    { sku: expect.objectContaining({ late: 'own' }), count: rawNumber('1.5') },
  ]);
  expect(value('lines.0.sku-missing').lines).toEqual([{ count: 1 }]);
  const ids = [...sent.keys()];
  expect(ids.indexOf('tags-missing')).toBeLessThan(ids.indexOf('buyer.name-missing'));
  const titles = wrongBodies(creation(schema, { isUnguarded: true }), {}, []).map(({ title }) => title);
  expect(titles).toEqual(expect.arrayContaining(['lines[0].sku is missing', 'tags[0] is an object']));
});

test('a body that may be absent is not empty or null; one that may be a list is no array', () => {
  const { body } = creation(THING);
  const kinds = (change: Partial<NonNullable<typeof body>>) =>
    wrong(body ? { body: { ...body, ...change } } : {})
      .map(({ id }) => id.split(':')[1] ?? '')
      .filter((id) => ['malformed', 'empty', 'array', 'null'].includes(id));
  expect(kinds({})).toEqual(['malformed', 'empty', 'array', 'null']);
  expect(kinds({ required: false })).toEqual(['malformed']);
  expect(kinds({ schema: { anyOf: [THING, { type: 'array', items: THING }] } })).not.toContain('array');
  expect(kinds({ schema: { anyOf: [THING, { type: 'null' }] } })).not.toContain('null');
  expect(kinds({ mediaType: 'application/x-www-form-urlencoded' })).toEqual([]);
});

test('what a framework refuses before the service sees it may be refused in any form', () => {
  const open = wrong().filter(({ hasOpenRefusal }) => hasOpenRefusal);
  expect(open.map(({ id }) => id)).toEqual(['empty', 'array', 'null'].map((kind) => `createThing:${kind}`));
});
