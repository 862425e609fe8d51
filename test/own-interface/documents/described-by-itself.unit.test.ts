import { expect, test } from 'vitest';
import { schemaErrors } from '../../../src/contract/validation/schema-validator.ts';
import type { Json } from '../../../src/model/json.ts';
import { documentOf, read } from '../document.ts';

const PETS = {
  Pet: {
    type: 'object',
    required: ['kind'],
    properties: { kind: { type: 'string' }, friend: { $ref: '#/components/schemas/Pet' } },
    oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
    discriminator: { propertyName: 'kind' },
  },
  Cat: {
    allOf: [
      { $ref: '#/components/schemas/Pet' },
      { properties: { lives: { type: 'integer' } }, required: ['lives'] },
    ],
  },
  Dog: {
    allOf: [
      { $ref: '#/components/schemas/Pet' },
      { properties: { tail: { type: 'string' } }, required: ['tail'] },
    ],
  },
  Self: { allOf: [{ $ref: '#/components/schemas/Self' }], type: 'object' },
};

test.each<[name: string, fits: Json, fails: Json]>([
  ['Pet', { kind: 'cat', lives: 9, friend: { kind: 'dog', tail: 'long' } }, { kind: 'cat' }],
  ['Cat', { kind: 'cat', lives: 9 }, { kind: 'cat', tail: 'long' }],
  ['Dog', { kind: 'dog', tail: 'long' }, { kind: 'dog', tail: 'long', friend: { kind: 'cat' } }],
  ['Self', {}, 7],
])('what is described by itself is judged without that: %s', async (name, fits, fails) => {
  const document = documentOf({ $ref: `#/components/schemas/${name}` }, PETS);
  const { operations, gaps } = await read({ 'openapi.json': document });
  const schema = operations[0]?.responses[0]?.schema ?? {};
  expect(schemaErrors(schema, fits)).toEqual([]);
  expect(schemaErrors(schema, fails)).not.toEqual([]);
  expect(gaps.map(({ reason }) => reason).join()).toContain(
    'is described by way of itself, which adds nothing and is not judged',
  );
});

test('schemas that all describe each other are read to a bound, and the gap is told', async () => {
  const names = Array.from({ length: 14 }, (_, index) => `All${index}`);
  const anyOf = names.map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const document = documentOf(anyOf[0] ?? {}, Object.fromEntries(names.map((name) => [name, { anyOf }])));
  const { gaps } = await read({ 'openapi.json': document });
  expect(gaps.map(({ reason }) => reason)).toContain(
    'schemas lead to each other in more ways than petspec looks at',
  );
});
