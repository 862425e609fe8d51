import { expect, test } from 'vitest';
import { read } from '../document.ts';

const content = (schema: object) => ({ 'application/json': { schema } });
const responses = (schema: object = { type: 'array' }) => ({
  200: { description: 'x', content: content(schema) },
});
const documentOf = (get: object, more: object = {}) => ({
  openapi: '3.1.0',
  paths: { '/things': { get } },
  ...more,
});

/** The gaps of a document with one operation. */
async function gapsOf(get: object, more: object = {}) {
  const { gaps } = await read({ 'openapi.json': documentOf(get, more) });
  return gaps.map(({ reason, isWhole }) => [reason, isWhole]);
}

test.each([
  [documentOf({ security: ['bearer'], responses: responses() })],
  [documentOf({ security: 'bearer', responses: responses() })],
  [documentOf({ responses: responses() }, { security: ['bearer'] })],
])('security that is no list of mappings is refused: %j', async (document) => {
  const refusal = /openapi\.json:1:\d+: 'security' is not a list of mappings, such as - bearer: \[\]$/;
  await expect(async () => read({ 'openapi.json': document })).rejects.toThrow(refusal);
});

test('a parameter in a place that OpenAPI does not know is told, and its operation left out if it needs it', async () => {
  const parameter = { name: 'X-Tenant', in: 'headers', schema: { type: 'string' } };
  const words = "the parameter 'X-Tenant' is in 'headers'; expected query, path, header, cookie";
  const withParameter = (more: object) => ({
    parameters: [{ ...parameter, ...more }],
    responses: responses(),
  });
  expect(await gapsOf(withParameter({}))).toEqual([[words, false]]);
  expect(await gapsOf(withParameter({ required: true }))).toEqual([[words, true]]);
});

test.each(['200 OK', '20X', 'ok', '2xxx', '600'])(
  'a response %j without a status is told, and not judged',
  async (name) => {
    const words = `the response '${name}' has no status, so it is not judged; expected one like 200, 2XX or default`;
    const odd = { [name]: { description: 'x' } };
    expect(await gapsOf({ responses: { ...responses(), ...odd } })).toEqual([[words, false]]);
    const { operations } = await read({
      'openapi.json': documentOf({ responses: { ...responses(), ...odd } }),
    });
    expect(operations[0]?.responses.map(({ status }) => status)).toEqual(['200']);
  },
);

test.each<[schema: object, words: string]>([
  [{ type: 'int' }, "the type 'int' is none of JSON Schema, so it is not judged"],
  [{ type: ['integer', 'text'] }, "the type 'text' is none of JSON Schema, so it is not judged"],
  [{ type: 'integer', minimum: '5' }, 'the value of minimum is not valid, so it is not judged'],
  [{ type: 'string', enum: 'a' }, 'the value of enum is not valid, so it is not judged'],
  [{ type: 'string', enum: [] }, 'the value of enum is not valid, so it is not judged'],
  [{ type: 'object', required: 'id' }, 'the value of required is not valid, so it is not judged'],
  [
    { type: 'object', properties: { id: { type: 'integer', required: true } } },
    'the value of required is not valid, so it is not judged',
  ],
  [
    { type: 'object', properties: [{ id: { type: 'integer' } }] },
    'the value of properties is not valid, so it is not judged',
  ],
  [
    { type: 'object', properties: { id: 'integer' } },
    'the value of properties is not valid, so it is not judged',
  ],
  [{ oneOf: { type: 'object' } }, 'the value of oneOf is not valid, so it is not judged'],
  [{ allOf: { type: 'object' } }, 'the value of allOf is not valid, so it is not judged'],
  [{ type: 'string', pattern: 5 }, 'the value of pattern is not valid, so it is not judged'],
  [
    { type: 'object', additionalProperties: 'false' },
    'the value of additionalProperties is not valid, so it is not judged',
  ],
  [{ type: 'array', items: 'string' }, 'the value of items is not valid, so it is not judged'],
  [{ type: 'string', nullable: 'true' }, 'the value of nullable is not valid, so it is not judged'],
])('what the schema %j says is told if it cannot be judged', async (schema, words) => {
  expect(await gapsOf({ responses: responses(schema) })).toEqual([[words, false]]);
});

test('what is right leaves no gap', async () => {
  const security = [{ bearer: [] }, {}];
  const components = { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } };
  expect(
    await gapsOf(
      { security, responses: responses({ type: ['integer', 'null'], minimum: 5, required: false }) },
      { components },
    ),
  ).toEqual([]);
});
