import { expect, test } from 'vitest';
import { probeNamed, probes } from '../../test/exchanges/exchanges.ts';
import { creation, response } from '../../test/operations/operations.ts';
import { loadContract } from '../contract/load.ts';
import type { Operation, RequestBody, Schema } from '../model/contract.ts';
import { statusesOf } from '../model/http/expectation.ts';
import { lateValuesIn, type Probe } from '../model/probe.ts';
import { invalidBodies, minimalBodyOf, validBodies } from './bodies.ts';

const operation = loadContract().operations.find(({ id }) => id === 'createPet') as Operation;
const body = operation.body as RequestBody;
const bodiesOf = (schema: Schema) =>
  [validBodies, invalidBodies].flatMap((derive) => derive(operation, { ...body, schema }, 'none'));

/** The texts that a body has for itself. */
const textsOf = ({ body }: Pick<Probe, 'body'>) =>
  lateValuesIn(body).flatMap((late) => (late.late === 'own' ? [late] : []));

const all = bodiesOf(body.schema);
const named = (name: string) => all.find(({ id }) => id === `createPet:${name}`) as Probe;

test('every body has texts of its own, also an invalid one, and within a list', () => {
  const withTexts = all.filter((each) => textsOf(each).length > 0);
  expect(withTexts.length).toBeGreaterThan(15);
  for (const each of withTexts) expect(textsOf(each).map(({ of }) => of)).toEqual([each.id]);
  expect(withTexts.map(({ id }) => id)).toEqual(
    expect.arrayContaining([
      'createPet:minimal',
      'createPet:long',
      'createPet:categoryId-string',
      'createPet:array',
    ]),
  );
});

test('a check sends a taken name, once: with an unknown field, for which a 400 conforms as well', () => {
  const unknown = probeNamed('createPet:unknown-field');
  expect(textsOf(unknown)).toEqual(textsOf(named('minimal')));
  expect(statusesOf(unknown.expectation)).toEqual(['201', '400']);
  expect(unknown.controls).toEqual(['createPet:minimal']);
  expect(probes.filter(({ isDuplicate }) => isDuplicate)).toEqual([unknown]);
});

test('a number that a lax parser takes for a text is another one each time, too', () => {
  expect(textsOf(named('name-number'))).toEqual([{ late: 'own', as: 'number', of: 'createPet:name-number' }]);
});

test('members of an enumeration stay what they are', () => {
  expect(named('full-2').body).toMatchObject({ json: { status: 'pending' } });
});

test('at the bounds of its length a text has exactly that length, beyond them one more or less', () => {
  const bounded = bodiesOf({
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string', minLength: 10, maxLength: 40 } },
  });
  const lengthOf = (name: string) =>
    bounded
      .filter(({ id }) => id === `createPet:${name}`)
      .flatMap(textsOf)
      .map((text) => (text.as === 'text' ? [...text.like].length : 0));
  expect(lengthOf('bounds-least')).toEqual([10]);
  expect(lengthOf('bounds-greatest')).toEqual([40]);
  expect(lengthOf('name-too-short')).toEqual([9]);
  expect(lengthOf('name-too-long')).toEqual([41]);
  expect(lengthOf('full-1')[0]).toBeLessThan(41);
  expect(lengthOf('minimal')[0]).toBeGreaterThan(9);
});

test('a long name has 1,000 characters', () => {
  expect(textsOf(named('long'))).toEqual([expect.objectContaining({ like: 'Ab'.repeat(500) })]);
});

test('null stands for a value that is not an object; an empty body is invalid wherever the interface does not leave it open', () => {
  expect(named('null').body).toEqual({ json: null });
  const kinds = (unspecified: string[]) =>
    invalidBodies(operation, { ...body, unspecified }).flatMap(({ id, rule }) =>
      rule === 'createPet.body' ? [id] : [],
    );
  expect(kinds([])).toEqual(['malformed', 'empty', 'array', 'null'].map((kind) => `createPet:${kind}`));
  expect(kinds(['array', 'null'])).toEqual(['createPet:malformed', 'createPet:empty']);
});

