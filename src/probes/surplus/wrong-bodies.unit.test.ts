import { expect, test } from 'vitest';
import { creation, response } from '../../../test/operations/operations.ts';
import type { Schema } from '../../model/contract.ts';
import { statusesOf } from '../../model/http/expectation.ts';
import { rawByte } from '../../model/json/raw-bytes.ts';
import { furtherWrongBodies } from './wrong-bodies.ts';

const SCHEMA: Schema = {
  type: 'object',
  required: ['name', 'size'],
  properties: { name: { type: 'string' }, size: { type: 'integer', format: 'int64' } },
};
const create = creation(SCHEMA);
const bodies = furtherWrongBodies(create);
const bodyOf = (name: string, all = bodies) =>
  all.find(({ id }) => id === `createThing:further-${name}`)?.body;
const RIGHT = '{"name":"Rex-xxxxxxxx","size":1}';

test.each([
  ['text-after', `${RIGHT} x`],
  ['cut', '{"name":"Rex-xxxxxxxx","size":1'],
  ['trailing-comma', '{"name":"Rex-xxxxxxxx","size":1,}'],
  ['two', RIGHT + RIGHT],
  ['single-quotes', "{'name':'Rex-xxxxxxxx','size':1}"],
  ['nan', '{"name":"Rex-xxxxxxxx","size":NaN}'],
  ['bare-names', '{name:"Rex-xxxxxxxx",size:1}'],
  ['comment', `${RIGHT} // x`],
  ['leading-zero', '{"name":"Rex-xxxxxxxx","size":01}'],
  ['plus', '{"name":"Rex-xxxxxxxx","size":+1}'],
  ['control', '{"name":"\nRex-xxxxxxxx","size":1}'],
  ['escape', '{"name":"\\x41Rex-xxxxxxxx","size":1}'],
  ['byte-in-name', `{"n${rawByte(0xff)}ame":"Rex-xxxxxxxx","size":1}`],
  ['half-escape', '{"n\\ud83dame":"Rex-xxxxxxxx","size":1}'],
  ['byte-after', `${RIGHT}${rawByte(0xff)}`],
  ['blanks', '  \n'],
  ['undefined', 'undefined'],
  ['open-arrays', '['.repeat(100)],
  ['form', 'name=Rex-xxxxxxxx&size=1'],
])('a body that is not JSON as it should be: %s', (name, text) => {
  expect(bodyOf(name)).toEqual({ text });
});

test.each<[name: string, json: unknown]>([
  ['no-fields', {}],
  ['text', 'Rex'],
  ['number', 1],
  ['text-of-json', RIGHT],
  ['false', false],
  ['empty-array', []],
  ['array-of-empty', [{}]],
  ['true', true],
  ['empty-text', ''],
])('a body that is no object with the required fields: %s', (name, json) => {
  expect(bodyOf(name)).toEqual({ json });
});

test('each body is refused for one reason, which its title says', () => {
  for (const part of ['id', 'title'] as const)
    expect(new Set(bodies.map((each) => each[part])).size).toBe(bodies.length);
  for (const { validity, title, stage, creates } of bodies) {
    expect([validity, stage, creates]).toEqual(['invalid', 'invalid', true]);
    expect(title).toMatch(/^\S.*\S$/);
  }
  const whole = bodies.filter(({ rule }) => rule === 'createThing.body');
  expect(whole).toHaveLength(28);
  for (const { title } of whole) expect(title).toMatch(/\w{2}/);
});

test('a text that something may stumble over is in a body without another required field', () => {
  const odd = bodies.filter(
    ({ id }) => id.startsWith('createThing:further-name-') && !id.endsWith('-object'),
  );
  const texts = odd.flatMap(({ body }) => {
    const { name, ...others } = (body && 'json' in body ? body.json : {}) as Record<string, unknown>;
    return typeof name === 'string' && Object.keys(others).length === 0 ? [name] : [];
  });
  expect(texts).toEqual([
    'Rex \ud83d',
    'Rex \0x',
    'Rex \ufffe\uffff',
    '%s%n%x {0} %(name)s',
    `R${'\u0301'.repeat(200)}`,
    '__proto__',
  ]);
});

test('what a firewall takes for an attack may get any refusal, all else is due a 400', () => {
  const open = bodies.filter(({ expectation }) => statusesOf(expectation).join() !== '400');
  expect(open.map(({ id, expectation }) => [id, statusesOf(expectation)])).toEqual(
    ['zero', 'format', 'property'].map((each) => [`createThing:further-name-${each}`, []]),
  );
});

