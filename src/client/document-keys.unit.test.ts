import { expect, test } from 'vitest';
import { documentWith } from '../../test/own-interface/small-service.ts';
import type { Finding } from '../model/finding.ts';
import { interfaceOf } from '../run/contract-of.ts';
import { startDocumentServer } from '../server/document-server.ts';
import { functionClient } from './clients.ts';
import { judgeClient } from './judge-client.ts';
import { runClient, statedScenario } from './run-client.ts';

const SCHEMES = {
  header: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
  query: { type: 'apiKey', in: 'query', name: 'key' },
  basic: { type: 'http', scheme: 'basic' },
};

/** What is found of a client of a document with an operation that needs a key, and one that needs none. */
async function foundOf(
  scheme: keyof typeof SCHEMES,
  paths: readonly string[],
  sent: (key: string) => { query?: string; headers?: Record<string, string> },
): Promise<Readonly<Record<string, Finding>>> {
  const responses = { 200: { description: 'x' } };
  const document = documentWith(
    {
      '/books': { get: { operationId: 'listBooks', security: [{ [scheme]: [] }], responses } },
      '/health': { get: { operationId: 'health', security: [], responses } },
    },
    { securitySchemes: SCHEMES },
  );
  const { contract } = await interfaceOf({ interface: document });
  const client = functionClient(async ({ baseUrl, apiKey }) => {
    const { query = '', headers = {} } = sent(apiKey);
    for (const path of paths) await fetch(`${baseUrl}${path}${query}`, { headers });
  });
  const traffic = await runClient(contract, client, {
    scenarios: [statedScenario('--scenario', 'plain')],
    timeout: 60_000,
    start: (_scenario, options) => startDocumentServer(contract, options),
  });
  return judgeClient(traffic).findings;
}

const basic = (scheme: string, key: string) => ({
  headers: { authorization: `${scheme} ${Buffer.from(key).toString('base64')}` },
});

test.each<[what: string, ...Parameters<typeof foundOf>]>([
  ['in its header', 'header', ['/books', '/health', '/none'], (key) => ({ headers: { 'x-api-key': key } })],
  ['in the query', 'query', ['/books', '/health', '/none'], (key) => ({ query: `?key=${key}` })],
  ['as Basic', 'basic', ['/books', '/health'], (key) => basic('Basic', key)],
  ['as Basic in lower case', 'basic', ['/books'], (key) => basic('basic', key)],
])('a key %s is where it belongs, also where none is needed', async (_what, scheme, paths, sent) => {
  const found = await foundOf(scheme, paths, sent);
  const statuses = ['sent', 'form', 'place'].map((each) => found[`client.key.${each}`]?.status);
  expect(statuses).toEqual(['met', 'met', 'met']);
});

test.each<[what: string, id: string, expected: object, ...Parameters<typeof foundOf>]>([
  [
    'in the query of an operation that needs none',
    'place',
    { reason: 'the key is in the URL (scenario plain)', expected: 'only X-Api-Key: <API_KEY>' },
    ...(['header', ['/health'], (key) => ({ query: `?key=${key}` })] satisfies Parameters<typeof foundOf>),
  ],
  [
    'in another header',
    'place',
    {
      reason: 'the key is in the header x-other (scenario plain)',
      expected: 'only the key as key in the query',
    },
    ...(['query', ['/health'], (key) => ({ headers: { 'x-other': key } })] satisfies Parameters<
      typeof foundOf
    >),
  ],
  [
    'in another scheme',
    'form',
    { received: 'Authorization: Bearer [hidden]' },
    ...(['basic', ['/books'], (key) => basic('Bearer', key)] satisfies Parameters<typeof foundOf>),
  ],
])('a key %s is not where it belongs', async (_what, id, expected, ...client) => {
  expect((await foundOf(...client))[`client.key.${id}`]).toMatchObject({ status: 'violated', ...expected });
});