test('at the message address malformed JSON stands for an empty body, too; a list or null is left open', () => {
  const message = loadContract().operations.find(({ id }) => id === 'sendMessage') as Operation;
  const judged = invalidBodies(message, message.body as RequestBody).filter(
    ({ rule, validity }) => rule === 'sendMessage.body' && validity === 'invalid',
  );
  expect(judged.map(({ id, expectation }) => [id, statusesOf(expectation)])).toEqual([
    ['sendMessage:malformed', ['400']],
  ]);
});

test('the plainest body can be had for another request, with texts of that one', () => {
  const asked = minimalBodyOf('createPet:key-unknown', body);
  expect(textsOf({ body: asked }).map(({ of }) => of)).toEqual(['createPet:key-unknown']);
});

const THING: Schema = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', maxLength: 20 },
    state: { type: 'string', enum: ['new', 'sold'], 'x-unspecified': ['type'] },
    size: { type: 'integer', format: 'int64', minimum: 1 },
  },
};
const create = creation(THING);
const wrongIn = (schema: Schema, change: Partial<Operation> = {}) =>
  invalidBodies(creation(schema, change), { ...body, schema, unspecified: [] });

test('what is wrong with a body is in its id, its title and its rule', () => {
  const own = wrongIn(THING).map(({ id, title, rule }) => [id, title, rule]);
  expect(own).toEqual(
    expect.arrayContaining([
      ['createThing:name-missing', 'name missing', 'createThing.body.name'],
      ['createThing:size-below', 'size is one below the minimum', 'createThing.body.size'],
      ['createThing:empty', 'an empty body', 'createThing.body'],
    ]),
  );
  const component = wrongIn({ ...THING, 'x-component': 'Thing' }).map(({ id, rule }) => [id, rule]);
  expect(component).toContainEqual(['createThing:name-missing', 'Thing.name']);
  expect(component).toContainEqual(['createThing:size-below', 'Thing.size']);
  expect(component).toContainEqual(['createThing:null', 'createThing.body']);
});

test('only a required field is left out, and everything else stays', () => {
  const missing = wrongIn(THING).filter(({ id }) => id.endsWith('-missing'));
  expect(missing.map(({ id, body }) => [id, body])).toEqual([
    ['createThing:name-missing', { json: { state: 'new', size: 1 } }],
  ]);
  const { required: _, ...free } = THING;
  expect(wrongIn(free).filter(({ id }) => id.endsWith('-missing'))).toEqual([]);
});

test('of what the interface does not say about a field, one value is sent, and it is open what it gets', () => {
  const state = wrongIn(THING).filter(({ id }) => id.startsWith('createThing:state-'));
  expect(state.map(({ id, validity, expectation }) => [id, validity, statusesOf(expectation)])).toEqual([
    ['createThing:state-non-member', 'invalid', ['400']],
    ['createThing:state-number', 'open', []],
  ]);
});

test('without a documented 400, it is open what any wrong body gets', () => {
  const wrong = wrongIn(THING, { responses: [response('201'), response('422')] });
  expect(wrong.length).toBeGreaterThan(1);
  for (const each of wrong) expect([each.validity, statusesOf(each.expectation)]).toEqual(['open', []]);
});

test('a body may be empty, a list of what is right, or null: each is no object', () => {
  const bodies = new Map(wrongIn(THING).map((each) => [each.id, each]));
  expect(bodies.get('createThing:malformed')?.body).toEqual({ text: '{"' });
  expect(bodies.get('createThing:empty')?.body).toEqual({ text: '' });
  expect(bodies.get('createThing:null')).toMatchObject({
    title: 'null instead of an object',
    body: { json: null },
  });
  const own = { late: 'own', as: 'text', of: 'createThing:array', like: 'Rex-xxxxxxxx' };
  expect(bodies.get('createThing:array')).toMatchObject({
    title: 'an array instead of an object',
    body: { json: [{ name: own, state: 'new', size: 1 }] },
  });
});

