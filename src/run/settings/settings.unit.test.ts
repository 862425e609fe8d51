import { expect, onTestFinished, test } from 'vitest';
import { type RunSettings, run, startReference, UsageError, VirtualClock } from '../../index.ts';

const POSITIVE = 'is not valid; expected a positive integer';
const HEADERS = "'headers' is not valid; expected names with values, such as [['X-Gateway', 'open']]";
const LIMITS =
  "'limits' is not valid; expected requests per window, each a positive integer, such as { minute: ";

/** What callers state who do not have the types. */
type Settings = Record<string, unknown>;

test.each<[Settings, string]>([
  [{ headers: { a: 'b' } }, HEADERS],
  [{ headers: [['X-Gateway']] }, HEADERS],
  [{ headers: [['X-Gateway', 1]] }, HEADERS],
  [{ headers: [['Expect', '100-continue']] }, "'headers': Expect is written by petspec itself; leave it out"],
  [{ headers: [['bad name', 'x']] }, `${HEADERS}, without characters that no header has`],
  [
    { headers: [['X-Gateway', 'a-secret\r\nX-More: 1']] },
    `${HEADERS}, without characters that no header has`,
  ],
  [
    { headers: [['authorization', 'a-secret']] },
    "'headers': Authorization carries the API key; set it with 'apiKey'",
  ],
  [{ apiKey: 'a-secret\nb' }, "'apiKey': the key has characters that a header cannot contain"],
  [{ apiKey: 'Bearer a-secret' }, "'apiKey': the key starts with 'Bearer'; leave that out"],
  [{ apiKey: ' ' }, "'apiKey': the key is empty"],
  [{ apiKey: 5 }, "'apiKey' is not valid; expected the API key as text"],
  [{ concurrency: 0 }, `'concurrency' ${POSITIVE}`],
  [{ concurrency: '4' }, `'concurrency' ${POSITIVE}`],
  [{ timeout: -1 }, `'timeout' ${POSITIVE}`],
  [{ timeout: 0.5 }, `'timeout' ${POSITIVE}`],
  [{ maxWait: Number.POSITIVE_INFINITY }, `'maxWait' ${POSITIVE}`],
  [{ maxTime: Number.NaN }, `'maxTime' ${POSITIVE}`],
  [{ budget: 0 }, `'budget' ${POSITIVE}`],
  [{ categoryId: 'abc' }, "'categoryId' is not valid; expected an int64 as text"],
  [{ categoryId: '9223372036854775808' }, "'categoryId' is not valid; expected an int64 as text"],
  [{ exhaust: 'x' }, "'exhaust' is not valid; expected one of minute, day, none"],
  [{ limits: { minute: 0 } }, LIMITS],
  [{ limits: { hour: 5 } }, LIMITS],
  [{ limits: {} }, LIMITS],
  [{ limits: 60 }, LIMITS],
  [{ seed: -1 }, "'seed' is not valid; expected an integer from 0 to 4294967295"],
  [{ seed: '1' }, "'seed' is not valid; expected an integer from 0 to 4294967295"],
  [{ only: 'listPets.*' }, "'only' is not valid; expected a list, such as ['listPets.*']"],
  [{ strict: 'yes' }, "'strict' is not valid; expected true or false"],
  [{ readOnly: 1 }, "'readOnly' is not valid; expected true or false"],
  [{ plan: null }, "'plan' is not valid; expected a text that is not empty"],
  [{ set: '' }, "'set' is not valid; expected a text that is not empty"],
  [{ clock: {} }, "'clock' is not valid; expected a clock, such as realClock"],
  [{ baseUrl: 'staging' }, "'baseUrl': 'staging' is not an http or https URL; expected one like https://"],
  [{ baseUrl: new URL('http://a.test') }, "'baseUrl' is not valid; expected a base URL as text"],
  [
    { apiUrl: 'http://user:a-secret@a.test' },
    "'apiUrl': user and password in the URL are not supported; send the headers of a gateway with 'headers'",
  ],
  // A slash or a hash in the password makes another URL of it, or none.
  [{ baseUrl: 'https://user:a-secret/1@a.test' }, "'baseUrl': 'https://[hidden]@a.test' is not a valid URL"],
  [{ baseUrl: 'https://user:a-secret#1@a.test' }, "'baseUrl': 'https://[hidden]@a.test' is not a valid URL"],
  [{ baseUrl: 'user:a-secret@a.test/v1' }, "'baseUrl': '[hidden]@a.test/v1' is not an http or https URL"],
  [{ baseUrl: 'https://a.test:x/?key=a-secret' }, "'baseUrl': 'https://a.test:x/' is not a valid URL"],
  [{ apiUrl: 'http://a.test?key=a-secret' }, "'apiUrl': 'http://a.test/' has a query or a fragment"],
  [{ apiUrl: 'http://a.test?' }, "'apiUrl': 'http://a.test/' has a query or a fragment"],
  [{ servers: { files: 'a.test' } }, "'servers': 'a.test' is not an http or https URL"],
  [{ servers: ['http://a.test'] }, "'servers' is not valid; expected base URLs by the names of the servers"],
  [{ timout: 5 }, "unknown setting 'timout'; did you mean 'timeout'?"],
])('a wrong setting is one line that names it and never a secret: %o', async (setting, words) => {
  const target = { baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'a-key' };
  const error: unknown = await run({ ...target, ...setting } as RunSettings).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(UsageError);
  const { message } = error as UsageError;
  expect(message).toMatch(/^[^\n]+$/);
  expect(message.slice(0, words.length)).toBe(words);
  expect(message).not.toContain('a-secret');
});

