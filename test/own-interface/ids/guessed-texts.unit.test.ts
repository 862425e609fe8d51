import { expect, test } from 'vitest';
import { type Answered, type Asked, documentWith, judged } from '../small-service.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const ERROR = {
  type: 'object',
  required: ['message'],
  properties: { message: { type: 'string' }, details: { type: 'array', items: { type: 'string' } } },
};

function items(token: object) {
  const parameters = [
    { name: 'size', in: 'query', schema: { type: 'integer' } },
    { name: 'token', in: 'query', ...token },
  ];
  const list = { type: 'array', items: { type: 'string' } };
  const responses = {
    200: { description: 'x', ...json(list) },
    default: { description: 'x', ...json(ERROR) },
  };
  return documentWith({ '/items': { get: { operationId: 'list', parameters, responses } } });
}

const TOKEN = { schema: { type: 'string' } };

/** Refuses every page token that it did not hand out. */
function refusing({ query }: Asked): Answered {
  if (!/^\d*$/.test(query.get('size') ?? '')) return [400, { message: 'size' }];
  return query.has('token') ? [400, { message: 'token' }] : [200, ['a']];
}

test('a service may refuse a text that petspec guessed, and no part of its errors counts as untested', async () => {
  const { report, wrong, untested, asked } = await judged(items(TOKEN), refusing);
  expect(asked.some(({ query }) => query.has('token'))).toBe(true);
  expect([wrong, untested]).toEqual([[], []]);
  expect(report.verdict).toBe('conformant');
});

test.each([
  ['an example', { ...TOKEN, example: 'abc' }],
  ['a default', { schema: { type: 'string', default: 'abc' } }],
  ['members', { schema: { type: 'array', items: { type: 'string', enum: ['abc'] } } }],
])('a text of which the document has %s is not guessed: that it is refused is observed', async (_, token) => {
  const { report } = await judged(items(token), refusing);
  const refusals = report.requirements.find(({ id }) => id === 'open.refusals');
  expect(refusals?.observed).toContain('400');
});

test('a service that breaks at a text that petspec guessed violates its document', async () => {
  const { wrong } = await judged(items(TOKEN), (asked) =>
    asked.query.has('token') ? [500, { message: 'broken' }] : refusing(asked),
  );
  expect(wrong).toEqual(['list.responses']);
});

test('parts of errors are not untested where only a refusal with another status came', async () => {
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' }, example: 7 };
  const path = documentWith({
    '/items': {
      get: { operationId: 'list', responses: { 200: { description: 'x', ...json({ type: 'array' }) } } },
    },
    '/items/{id}': {
      get: {
        operationId: 'get',
        parameters: [id],
        responses: {
          200: { description: 'x', ...json({ type: 'object', properties: { name: { type: 'string' } } }) },
          409: { description: 'x', ...json(ERROR) },
          410: { description: 'x', ...json(ERROR) },
        },
      },
    },
  });
  const { untested } = await judged(path, (asked) =>
    asked.path === '/items' ? [200, []] : [409, { message: 'not now' }],
  );
  // What a success has is still untested.
  expect(untested).toEqual(expect.arrayContaining(['get.200.body.name']));
  expect(untested.filter((each) => /4\d\d/.test(each))).toEqual([]);
});