test('valid bodies have the required fields, all fields with each member, and values at the bounds', () => {
  const sent = validBodies(create, { ...body, schema: THING }, 'none');
  const text = (like: unknown) => expect.objectContaining({ like });
  const plain = text('Rex-xxxxxxxx');
  expect(
    sent.map(({ id, title, body: own }) => [id.split(':')[1], title, own && 'json' in own && own.json]),
  ).toEqual([
    ['minimal', 'only the required fields', { name: plain }],
    ['full-1', 'all fields, variety 1', { name: plain, state: 'new', size: 1 }],
    ['full-2', 'all fields, variety 2', { name: plain, state: 'sold', size: 1 }],
    ['bounds-least', 'fields at their least bounds', { name: plain, size: 1 }],
    ['bounds-greatest', 'fields at their greatest bounds', { name: text('x'.repeat(20)) }],
    ['maximum', 'int64 maximum', { name: plain, size: 9223372036854775807n }],
    ['beyond-2-53', 'int64 beyond 2^53', { name: plain, size: 9007199254740993n }],
    ['minimum', 'int64 minimum', { name: plain, size: -9223372036854775808n }],
  ]);
  expect(
    sent.slice(0, 5).map(({ expectation, isReadBack }) => [statusesOf(expectation), isReadBack]),
  ).toEqual(Array.from({ length: 5 }, () => [['201'], true]));
  expect(sent.slice(5).map(({ expectation, isReadBack }) => [statusesOf(expectation), isReadBack])).toEqual([
    [['201', '400'], undefined],
    [['201', '400'], true],
    [[], undefined],
  ]);
});

test('each seed adds a body whose value or form a service may refuse, if there is a field for an integer', () => {
  const last = (seed: number, schema: Schema) => {
    const sent = validBodies(create, { ...body, schema }, seed).at(-1);
    return sent && [sent.id.split(':')[1], sent.title, sent.form];
  };
  const rotated = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((seed) => last(seed, THING));
  const spare = 'only the required fields again';
  expect(rotated).toEqual([
    ['zero', 'int64 zero', undefined],
    ['spare', spare, 'type-charset'],
    ['minus-one', 'int64 minus one', undefined],
    ['spare', spare, 'chunked'],
    ['unsigned-32', 'int64 beyond 2^31', undefined],
    ['spare', spare, 'type-case'],
    ['minimum', 'int64 minimum', undefined],
    ['spare', spare, 'spelling'],
    ['zero', 'int64 zero', undefined],
  ]);
  const text: Schema = { type: 'object', properties: { name: { type: 'string', maxLength: 9 } } };
  for (const seed of [0, 1]) expect(last(seed, text)?.[0]).toBe('bounds-greatest');
});

test('a text is long only where it has no bound and no members', () => {
  const isLong = (field: Schema) =>
    validBodies(create, { ...body, schema: { type: 'object', properties: { field } } }, 'none').some(
      ({ id }) => id.endsWith(':long'),
    );
  expect(isLong({ type: 'string' })).toBe(true);
  expect(
    [{ type: 'string', maxLength: 50 }, { type: 'string', enum: ['a'] }, { type: 'integer' }].map(isLong),
  ).toEqual([false, false, false]);
});

test('texts within lists and objects are of their own, too; what is no text stays as it is', () => {
  const nested: Schema = {
    type: 'object',
    required: ['tags', 'owner', 'none'],
    properties: {
      tags: { type: 'array', items: { type: 'string' } },
      owner: { type: 'object', properties: { name: { type: 'string' }, age: { type: 'integer' } } },
      none: { type: 'null' },
    },
  };
  const own = { late: 'own', as: 'text', like: 'Rex-xxxxxxxx', of: 'createThing:key' };
  expect(minimalBodyOf('createThing:key', { ...body, schema: nested })).toEqual({
    json: { tags: [own], owner: { name: own, age: 1 }, none: null },
  });
});
