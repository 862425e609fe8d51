import { expect, test } from 'vitest';
import { creation, parameter, response } from '../../../test/operations/operations.ts';
import type { Operation, Schema } from '../../model/contract.ts';
import { statusesOf } from '../../model/http/expectation.ts';
import { wrongBodies } from './wrong-bodies.ts';

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
const wrong = (change: Partial<Operation> = {}, most?: number) =>
  wrongBodies(creation(THING, change), { id: '7' }, ['createThing:first'], most);
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
    ['tame-object', 'tame is an object', { ...whole('tame-object'), tame: { value: 1 } }],
    ['size-object', 'size is an object', { ...whole('size-object'), size: { value: 1 } }],
    ['name-other-type', 'name is a number, and the rest is valid', { ...whole('name-other-type'), name: 5 }],
    ['malformed', 'malformed JSON', { text: '{"' }],
  ]);
});

test('each is due a documented 400 or 422; malformed JSON never gets so far in some frameworks', () => {
  const dues = (change: Partial<Operation>) =>
    wrong(change).map(({ validity, expectation, rule }) => [validity, statusesOf(expectation), rule]);
  const open = ['open', [], undefined];
  const due = (...statuses: string[]) => ['invalid', statuses, 'createThing.body'];
  expect(dues({}).slice(-2)).toEqual([due('400'), open]);
  const both = { responses: [response('422'), response('400'), response('4XX')] };
  expect(dues(both)[0]).toEqual(due('400', '422', '4XX'));
  expect(dues({ responses: [response('201'), response('409')] })).toEqual(
    Array.from({ length: 8 }, () => open),
  );
});

test('every one of them is a write at this path, after what has to be accepted', () => {
  const all = wrong();
  expect(all.length).toBeGreaterThan(1);
  for (const { path, controls, isWriting, stage } of all)
    expect([path, controls, isWriting, stage]).toEqual([{ id: '7' }, ['createThing:first'], true, 'invalid']);
});

test('there are so many at most, and malformed JSON', () => {
  expect(wrong({}, 2).map(({ title }) => title)).toEqual([
    'name is missing',
    'name is an object',
    'name is a number, and the rest is valid',
    'malformed JSON',
  ]);
  const many = Array.from({ length: 15 }, (_, index) => [`field${index}`, { type: 'string' }]);
  const schema = { type: 'object', properties: Object.fromEntries(many) };
  expect(wrongBodies(creation(schema), {}, [])).toHaveLength(14);
});

test('each bound of each field is violated, before any field is of a wrong type', () => {
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
    'title is an object',
  ]);
  expect(sent).toContain('seats is one above the maximum');
});

test('a body of several forms is wrong in the first of them, and fits none of the others', () => {
  const form = (...names: string[]): Schema => ({
    type: 'object',
    required: names,
    properties: Object.fromEntries(names.map((name) => [name, { type: 'integer' }])),
  });
  const titles = (...forms: Schema[]) =>
    wrongBodies(creation({ anyOf: forms }), {}, []).map(({ title }) => title);
  expect(titles(form('iban', 'owner'), form('card'))).toEqual([
    'iban is missing',
    'iban is an object',
    'owner is missing',
    'owner is an object',
    'iban is a text, and the rest is valid',
    'malformed JSON',
  ]);
  expect(titles(form('iban', 'owner'), form('iban'))).toEqual([
    'iban is missing',
    'iban is an object',
    'iban is a text, and the rest is valid',
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
    0, 0, 8,
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
