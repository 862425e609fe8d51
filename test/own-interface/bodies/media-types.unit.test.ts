import { expect, test } from 'vitest';
import { documentWith, judged } from '../small-service.ts';

const thing = (name: string) => ({
  type: 'object',
  required: [name],
  properties: { [name]: { type: 'string' } },
});
const VENDOR = 'application/vnd.x+json';
const PROBLEM = 'application/problem+json';

/** What a run finds of one operation with this content, whose service responds with this body. */
async function findings(content: object, type: string | undefined, body: string | Buffer) {
  const path = documentWith(
    { '/a': { get: { operationId: 'get', responses: { 200: { description: 'x', content } } } } },
    { schemas: { Problem: thing('title') } },
  );
  const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
  return judged(path, () => [200, Buffer.from(body), headers]);
}

const JSON_TYPES = {
  'application/json': { schema: thing('a') },
  [VENDOR]: { schema: thing('b') },
  [PROBLEM]: { schema: { $ref: '#/components/schemas/Problem' } },
};

test.each<[type: string, body: string, wrong: string[]]>([
  ['application/json', '{"a":"x"}', []],
  [VENDOR, '{"b":"x"}', []],
  [PROBLEM, '{"title":"x"}', []],
  ['application/json', '{"b":"x"}', ['get.200.body.a']],
  [VENDOR, '{"a":"x"}', [`get.200.${VENDOR}.b`]],
  [VENDOR, '[]', [`get.200.${VENDOR}`]],
  [VENDOR, '', [`get.200.${VENDOR}`]],
  [VENDOR, '{', ['service.json']],
  [`${PROBLEM}; charset=utf-8`, '{"title":1}', ['Problem.title']],
])('of several JSON types, a body of the type %s that is %s', async (type, body, wrong) => {
  const { report, wrong: found } = await findings(JSON_TYPES, type, body);
  expect([report.verdict, found]).toEqual([wrong.length === 0 ? 'conformant' : 'non-conformant', wrong]);
});

test('each JSON type has requirements of its own; those that no response showed are met', async () => {
  const { report } = await findings(JSON_TYPES, VENDOR, '{"b":"x"}');
  const found = report.requirements.filter(({ id }) => /body|vnd|Problem/.test(id));
  expect(found.map(({ id, status, exercised }) => `${id} ${status} ${exercised}`)).toEqual([
    'get.200.body met false',
    'get.200.body.a met false',
    `get.200.${VENDOR} met true`,
    `get.200.${VENDOR}.b met true`,
    'Problem met false',
    'Problem.title met false',
  ]);
});

const text = (schema: object) => ({ 'text/plain': { schema } });
const LATIN = Buffer.from([0xe9, 0xe9]);

test.each<[schema: object, type: string | undefined, body: string | Buffer, isRight: boolean]>([
  [{ type: 'string' }, 'text/plain', 'anything', true],
  [{ type: 'string' }, undefined, '', true],
  [{ type: 'string', enum: ['ok', 'slow'] }, 'text/plain', 'slow', true],
  [{ enum: ['ok', 'slow'] }, 'text/plain', 'ok\n', true],
  [{ const: 'ok' }, 'text/plain; charset="UTF-8"', '\ufeffok\r\n', true],
  [{ type: 'string', enum: ['ok', 'slow'] }, 'text/plain', 'down', false],
  [{ type: 'string', pattern: '^v\\d+$' }, 'text/plain;charset=utf-8', 'v12', true],
  [{ type: 'string', pattern: '^v\\d+$' }, 'text/plain;charset=utf-8', 'twelve', false],
  [{ type: 'string', maxLength: 3 }, 'text/plain', 'äöü', true],
  [{ type: 'string', maxLength: 3 }, 'text/plain', 'abcd', false],
  [{ type: 'string', minLength: 1 }, 'text/plain', '', false],
  // The text may be as documented in an encoding that petspec does not know.
  [{ type: 'string', maxLength: 1 }, 'text/plain; charset=utf-7', 'abcd', true],
  [{ type: 'string', minLength: 7 }, 'text/plain', LATIN, true],
  // Nothing says how these are written, or what null is.
  [{ type: 'integer', maximum: 3 }, 'text/plain', '7', true],
  [{ type: 'array', maxItems: 1, items: { type: 'string' } }, 'text/plain', 'a,b', true],
  [{ type: ['string', 'null'], minLength: 3 }, 'text/plain', '', true],
  [{ anyOf: [{ type: 'integer' }, { enum: ['none'] }] }, 'text/plain', 'many', true],
  [{ type: 'string', format: 'binary', maxLength: 1 }, 'text/plain', 'abcd', true],
  [{ type: 'string', format: 'uuid' }, 'text/plain', 'abcd', true],
])('a text with the schema %j, declared as %s: %j', async (schema, type, body, isRight) => {
  const { report, wrong } = await findings(text(schema), type, body);
  expect([report.verdict, wrong]).toEqual(
    isRight ? ['conformant', []] : ['non-conformant', ['get.200.body']],
  );
});

test('beside JSON, a text has a requirement of its own', async () => {
  const content = { ...text({ type: 'string', enum: ['ok'] }), 'application/json': { schema: thing('a') } };
  expect((await findings(content, 'text/plain', 'ok')).wrong).toEqual([]);
  expect((await findings(content, 'text/plain', 'down')).wrong).toEqual(['get.200.text/plain']);
  expect((await findings(content, 'application/json', '{"a":"down"}')).wrong).toEqual([]);
});

test('a text of another type is judged by its type alone', async () => {
  const { report } = await findings(text({ type: 'string', enum: ['ok'] }), 'text/html', '<p>');
  const wrong = report.requirements.filter(({ status }) => status === 'violated');
  expect(wrong.map(({ id }) => id)).toEqual(['service.content-type']);
});
