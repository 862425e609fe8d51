import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Reference, realClock, startReference } from '../index.ts';
import { matchers } from './index.ts';

// Imported before by another test file of the same worker, petspec/vitest has no effect here.
expect.extend(matchers);

const KEY = 'a-key-of-a-vendor';
const RATE = { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '59', 'x-ratelimit-reset': '1795255260' };
const JSON_RATE = { ...RATE, 'content-type': 'application/json' };
const NO_KEY = { code: 'unauthorized', message: 'the key is missing', status: 401 };
const PET = { id: 1, name: 'Mia', categoryId: 7 };

let reference: Reference;
beforeAll(async () => {
  reference = await startReference({ clock: realClock, apiKey: KEY });
});
afterAll(() => reference.close());

/** What the failed expectation says. */
async function messageOf(response: unknown, operation: string): Promise<string> {
  const failure = await expect(response)
    .toConformTo(operation)
    .then(
      () => undefined,
      (error: Error) => error,
    );
  return failure?.message ?? 'it passed';
}

describe('real responses', () => {
  const headers = { authorization: `Bearer ${KEY}` };

  test('of fetch, which stay readable', async () => {
    const response = await fetch(`${reference.baseUrl}/pets`, { headers });
    await expect(response).toConformTo('listPets');
    expect(await response.json()).toHaveLength(20);
    await expect(await fetch(`${reference.baseUrl}/pets`)).toConformTo('listPets');
  });

  test('of undici', async () => {
    await expect(await request(`${reference.baseUrl}/pets/1001`, { headers })).toConformTo('getPet');
    await expect(
      await request(`${reference.baseUrl}/pets/1`, { headers, responseHeaders: 'raw' }),
    ).toConformTo('getPet');
    const body = JSON.stringify({ message: 'Hello' });
    const sent = {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    } as const;
    await expect(await request(`${reference.apiUrl}/messages`, sent)).toConformTo('sendMessage');
  });

  test('whose body was read before are refused, with what to do', async () => {
    const fetched = await fetch(`${reference.baseUrl}/pets`, { headers });
    await fetched.text();
    await expect(expect(fetched).toConformTo('listPets')).rejects.toThrow(
      /already read.*response\.clone\(\)/,
    );
    const requested = await request(`${reference.baseUrl}/pets`, { headers });
    await requested.body.text();
    await expect(expect(requested).toConformTo('listPets')).rejects.toThrow(
      /already read.*text that you read/,
    );
  });
});

describe('plain responses', () => {
  test.each([
    ['a JSON value', [PET]],
    ['text', JSON.stringify([PET])],
    ['bytes', Buffer.from(JSON.stringify([PET]))],
    ['an ArrayBuffer', new TextEncoder().encode(JSON.stringify([PET])).buffer],
    ['an id beyond 2^53', [{ ...PET, id: 9_223_372_036_854_775_807n }]],
  ])('with %s as their body conform', async (_, body) => {
    await expect({ status: 200, headers: JSON_RATE, body }).toConformTo('listPets');
  });

  test.each([
    ['Headers', new Headers(JSON_RATE)],
    ['pairs', Object.entries(JSON_RATE)],
    ['a list of values', { ...JSON_RATE, 'X-RateLimit-Limit': ['60', '60'] }],
    ['numbers', { ...JSON_RATE, 'x-ratelimit-limit': 60 }],
  ])('with headers as %s conform', async (_, headers) => {
    await expect({ statusCode: 401, headers, body: NO_KEY }).toConformTo('createPet');
  });

  test('of another encoding are taken as they were handed over, but for undici', async () => {
    const headers = { ...JSON_RATE, 'content-encoding': 'gzip' };
    await expect({ status: 200, headers, body: '[]' }).toConformTo('listPets');
    await expect(new Response('[]', { headers })).toConformTo('listPets');
    const bytes = gzipSync('[]');
    const body = { bodyUsed: false, arrayBuffer: async () => bytes };
    await expect({ statusCode: 200, headers, body }).toConformTo('listPets');
  });
});

