import { expect, test } from 'vitest';
import { type Asked, documentWith, judged } from '../small-service.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const problem = {
  type: 'object',
  properties: { instance: { type: 'string', format: 'uri' }, errors: { type: 'array' } },
};
const PROBLEM = { instance: '/things' };

/** Things whose creation is refused with a body that has a wrong format. */
const REFUSED = {
  '/things': {
    get: { responses: { 200: { description: 'x', ...json({ type: 'array' }) } } },
    post: {
      requestBody: json({ type: 'object' }),
      responses: { 201: { description: 'x' }, 400: { description: 'x', ...json(problem) } },
    },
  },
  '/things/{id}': {
    delete: {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      responses: { 204: { description: 'x' } },
    },
  },
};
const refusing = ({ method }: Asked) => (method === 'GET' ? [200, []] : [400, PROBLEM]) as [number, unknown];

test('what a refused request would have shown is not tested for the refusal, whatever is wrong with its body', async () => {
  const { report, wrong } = await judged(documentWith(REFUSED), refusing, { write: true });
  expect(wrong).toEqual(['POST /things.400.body.instance.format']);
  const found = report.requirements.find(({ id }) => id === 'POST /things.201');
  expect(found).toMatchObject({
    status: 'not-tested',
    reason: 'what is created first: refused with 400',
  });
});

test('a wrong format of one field keeps no other field from being judged', async () => {
  const file = documentWith({
    '/things': { get: { responses: { 200: { description: 'x', ...json(problem) } } } },
  });
  const { report, wrong } = await judged(file, () => [200, PROBLEM]);
  expect(wrong).toEqual(['GET /things.200.body.instance.format']);
  const found = report.requirements.find(({ id }) => id === 'GET /things.200.body.errors');
  expect(found).toMatchObject({ status: 'met', exercised: false });
  expect(report.verdict).toBe('conformant');
});

test('a wrong shape still does', async () => {
  const file = documentWith({
    '/things': { get: { responses: { 200: { description: 'x', ...json(problem) } } } },
  });
  const { report } = await judged(file, () => [200, { instance: 7 }]);
  const found = report.requirements.find(({ id }) => id === 'GET /things.200.body.errors');
  expect(found).toMatchObject({ status: 'not-tested', cause: 'GET /things.200.body.instance' });
});

test('a header that need not come is not in question because a parameter was refused', async () => {
  const headers = { Link: { schema: { type: 'string' } } };
  const size = { name: 'size', in: 'query', schema: { type: 'integer', maximum: 50 } };
  const responses = { 200: { description: 'x', headers, ...json({ type: 'array' }) } };
  const file = documentWith({ '/things': { get: { operationId: 'list', parameters: [size], responses } } });
  const { report, wrong } = await judged(file, ({ query }) =>
    query.get('size') === '50' ? [400] : [200, []],
  );
  expect(wrong).toEqual(['list.size.maximum']);
  expect(report.requirements.find(({ id }) => id === 'Link.schema')?.status).toBe('met');
  expect(report.verdict).toBe('conformant');
});

test('a header of an operation that is left out is left out with it', async () => {
  const headers = { 'Retry-After': { schema: { type: 'integer' } } };
  const get = (path: string, responses: object) => ({ [path]: { get: { responses } } });
  const file = documentWith({
    ...get('/things', { 200: { description: 'x', ...json({ type: 'array' }) } }),
    '/jobs': { post: { responses: { 202: { description: 'x', headers } } } },
  });
  const { report } = await judged(file, () => [200, []], { write: true });
  expect(report.requirements.find(({ id }) => id === 'Retry-After.schema')?.status).toBe('not-tested');
  expect(report.narrowed).toMatchObject([
    { option: 'no --example', requirements: expect.arrayContaining(['Retry-After.schema']) },
  ]);
});
