import { expect, onTestFinished, test } from 'vitest';
import { documentWith } from '../../test/own-interface/small-service.ts';
import { realClock } from '../model/clock.ts';
import { interfaceOf } from '../run/contract-of.ts';
import { type DocumentServerSettings, startDocumentServer } from './index.ts';
import { documentScenarios } from './scenarios.ts';

const PROBLEM = {
  description: 'x',
  content: {
    'application/problem+json': {
      schema: {
        type: 'object',
        required: ['title', 'status'],
        properties: { title: { type: 'string' }, status: { type: 'integer' } },
      },
    },
  },
};

/** Asks a served document for its list. @param scenario what a client meets @param success what the document says of it */
async function ask(
  settings: Partial<DocumentServerSettings> = {},
  scenario = 'plain',
  success: object = { description: 'x' },
) {
  const document = documentWith({
    '/books': { get: { operationId: 'list', responses: { 200: success, '5XX': PROBLEM } } },
  });
  const { contract } = await interfaceOf({ interface: document });
  const surroundings = { waits: { short: 1_000, long: 1_000 }, foreignOrigin: '' };
  const changes =
    documentScenarios(contract)
      .find(({ id }) => id === scenario)
      ?.changes(surroundings) ?? [];
  const options = { clock: realClock, apiKey: 'a-key-4711', changes, ...settings };
  const server = await startDocumentServer(contract, options);
  onTestFinished(() => server.close());
  const response = await fetch(`${server.baseUrl}/books`, {
    headers: { authorization: 'Bearer a-key-4711' },
  });
  return { response, header: (name: string) => response.headers.get(name), text: await response.text() };
}

test.each<[what: string, limits: NonNullable<DocumentServerSettings['limits']>, policy: string]>([
  ['the minute', { minute: 30, day: 5_000 }, '"default";q=30;w=7'],
  ['the day, which has less left', { minute: 30, day: 10 }, '"default";q=10;w=86400'],
  ['the day alone', { day: 10 }, '"default";q=10;w=86400'],
])('RateLimit-Policy has the window that it is about: %s', async (_what, limits, policy) => {
  const { header } = await ask({ limits, minute: 7_000, dialect: 'ratelimit' });
  expect(header('ratelimit-policy')).toBe(policy);
});

test('a response without a body has no chunks', async () => {
  const { header } = await ask({}, 'other-form');
  expect(header('transfer-encoding')).toBeNull();
});

test('a service that is not available for now says so as the document has it, and when to come back', async () => {
  const { response, header, text } = await ask({}, 'unavailable');
  expect([response.status, header('content-type')]).toEqual([503, 'application/problem+json']);
  expect(JSON.parse(text)).toEqual({ title: 'the service is not available for now', status: 503 });
  expect(Number(header('retry-after'))).toBeGreaterThanOrEqual(1);
});

test('an error of the server is as the document has it', async () => {
  const { response, header, text } = await ask({ limits: { minute: 30 } }, 'server-error');
  expect([response.status, header('content-type')]).toEqual([500, 'application/problem+json']);
  expect(JSON.parse(text)).toEqual({ title: 'something went wrong', status: 500 });
  expect(header('x-ratelimit-limit')).toBe('30');
});

test('an object has as many keys as it needs, where the document names none', async () => {
  const info = { type: 'object', minProperties: 2 };
  const version = { type: 'object', required: ['info'], properties: { info } };
  const versions = { type: 'object', minProperties: 1, additionalProperties: version };
  const schema = { type: 'object', required: ['versions'], properties: { versions } };
  const { text } = await ask({}, 'plain', { description: 'x', content: { 'application/json': { schema } } });
  expect(JSON.parse(text)).toEqual({
    versions: { petspec1: { info: { petspec1: 'petspec', petspec2: 'petspec' } } },
  });
});
