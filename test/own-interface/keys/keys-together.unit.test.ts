import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Answered, type Asked, documentWith, judged } from '../small-service.ts';

const KEYS = { clientId: 'client-4711-anne', secret: 'hush:rosebud-8842' };
const BASIC = `Basic ${Buffer.from(KEYS.secret).toString('base64')}`;

const CLIENT = { type: 'apiKey', in: 'header', name: 'X-Client-Id' };
const SECRETS: readonly [what: string, scheme: object, sentIn: (asked: Asked) => string | undefined][] = [
  ['a header', { type: 'apiKey', in: 'header', name: 'X-Secret' }, ({ headers }) => headers['x-secret']],
  ['a cookie', { type: 'apiKey', in: 'cookie', name: 'sid' }, ({ headers }) => headers.cookie?.slice(4)],
  [
    'the query',
    { type: 'apiKey', in: 'query', name: 'a key' },
    ({ query }) => query.get('a key') ?? undefined,
  ],
  ['bearer', { type: 'http', scheme: 'bearer' }, ({ headers }) => headers.authorization?.slice(7)],
  [
    'basic',
    { type: 'http', scheme: 'basic' },
    ({ headers: { authorization } }) => (authorization === BASIC ? KEYS.secret : authorization),
  ],
];

/** A document whose only operation needs two keys at once. */
function documentOf(secret: object, security: object[] = [{ clientId: [], secret: [] }]): string {
  const content = { 'application/json': { schema: { type: 'array' } } };
  const responses = { 200: { description: 'Things.', content }, 401: { description: 'No.' } };
  const file = documentWith(
    { '/things': { get: { operationId: 'list', responses } } },
    { securitySchemes: { clientId: CLIENT, secret } },
  );
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace('{', `{"security":${JSON.stringify(security)},`));
  return file;
}

type Sent = readonly [client: string | undefined, secret: string | undefined];

const isRight = ([client, secret]: Sent) => client === KEYS.clientId && secret === KEYS.secret;

/** What a run finds in a service that lets in requests with such keys, and the keys that it got. */
async function runs(
  [, scheme, secretIn]: (typeof SECRETS)[number],
  lets: (sent: Sent) => boolean = isRight,
  keys: Record<string, string> = KEYS,
) {
  const sentIn = (asked: Asked): Sent => [asked.headers['x-client-id'], secretIn(asked)];
  const answer = (asked: Asked): Answered => (lets(sentIn(asked)) ? [200, []] : [401]);
  const ran = await judged(documentOf(scheme), answer, { keys });
  return { ...ran, sent: ran.asked.map(sentIn) };
}

test.each(SECRETS)('a key beside one in %s: both are sent, and one at a time is wrong', async (...secret) => {
  const { report, sent, wrong, met } = await runs(secret);
  expect([report.verdict, wrong, report.gaps]).toEqual(['conformant', [], undefined]);
  expect(met).toEqual(expect.arrayContaining(['list.200', 'list.401', 'authentication.key']));
  const kinds = sent.map((pair) =>
    pair
      .map((each, index) => (each === undefined ? 'none' : isRightAt(each, index) ? 'right' : 'wrong'))
      .join(),
  );
  expect([...new Set(kinds)].sort()).toEqual(
    // Other spellings of the address are read without any key.
    ['right,right', 'none,right', 'right,none', 'wrong,right', 'right,wrong', 'none,none'].sort(),
  );
  const text = JSON.stringify(report);
  expect([...Object.values(KEYS), BASIC.slice(6)].filter((each) => text.includes(each))).toEqual([]);
});

const isRightAt = (text: string, index: number) => text === Object.values(KEYS)[index];

test.each<[what: string, lets: (sent: Sent) => boolean, requirement: string]>([
  ['does not look at the secret', ([client]) => client === KEYS.clientId, 'list.401'],
  ['does not look at the client', ([, secret]) => secret === KEYS.secret, 'list.401'],
  [
    'takes any secret',
    ([client, secret]) => client === KEYS.clientId && secret !== undefined,
    'authentication.key',
  ],
])('a service that %s is found', async (_, lets, requirement) => {
  for (const secret of SECRETS) {
    const { wrong, report } = await runs(secret, lets);
    expect(wrong, secret[0]).toEqual([requirement]);
    const { reproduce } = report.requirements.find(({ id }) => id === requirement) ?? {};
    const script = JSON.stringify(reproduce);
    const right = /PETSPEC_KEY_(?:CLIENT_ID|SECRET)/.exec(script)?.[0];
    expect(script, secret[0]).toContain(`# set ${right} first: petspec does not store keys`);
  }
});

test.each(SECRETS)('what fails with both keys is reproduced with their variables: %s', async (...secret) => {
  const { report, wrong } = await runs(secret, () => false);
  expect(wrong).not.toContain('list.401');
  const [, scheme, secretIn] = secret;
  const answer = (asked: Asked): Answered =>
    isRight([asked.headers['x-client-id'], secretIn(asked)]) ? [200, {}] : [401];
  const failing = await judged(documentOf(scheme), answer, { keys: KEYS });
  const found = failing.report.requirements.find(({ status }) => status === 'violated');
  expect(found?.curl).toContain('$PETSPEC_KEY_CLIENT_ID');
  expect(found?.curl).toContain('$PETSPEC_KEY_SECRET');
  expect(report.narrowed).toEqual([]);
});

test('an operation with a missing key is left out, and so are its requests', async () => {
  const { asked, report } = await runs(SECRETS[0] as (typeof SECRETS)[number], isRight, {
    clientId: KEYS.clientId,
  });
  expect(asked).toEqual([]);
  expect(report.narrowed.map(({ option }) => option)).toEqual(['no PETSPEC_KEY_SECRET']);
});

test('two flows of OAuth 2 are one token, the key of the run', async () => {
  const flow = { type: 'oauth2', flows: {} };
  const file = documentOf(flow, [{ secret: [], other: [] }]);
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace('"clientId":{', '"other":{"type":"oauth2","flows":{}},"clientId":{'));
  const lets = ({ headers }: Asked): Answered => (headers.authorization === 'Bearer k-1' ? [200, []] : [401]);
  const { report, met } = await judged(file, lets, { apiKey: 'k-1' });
  expect([report.verdict, report.narrowed]).toEqual(['conformant', []]);
  expect(met).toContain('authentication.key');
});

test('an alternative with a single key comes first, and two keys in one place cannot be sent', async () => {
  const scheme = { type: 'apiKey', in: 'header', name: 'X-Secret' };
  const single = documentOf(scheme, [{ clientId: [], secret: [] }, { clientId: [] }]);
  const lets = ({ headers }: Asked): Answered =>
    headers['x-client-id'] === 'k-1' && headers['x-secret'] === undefined ? [200, []] : [401];
  expect((await judged(single, lets, { apiKey: 'k-1' })).report.verdict).toBe('conformant');
  const { report } = await judged(documentOf(CLIENT), () => [200, []], { keys: KEYS });
  expect(report.gaps?.map(({ reason }) => reason)).toEqual([
    'it asks for clientId and secret together, which petspec cannot send yet',
  ]);
});