test.each([
  ['an empty list', 'listPets', 200, JSON_RATE, []],
  ['a 429', 'listPets', 429, { ...JSON_RATE, 'retry-after': '30' }, { ...NO_KEY, status: 429 }],
  [
    'any success of a class',
    'sendMessage',
    202,
    JSON_RATE,
    { id: 'a', message: 'b', status: 'queued', createdAt: '2026-11-21T12:00:20Z' },
  ],
  ['a success that is not shown', 'getStoreOrders', 200, JSON_RATE, [{ any: 'thing' }]],
  ['a success without a body', 'getStoreOrders', 204, RATE, undefined],
  ['a redirect with a note of HTTP', 'getStoreOrders', 302, RATE, '<a href="/orders">'],
])('%s conforms', async (_, operation, status, headers, body) => {
  await expect({ status, headers, body }).toConformTo(operation);
});

test.each([
  [
    'an undocumented status',
    'listPets',
    404,
    JSON_RATE,
    NO_KEY,
    ['listPets.responses', '200, 401, 429', 'status 404'],
  ],
  [
    'a 5xx where little is shown',
    'getStoreOrders',
    503,
    RATE,
    '',
    ['getStoreOrders.responses', 'status 503'],
  ],
  [
    'an absent header',
    'listPets',
    200,
    { ...JSON_RATE, 'x-ratelimit-reset': undefined },
    [],
    ['X-RateLimit-Reset'],
  ],
  ['a 429 without Retry-After', 'listPets', 429, JSON_RATE, { ...NO_KEY, status: 429 }, ['Retry-After']],
  [
    'a wrong media type',
    'listPets',
    200,
    { ...JSON_RATE, 'content-type': 'text/html' },
    '[]',
    ['service.content-type'],
  ],
  ['no JSON', 'listPets', 200, JSON_RATE, '[', ['service.json']],
  ['another shape', 'createPet', 201, JSON_RATE, [PET], ['✗ Pet ', 'an object with name, categoryId, id']],
  ['a field too few', 'createPet', 201, JSON_RATE, { name: 'Mia', categoryId: 7 }, ['Pet.id', 'no id in']],
  [
    'a wrong value',
    'getPet',
    200,
    JSON_RATE,
    { ...PET, status: 'lost' },
    ['Pet.status', '"lost"', '/status'],
  ],
  [
    'an Error of another status',
    'getPet',
    404,
    JSON_RATE,
    NO_KEY,
    ['Error.status', 'status: 404', 'status: 401'],
  ],
])('%s does not conform, and the message says why', async (_, operation, status, headers, body, parts) => {
  const message = await messageOf({ status, headers, body }, operation);
  expect(message).toContain(`does not conform to ${operation}`);
  for (const part of parts) expect(message).toContain(part);
});

test('two things wrong are both in the message, and what follows from the first is not', async () => {
  const message = await messageOf(
    { status: 200, headers: JSON_RATE, body: [{ ...PET, id: '1', name: 2 }] },
    'listPets',
  );
  expect(message).toContain('✗ Pet.id');
  expect(message).toContain('✗ Pet.name');
  expect(await messageOf({ status: 500, headers: {}, body: '' }, 'listPets')).not.toContain('X-RateLimit');
});

test('`not` fails with a response that conforms', async () => {
  const negated = expect({ status: 200, headers: JSON_RATE, body: [] }).not.toConformTo('listPets');
  await expect(negated).rejects.toThrow('the response conforms to listPets (GET /pets)');
});

test('what a service echoes of the key, or sends to fool a terminal, is not printed', async () => {
  process.env.PETSPEC_API_KEY = `${KEY}\n`;
  onTestFinished(() => void delete process.env.PETSPEC_API_KEY);
  const body = { ...NO_KEY, code: [KEY, '\u001b[31m'] };
  const message = await messageOf({ status: 401, headers: JSON_RATE, body }, 'listPets');
  expect(message).toContain('Error.code');
  expect(message).not.toContain(KEY);
  expect(message).not.toContain('\u001b[31m');
});

test.each([
  [{ status: 200, headers: {}, body: [] }, 'listPet', /'listPet'.*one of listPets, createPet/],
  [undefined, 'listPets', /not a response/],
  [{ headers: {} }, 'listPets', /no status/],
  [{ statusCode: 200, headers: {} }, 'listPets', /no readable body/],
  [{ statusCode: 200, headers: {}, body: Readable.from(['[]']) }, 'listPets', /no readable body/],
])('wrong usage is said in a line (%#)', async (response, operation, message) => {
  await expect(expect(response).toConformTo(operation)).rejects.toThrow(message);
  await expect(expect(response).not.toConformTo(operation)).rejects.toThrow(message);
});
