import { expect, test } from 'vitest';
import { type Answered, type Asked, documentWith, judged } from '../small-service.ts';

const KEY = 'reader-7f3a';
const content = { 'application/json': { schema: {} } };
const responses = { 200: { description: 'x', content } };
const securitySchemes = { bearer: { type: 'http', scheme: 'bearer' } };
const list = { get: { operationId: 'list', security: [{ bearer: [] }], responses } };

/** A list that needs a key, and an operation that the document says more of. */
function withHealth(health: object, path = '/health'): string {
  const get = { operationId: 'health', responses, ...health };
  return documentWith({ '/list': list, [path]: { get } }, { securitySchemes });
}

const hasKey = ({ headers }: Asked) => headers.authorization === `Bearer ${KEY}`;
const asksForKey = (asked: Asked): Answered => (hasKey(asked) ? [200, []] : [401, {}]);

test('a service that asks for a key where the document says that none is needed is found', async () => {
  const { report, wrong } = await judged(withHealth({ security: [] }), asksForKey, { apiKey: KEY });
  expect([report.verdict, wrong]).toEqual(['non-conformant', ['health.200']]);
  expect(report.requirements.find(({ id }) => id === 'health.200')).toMatchObject({
    reason: 'a plain request: rejected with 401, although its `security: []` says that it needs no key',
    received: 'status 401',
  });
});

const required = { required: true, schema: { type: 'string', example: 'a1' } };

test.each<[what: string, health: object, path?: string]>([
  ['does not say so of the operation itself', {}],
  ['makes the key optional', { security: [{ bearer: [] }, {}] }],
  ['lists a 401', { security: [], responses: { ...responses, 401: { description: 'No.' } } }],
  ['lists a default', { security: [], responses: { ...responses, default: { description: 'No.' } } }],
  ['has a password in the query', { security: [], parameters: [{ name: 'p', in: 'query', ...required }] }],
  ['has a token in a header', { security: [], parameters: [{ name: 'X-T', in: 'header', ...required }] }],
  [
    'has a token in the path',
    { security: [], parameters: [{ name: 't', in: 'path', ...required }] },
    '/health/{t}',
  ],
])('a 401 is no fault where the document %s', async (_, health, path) => {
  const { asked, wrong } = await judged(
    withHealth(health, path),
    (each) => (each.path === '/list' ? asksForKey(each) : [401, {}]),
    { apiKey: KEY },
  );
  expect(asked.filter((each) => each.path.startsWith('/health'))).not.toEqual([]);
  expect(wrong).toEqual([]);
});

test('a 401 is no fault if something before the service refuses everything', async () => {
  const { report, wrong } = await judged(withHealth({ security: [] }), () => [401, {}], { apiKey: KEY });
  expect([report.verdict, wrong]).toEqual(['incomplete', []]);
});

test('a 401 is no fault if a header of the user may be a key that is refused', async () => {
  const { wrong } = await judged(
    withHealth({ security: [] }),
    (each) => (each.path === '/list' ? asksForKey(each) : [401, {}]),
    { apiKey: KEY, headers: [['Cookie', 'sid=1']] },
  );
  expect(wrong).toEqual([]);
});