test.each([
  [null, 'expected an object with settings, such as { clock, baseUrl, servers }'],
  ['http://127.0.0.1/v1', 'expected an object with settings, such as { clock, baseUrl, servers }'],
  [{ only: ['nothing'] }, "unknown requirement, section or operation 'nothing' in 'only'"],
  [{ plan: 'gold' }, "'plan': unknown plan 'gold'; expected one of free, pro, business, enterprise"],
  [{ set: '9.9.9' }, "'set' 9.9.9: unknown set of requirements"],
  [{ example: 'x.yaml' }, "'example': the bundled interface needs no examples; name yours with 'interface'"],
  [{ budget: 5 }, "'budget: 5': this run needs 62 requests with the key; name more, or use 'exhaust: none'"],
  [
    { plan: 'free', limits: { day: 5 } },
    "'limits' cannot be used with 'plan: free', which has fixed limits; use 'plan: enterprise', or leave out",
  ],
])('a caller of run() reads the names of settings, and none of an option: %o', async (settings, words) => {
  const error: unknown = await run(settings as RunSettings).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(UsageError);
  expect((error as UsageError).message.slice(0, words.length)).toBe(words);
  expect((error as UsageError).message).not.toMatch(/--[a-z]|\n/);
});

test('settings with the smallest and the largest values run', async () => {
  const settings: RunSettings = {
    only: ['listPets.200'],
    exhaust: 'none',
    readOnly: true,
    plan: 'enterprise',
    limits: { minute: 1_000 },
    categoryId: '-9223372036854775808',
    seed: 4_294_967_295,
    timeout: 1,
    maxWait: 1,
    maxTime: 1,
    concurrency: 1,
    headers: [['X-Gateway', '']],
    apiKey: '',
    servers: {},
    set: undefined,
  };
  expect(await run(settings)).toMatchObject({ verdict: 'conformant' });
});

test('spaces and line breaks around a key do not count', async () => {
  const clock = new VirtualClock(Date.UTC(2026, 0, 1));
  const reference = await startReference({ apiKey: 'a-key-of-a-test', clock });
  onTestFinished(() => reference.close());
  const { baseUrl } = reference;
  const settings = { baseUrl, clock, exhaust: 'none', only: ['listPets.200'] } as const;
  expect(await run({ ...settings, apiKey: ' a-key-of-a-test\n' })).toMatchObject({ verdict: 'conformant' });
});
