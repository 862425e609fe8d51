import { expect, test } from 'vitest';
import { type Answered, type Asked, documentWith, judged } from '../small-service.ts';

const said = (schema?: object) => ({
  description: 'x',
  ...(schema ? { content: { 'application/json': { schema } } } : {}),
});

/** Jars that are created with this body. */
const jars = (schema: object) =>
  documentWith({
    '/jars': {
      post: {
        operationId: 'fill',
        requestBody: { required: true, content: { 'application/json': { schema } } },
        responses: { 201: said({ type: 'object', properties: { id: { type: 'integer' } } }), 400: said() },
      },
    },
    '/jars/{jarId}': {
      delete: {
        operationId: 'empty',
        parameters: [{ name: 'jarId', in: 'path', required: true, schema: { type: 'integer' } }],
        responses: { 204: said() },
      },
    },
  });

/** A service that refuses every body of which this is not true. */
function takes(isRight: (body: Record<string, unknown>) => boolean) {
  let last = 0;
  return ({ method, body }: Asked): Answered => {
    if (method === 'DELETE') return [204];
    let value: Record<string, unknown>;
    try {
      value = JSON.parse(body);
    } catch {
      return [400];
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [400];
    last += 1;
    return isRight(value) ? [201, { id: last }] : [400];
  };
}

const schema = (field: object, more: object = {}) => ({
  type: 'object',
  required: ['what'],
  properties: { what: field },
  ...more,
});
const CLOSED = { additionalProperties: false };
const knows = (value: Record<string, unknown>) => Object.keys(value).every((name) => name === 'what');
const isText = (value: unknown) => typeof value === 'string' && value !== '';

test.each<[what: string, schema: object, isRight: (value: Record<string, unknown>) => boolean]>([
  [
    'a number is taken for a text',
    schema({ type: 'string', minLength: 1 }, CLOSED),
    (value) => knows(value) && (isText(value.what) || typeof value.what === 'number'),
  ],
  [
    'a text is taken for a number',
    schema({ type: 'integer' }),
    ({ what }) => Number.isInteger(Number(what ?? 'x')),
  ],
  [
    'a text is taken for a truth value',
    schema({ type: 'boolean' }),
    ({ what }) => typeof what === 'boolean' || what === 'true',
  ],
  [
    'a field too many is dropped',
    schema({ type: 'string', minLength: 1 }, CLOSED),
    ({ what }) => isText(what),
  ],
])('%s: a finding', async (_, body, isRight) => {
  const { wrong } = await judged(jars(body), takes(isRight), { write: true });
  expect(wrong).toEqual(['fill.body']);
});

test.each<[what: string, schema: object, isRight: (value: Record<string, unknown>) => boolean]>([
  [
    'refuses both',
    schema({ type: 'string', minLength: 1 }, CLOSED),
    (value) => knows(value) && isText(value.what),
  ],
  [
    'takes a field that the document allows',
    schema({ type: 'string', minLength: 1 }),
    ({ what }) => isText(what),
  ],
  [
    'takes a number where the document allows one',
    schema({ type: ['string', 'number'], minLength: 1 }, CLOSED),
    (value) => knows(value) && (isText(value.what) || typeof value.what === 'number'),
  ],
  [
    'takes fields of other names that the document describes',
    schema({ type: 'string', minLength: 1 }, { ...CLOSED, patternProperties: { '^petspec': {} } }),
    ({ what }) => isText(what),
  ],
])('a service that %s conforms', async (_, body, isRight) => {
  const { wrong, met } = await judged(jars(body), takes(isRight), { write: true });
  expect(wrong).toEqual([]);
  expect(met).toContain('fill.body');
});
