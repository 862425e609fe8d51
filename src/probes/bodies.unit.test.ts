import { expect, test } from 'vitest';
import { loadContract } from '../contract/load.ts';
import type { Operation, RequestBody, Schema } from '../model/contract.ts';
import type { Probe } from '../model/probe.ts';
import { invalidBodies, minimalBodyOf, validBodies } from './bodies.ts';

const operation = loadContract().operations.find(({ id }) => id === 'createPet') as Operation;
const body = operation.body as RequestBody;
const bodiesOf = (schema: Schema) =>
  [validBodies, invalidBodies].flatMap((derive) => derive(operation, { ...body, schema }));

/** What a body's texts depend on, wherever they stand in it. */
const textsOf = ({ body }: Pick<Probe, 'body'>): { of: string; like?: string; as: string }[] => {
  const texts: { of: string; like?: string; as: string }[] = [];
  JSON.stringify(body ?? null, (_, value) => {
    if (value?.late === 'own') texts.push(value);
    return typeof value === 'bigint' ? String(value) : value;
  });
  return texts;
};

const all = bodiesOf(body.schema);
const named = (name: string) => all.find(({ id }) => id === `createPet:${name}`) as Probe;

test('every body has texts of its own, also an invalid one, and within a list', () => {
  const withTexts = all.filter((each) => textsOf(each).length > 0);
  expect(withTexts.length).toBeGreaterThan(20);
  for (const each of withTexts.filter(({ id }) => id !== 'createPet:unknown-field'))
    expect(textsOf(each).map(({ of }) => of)).toEqual([each.id]);
  expect(withTexts.map(({ id }) => id)).toEqual(
    expect.arrayContaining([
      'createPet:minimal',
      'createPet:long',
      'createPet:categoryId-string',
      'createPet:array',
    ]),
  );
});

test('a name that is taken is sent once: with a field that is not known, where a 400 is as good', () => {
  expect(textsOf(named('unknown-field'))).toEqual(textsOf(named('minimal')));
  expect(named('unknown-field').acceptable).toEqual(['201', '400']);
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
      .map(({ like = '' }) => [...like].length);
  expect(lengthOf('bounds-least')).toEqual([10]);
  expect(lengthOf('bounds-greatest')).toEqual([40]);
  expect(lengthOf('name-too-short')).toEqual([9]);
  expect(lengthOf('name-too-long')).toEqual([41]);
  for (const variety of [1, 2, 3])
    for (const length of lengthOf(`full-${variety}`)) expect(length).toBeLessThan(41);
  expect(lengthOf('minimal')[0]).toBeGreaterThan(9);
});

test('a long name has 1,000 characters', () => {
  expect(textsOf(named('long')).map(({ like }) => like?.length)).toEqual([1_000]);
});

test('null stands for what is no object; an empty body is one of the invalid ones wherever it is not left open', () => {
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
  expect(judged.map(({ id, acceptable }) => [id, acceptable])).toEqual([['sendMessage:malformed', ['400']]]);
});

test('the plainest body can be had for another request, with texts of that one', () => {
  const asked = minimalBodyOf('createPet:key-unknown', body);
  expect(textsOf({ body: asked }).map(({ of }) => of)).toEqual(['createPet:key-unknown']);
});