test('other forms of a request come with a body that lacks the first required field', () => {
  const forms = bodies.filter(({ variations }) => variations);
  expect(forms.map(({ variations }) => variations)).toEqual(
    ['chunked', 'type-charset', 'type-case', 'type-text', 'type-absent', 'type-form'].map((form) => [
      { id: form, kind: 'lenient', form },
    ]),
  );
  for (const { body, title } of forms) {
    expect(body).toEqual({ json: { size: 1 } });
    expect(title).toMatch(/^name missing, \w/);
  }
});

test('a body that may be empty is not wrong without fields', () => {
  const free = furtherWrongBodies(creation({ ...SCHEMA, required: [] }));
  expect(bodyOf('no-fields', free)).toBeUndefined();
  expect(bodyOf('text', free)).toEqual({ json: 'Rex' });
  expect(free.filter(({ variations }) => variations)).toEqual([]);
  expect(free.filter(({ title }) => title.includes('missing'))).toEqual([]);
});

test('odd texts need a free text and another field, both required', () => {
  const odd = (schema: Schema) =>
    furtherWrongBodies(creation(schema)).filter(({ id }) => id.endsWith('-half-character'));
  expect(odd(SCHEMA)).toHaveLength(1);
  expect(odd({ ...SCHEMA, required: ['name'] })).toEqual([]);
  expect(odd({ ...SCHEMA, required: ['size'] })).toEqual([]);
  const members: Schema = { ...SCHEMA.properties, name: { type: 'string', enum: ['a'] } } as Schema;
  expect(odd({ ...SCHEMA, properties: members as Record<string, Schema> })).toEqual([]);
});

test('a change that leaves a body right is not sent', () => {
  const text = creation({ type: 'object', required: ['name'], properties: { name: { type: 'string' } } });
  const names = furtherWrongBodies(text).map(({ id }) => id);
  expect(names).toContain('createThing:further-escape');
  // Without a number, nothing changes.
  for (const each of ['nan', 'leading-zero', 'plus'])
    expect(names).not.toContain(`createThing:further-${each}`);
});

test('a value that only a run knows is an example inside a text', () => {
  const reference = creation({
    ...SCHEMA,
    properties: {
      name: { type: 'string' },
      size: { type: 'integer', format: 'int64', 'x-reference': true },
      parts: { type: 'array', items: { type: 'integer', format: 'int64', 'x-reference': true } },
      none: { type: 'null' },
      owner: { type: 'object', properties: { name: { type: 'string' } } },
    },
  });
  expect(bodyOf('text-of-json', furtherWrongBodies(reference))).toEqual({
    json: '{"name":"Rex-xxxxxxxx","size":1,"parts":[1],"none":null,"owner":{"name":"Rex-xxxxxxxx"}}',
  });
});

test('a wrong value whose answer the interface leaves open is not sent', () => {
  const open: Schema = {
    ...SCHEMA,
    properties: {
      name: { type: 'string' },
      size: { type: 'integer', format: 'int64', 'x-unspecified': ['type'] },
    },
  };
  const of = (schema: Schema, name: string) =>
    furtherWrongBodies(creation(schema)).filter(({ id }) => id === `createThing:${name}-further-false`);
  expect(of(open, 'name')).toHaveLength(1);
  expect(of(open, 'size')).toEqual([]);
  expect(of(SCHEMA, 'size')).toHaveLength(1);
});

test('nothing is sent without a body, a documented 400, or at another address', () => {
  const { body: _, ...bodiless } = create;
  expect(furtherWrongBodies(bodiless)).toEqual([]);
  expect(furtherWrongBodies({ ...create, responses: [response('201'), response('422')] })).toEqual([]);
  expect(furtherWrongBodies({ ...create, address: 'apiUrl' })).toEqual([]);
});

test('every digit of a number counts', () => {
  const sized = creation({
    ...SCHEMA,
    properties: { name: { type: 'string' }, size: { type: 'integer', format: 'int64', minimum: 12 } },
  });
  const of = (name: string) => bodyOf(name, furtherWrongBodies(sized));
  expect(of('nan')).toEqual({ text: '{"name":"Rex-xxxxxxxx","size":NaN}' });
  expect(of('plus')).toEqual({ text: '{"name":"Rex-xxxxxxxx","size":+12}' });
});
