import { describe, expect, test } from 'vitest';
import { shapeOf } from '../../contract/describe.ts';
import type { Schema } from '../../model/contract.ts';
import type { Json } from '../../model/json.ts';
import { judgeShape } from './shape.ts';

const TAG: Schema = {
  'x-component': 'Tag',
  type: 'object',
  required: ['name', 'colour'],
  properties: { name: { type: 'string' }, colour: { type: 'string' } },
};
const PET: Schema = {
  'x-component': 'Pet',
  type: 'object',
  required: ['id', 'name'],
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    'a/b~c': { type: 'string' },
    tag: TAG,
    tags: { type: 'array', items: TAG },
  },
};
const PETS: Schema = { type: 'array', items: PET };
const ERROR: Schema = {
  type: 'object',
  required: ['code', 'status'],
  properties: { code: { type: 'string' }, status: { type: 'integer', 'x-equals': 'http-status' } },
};
const ONE: Schema = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };

const requirements = (value: Json, schema: Schema, owner: string, status = 200) =>
  judgeShape(value, schema, owner, status).deviations.map(({ requirement }) => requirement);

describe('what is there is met', () => {
  test.each<[what: string, value: Json, schema: Schema, owner: string, met: string[]]>([
    ['an animal', { id: 1, name: 'x' }, PET, 'Pet', ['Pet', 'Pet.id', 'Pet.name']],
    [
      'one with a tag',
      { id: 1, name: 'x', tag: { name: 'n', colour: 'c' } },
      PET,
      'Pet',
      ['Pet', 'Pet.id', 'Pet.name', 'Pet.tag', 'Tag.name', 'Tag.colour'],
    ],
    [
      'one with tags',
      { id: 1, name: 'x', tags: [{ name: 'n', colour: 'c' }] },
      PET,
      'Pet',
      ['Pet', 'Pet.id', 'Pet.name', 'Pet.tags', 'Tag.name', 'Tag.colour'],
    ],
    [
      'a list of two',
      [
        { id: 1, name: 'x' },
        { id: 2, name: 'y' },
      ],
      PETS,
      'list',
      ['list', 'Pet', 'Pet.id', 'Pet.name'],
    ],
    ['an empty list', [], PETS, 'list', ['list']],
    [
      'what a later version bounds, apart from the field',
      { id: 1 },
      { ...ONE, properties: { id: { type: 'integer', minimum: 1, 'x-since': { minimum: '0.2.0' } } } },
      'thing',
      ['thing', 'thing.id', 'thing.id.minimum'],
    ],
    ['a list of anything', [1, null], { type: 'array' }, 'list', ['list']],
    ['a list of numbers', [1], { type: 'array', items: { type: 'integer' } }, 'list', ['list']],
    ['nothing', null, {}, 'thing', ['thing']],
    ['a number', 5, { type: 'integer' }, 'thing', ['thing']],
  ])('%s', (_what, value, schema, owner, met) => {
    const judged = judgeShape(value, schema, owner, 200);
    expect(judged.deviations).toEqual([]);
    expect(new Set(judged.met)).toEqual(new Set(met));
  });
});

describe('what is not as it should be', () => {
  test('each field is a deviation of its own, and the others are met', () => {
    expect(judgeShape({ id: '1', 'a/b~c': 5 }, PET, 'Pet', 200)).toEqual({
      met: ['Pet'],
      deviations: [
        {
          requirement: 'Pet.name',
          kind: 'shape',
          reason: 'name is missing',
          expected: 'name: a string',
          received: 'no name in {"id":"1","a/b~c":5}',
          pointer: '/name',
        },
        {
          requirement: 'Pet.id',
          kind: 'shape',
          reason: '/id is not an integer',
          expected: 'id: an integer',
          received: '"1"',
          pointer: '/id',
        },
        {
          requirement: 'Pet.a/b~c',
          kind: 'shape',
          reason: '/a~1b~0c is not a string',
          expected: 'a/b~c: a string',
          received: '5',
          pointer: '/a~1b~0c',
        },
      ],
      hidden: [],
    });
  });

  test('the same field of several is one', () => {
    const { met, deviations } = judgeShape(
      [
        { id: 1, name: 5 },
        { id: 2, name: 6 },
      ],
      PETS,
      'list',
      200,
    );
    expect(deviations).toEqual([
      {
        requirement: 'Pet.name',
        kind: 'shape',
        reason: '/0/name is not a string',
        expected: 'name: a string',
        received: '5',
        pointer: '/0/name',
      },
    ]);
    expect(met).toEqual(['list', 'Pet', 'Pet.id']);
  });

  test.each<
    [what: string, value: Json, schema: Schema, owner: string, requirement: string[], pointer: string]
  >([
    ['an object with none of the fields', { other: 1 }, PET, 'Pet', ['Pet'], ''],
    ['an empty object', {}, PET, 'Pet', ['Pet'], ''],
    ['one such in a list', [{ id: 1, name: 'x' }, {}], PETS, 'list', ['Pet'], '/1'],
    ['one such in a field', { id: 1, name: 'x', tag: {} }, PET, 'Pet', ['Pet.tag'], '/tag'],
    ['null in a field', { id: 1, name: 'x', tag: null }, PET, 'Pet', ['Pet.tag'], '/tag'],
    ['the only field missing', {}, ONE, 'One', ['One.id'], '/id'],
    ['text in place of an object', 'text', PET, 'Pet', ['Pet'], ''],
    ['null in place of an object', null, PET, 'Pet', ['Pet'], ''],
    ['a list in place of an object', [], PET, 'Pet', ['Pet'], ''],
    ['an object in place of a list', { id: 1, name: 'x' }, PETS, 'list', ['list'], ''],
    ['text in a list', ['text'], PETS, 'list', ['Pet'], '/0'],
    ['text in a list of a field', { id: 1, name: 'x', tags: ['text'] }, PET, 'Pet', ['Pet.tags'], '/tags/0'],
  ])('%s', (_what, value, schema, owner, expected, pointer) => {
    const { deviations } = judgeShape(value, schema, owner, 200);
    expect(deviations.map(({ requirement }) => requirement)).toEqual(expected);
    expect(deviations[0]?.pointer).toBe(pointer);
  });

  test('what is not that thing at all fulfils none of its fields', () => {
    expect(judgeShape({ tag: {} }, PET, 'Pet', 200)).toMatchObject({
      met: [],
      deviations: [
        {
          requirement: 'Pet',
          kind: 'shape',
          reason: 'all required fields are missing',
          expected: 'an object with id, name',
          received: '{"tag":{}}',
          pointer: '',
        },
        { requirement: 'Pet.tag' },
      ],
      hidden: [
        { requirement: 'Pet.id', reason: 'id is missing' },
        { requirement: 'Pet.name', reason: 'name is missing' },
        { requirement: 'Tag.name' },
        { requirement: 'Tag.colour' },
      ],
    });
    expect(judgeShape('text', PET, 'Pet', 200)).toEqual({
      met: [],
      hidden: [],
      deviations: [
        {
          requirement: 'Pet',
          kind: 'shape',
          reason: 'the body is not an object with id, name',
          expected: 'an object with id, name',
          received: '"text"',
          pointer: '',
        },
      ],
    });
  });
});

