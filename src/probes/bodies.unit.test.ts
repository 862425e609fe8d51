import { expect, test } from 'vitest';
import { probeNamed, probes } from '../../test/exchanges.ts';
import { loadContract } from '../contract/load.ts';
import type { Operation, RequestBody, Schema } from '../model/contract.ts';
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
  expect(unknown.acceptable).toEqual(['201', '400']);
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
  expect(judged.map(({ id, acceptable }) => [id, acceptable])).toEqual([['sendMessage:malformed', ['400']]]);
});

test('the plainest body can be had for another request, with texts of that one', () => {
  const asked = minimalBodyOf('createPet:key-unknown', body);
  expect(textsOf({ body: asked }).map(({ of }) => of)).toEqual(['createPet:key-unknown']);
});