test('what is wrong with one animal is not hidden by another one that lacks everything', () => {
  const { deviations, hidden } = judgeShape([{ id: 1, name: 5 }, {}], PETS, 'list', 200);
  expect(deviations.map(({ requirement }) => requirement).sort()).toEqual(['Pet', 'Pet.name']);
  expect(hidden.map(({ requirement }) => requirement)).toEqual(['Pet.id']);
});

describe('a field that is to be the HTTP status', () => {
  test.each<[what: string, value: Json, expected: string[]]>([
    ['is', { code: 'c', status: 400 }, []],
    ['is not', { code: 'c', status: 401 }, ['Error.status']],
    ['is a text', { code: 'c', status: '400' }, ['Error.status']],
    ['is missing', { code: 'c' }, ['Error.status']],
    ['is not, and another field is wrong, which comes first', { code: 5, status: 401 }, ['Error.code']],
  ])('%s', (_what, value, expected) => {
    expect(requirements(value, ERROR, 'Error', 400)).toEqual(expected);
  });

  test('says what it is', () => {
    expect(judgeShape({ code: 'c', status: 401 }, ERROR, 'Error', 400)).toEqual({
      met: ['Error', 'Error.code'],
      deviations: [
        {
          requirement: 'Error.status',
          kind: 'shape',
          reason: 'status is not the HTTP status',
          expected: 'status: 400',
          received: 'status: 401',
          pointer: '/status',
        },
      ],
      hidden: [],
    });
  });

  test('hides behind a field that is wrong before it', () => {
    const { hidden } = judgeShape({ code: 5, status: 401 }, ERROR, 'Error', 400);
    expect(hidden).toMatchObject([{ requirement: 'Error.status', received: 'status: 401' }]);
  });

  test('need not be there where it is not required', () => {
    const { required: _required, ...lenient } = ERROR;
    expect(requirements({ code: 'c' }, lenient, 'Error', 400)).toEqual([]);
  });
});

test('a component that contains itself is judged all the way down', () => {
  const properties: Record<string, Schema> = { value: { type: 'integer' }, name: { type: 'string' } };
  const node: Schema = { 'x-component': 'Node', type: 'object', required: ['value', 'name'], properties };
  properties.child = { 'x-circular': node };
  const value = { value: 1, name: 'x', child: { value: 2, name: 'y', child: { value: '3', name: 'z' } } };
  expect(judgeShape(value, node, 'Node', 200).deviations).toMatchObject([
    { requirement: 'Node.value', expected: 'value: an integer', pointer: '/child/child/value' },
  ]);
});

describe('a value that was judged before is judged anew', () => {
  const value = { code: 'c', status: 401 };
  const before = judgeShape(value, ERROR, 'Error', 401);

  test.each<[what: string, schema: Schema, owner: string, status: number, met: string[], wrong: string[]]>([
    ['as it was', ERROR, 'Error', 401, ['Error', 'Error.code', 'Error.status'], []],
    ['for another status', ERROR, 'Error', 400, ['Error', 'Error.code'], ['Error.status']],
    ['for another owner', ERROR, 'Problem', 401, ['Problem', 'Problem.code', 'Problem.status'], []],
    ['by another schema', ONE, 'Error', 401, ['Error'], ['Error.id']],
  ])('%s', (_what, schema, owner, status, met, wrong) => {
    expect(before.deviations).toEqual([]);
    const judged = judgeShape(value, schema, owner, status);
    expect(judged.met).toEqual(met);
    expect(judged.deviations.map(({ requirement }) => requirement)).toEqual(wrong);
    judgeShape(value, ERROR, 'Error', 401);
  });
});

test.each<[schema: Schema, words: string]>([
  [PETS, 'an array of Pet'],
  [{ type: 'array', items: { type: 'string' } }, 'an array of a string'],
  [PET, 'an object with id, name'],
  [{ properties: { a: {}, b: {} } }, 'an object with a, b'],
  [{ type: 'string' }, 'a string'],
])('in words: %o is %s', (schema, words) => {
  expect(shapeOf(schema)).toBe(words);
});
