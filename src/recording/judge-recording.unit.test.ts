import { describe, expect, test, vi } from 'vitest';
import { isNightly } from '../../test/nightly/sampled.ts';
import { BASE, entryOf, errorOf, REX, type Said } from '../../test/recordings/entries.ts';
import { created, judge, list, said } from '../../test/recordings/judged.ts';
import { violatedIn } from '../../test/recordings/recorded-run.ts';
import { loadContract } from '../contract/load.ts';
import { UsageError } from '../model/usage-error.ts';
import { FileJudge } from './file-judge.ts';
import { RecordingJudgment } from './judgment.ts';
import { readLine } from './reading/entry.ts';

const contract = loadContract();

describe('what a response owes to its request', () => {
  test.each<[string, Said, string]>([
    ['a list with a field of the wrong type', list({ ...REX, id: '1' }), 'Pet.id'],
    [
      'more animals than requested',
      { path: '/pets?limit=1', body: [REX, { ...REX, id: 2 }] },
      'listPets.limit',
    ],
    ['an animal that the filter excludes', { path: '/pets?status=sold' }, 'listPets.status'],
    ['an animal twice', list(REX, REX), 'listPets.distinct'],
    ['another media type', { answer: { 'content-type': 'text/html' } }, 'service.content-type'],
    ['text that is not JSON', { body: '<html>' }, 'service.json'],
    ['a missing header', { answer: { 'x-ratelimit-limit': 'many' } }, 'X-RateLimit-Limit.schema'],
    [
      'an echo that differs',
      { ...created(2), body: { id: 2, name: 'Max', categoryId: 7 } },
      'createPet.echo',
    ],
    ['200 for an addition', { ...created(2), status: 200 }, 'createPet.201'],
    ['a body without a name that is accepted', created(2, { name: undefined }), 'NewPet.name'],
    ['422 for such a body', { ...created(2, { name: 5 }), status: 422, body: errorOf(422) }, 'createPet.400'],
    ['another animal than the one asked for', { path: '/pets/5', body: REX }, 'getPet.stored'],
    ['a 500', { status: 500, body: errorOf(500) }, 'listPets.200'],
    ['an error without the fields of Error', { path: '/pets/5', status: 404, body: {} }, 'Error'],
  ])('%s', async (_what, exchange, requirement) => {
    const { findings } = await said({}, exchange, {});
    expect(violatedIn(findings)).toEqual([requirement]);
  });
});

describe('the plan that the user states', () => {
  test.each([
    ['pro', ['rate-limit.plan']],
    ['free', []],
  ])('%s counts, also where the headers state the limit of free', async (plan, violated) => {
    const { findings } = await judge([entryOf()], { plan, limits: contract.ratePlans[plan] });
    expect(violatedIn(findings)).toEqual(violated);
  });
});

describe('sequences', () => {
  test('what was added is what is fetched and listed', async () => {
    const renamed = { ...REX, id: 5, name: 'Max' };
    const fetched = await said(created(5), { path: '/pets/5', body: renamed });
    expect(violatedIn(fetched.findings)).toEqual(['getPet.stored']);
    const listed = await said(created(5), list(renamed));
    expect(violatedIn(listed.findings)).toEqual(['listPets.stored']);
    expect(listed.findings['listPets.stored']?.evidence).toEqual([2]);
  });

  test('an id is given once, but another recording may be of an emptied store', async () => {
    const twice = await said(created(5), created(5, { name: 'Max' }));
    expect(violatedIn(twice.findings)).toEqual(['createPet.id']);
    const apart = await judge([entryOf(created(5))], {}, [entryOf(created(5, { name: 'Max' }))]);
    expect(violatedIn(apart.findings)).toEqual([]);
    expect(apart.files.map(({ judged }) => judged)).toEqual([1, 1]);
  });

  test('a 401 counts between two successes of the same key', async () => {
    const orders = { path: '/store/orders', status: 401, body: errorOf(401) };
    expect(violatedIn((await said({}, orders, {})).findings)).toEqual(['authentication.accepted']);
    const other = await said({}, { ...orders, key: 'other' }, {});
    expect(violatedIn(other.findings)).toEqual([]);
    expect(other.findings.Unauthorized?.status).toBe('not-tested');
  });

  test('a key that works is refused in another scheme', async () => {
    const basic = { key: null, headers: { authorization: 'Basic secret-key-1' } };
    expect(violatedIn((await said({}, basic)).findings)).toEqual(['authentication.scheme']);
  });

  test('the request after Retry-After is let through', async () => {
    const limited = {
      status: 429,
      body: errorOf(429),
      answer: { 'retry-after': '10', 'x-ratelimit-remaining': '0' },
    };
    const early = await said({}, limited, {});
    expect(early.findings['rate-limit.recovery']?.status).toBe('not-tested');
    const due = await said({}, { ...limited, at: 50_000 }, { at: 62_000 });
    expect(due.findings['rate-limit.recovery']?.status).toBe('met');
  });

  test('keys are told apart: the Remaining of one is not that of another', async () => {
    const all = Array.from({ length: 40 }, (_, n): Said => {
      const answer = { 'x-ratelimit-remaining': String(n % 2 ? 59 - n : 10 + n) };
      return { at: n * 20, key: `key-number-${n % 2}`, answer };
    });
    const { findings, keys } = await said(...all.filter((_, n) => n % 2), { at: 900, key: 'key-number-0' });
    expect(violatedIn(findings)).toEqual([]);
    expect(keys).toBe(2);
  });
});

describe('which server', () => {
  const elsewhere = (origin: string, at: number) => entryOf({ at, url: `${origin}/v1/pets` });

  test('is told by the recording, and other requests are counted', async () => {
    const page = entryOf({ url: 'https://www.example.com/index.html', body: 'x' });
    const { servers, files } = await judge([page, entryOf(), entryOf({ path: '/other', at: 9 })]);
    expect(servers).toEqual({ baseUrl: BASE });
    expect(files).toEqual([
      { name: '1.har', entries: 3, judged: 1, omissions: { 'other-server': 1, 'other-path': 1 } },
    ]);
  });

  test('has to be named if there are several', async () => {
    const entries = [entryOf(), elsewhere('https://staging.example.com', 1), entryOf({ at: 2 })];
    await expect(judge(entries)).rejects.toThrow(
      new UsageError(
        `1.har: requests to several servers: ${BASE} (2), https://staging.example.com/v1 (1); name one with --base-url`,
      ),
    );
    const { files } = await judge(entries, { servers: { baseUrl: BASE } });
    expect(files).toMatchObject([{ judged: 2, omissions: { 'other-server': 1 } }]);
  });

  test('is not one of another service that has messages', async () => {
    const messages = (key: string) =>
      entryOf({
        method: 'POST',
        url: 'https://chat.example.org/messages',
        request: { message: 'x' },
        key,
        body: {},
      });
    expect((await judge([entryOf(), messages('of-another-service')])).servers.apiUrl).toBeUndefined();
    expect((await judge([entryOf(), messages('secret-key-1')])).servers.apiUrl).toBe(
      'https://chat.example.org',
    );
  });
});

test('unlisted requests are those below the base URL, also beside others whose addresses look alike', async () => {
  const root = 'https://api.example.com/tenant-7/v1';
  const other = 'https://api.example.com/tenant-8/v1';
  const entries = [
    { url: `${other}/nothing/1` },
    { url: `${root}/nothing/1` },
    { url: `${root}/pets` },
    { url: `${root}/nothing/2?key=x` },
    { url: `${root}x/nothing/3` },
  ].map((each, index) => entryOf({ at: index * 1_000, ...each }));
  for (const servers of [{}, { baseUrl: root }]) {
    const told: [string, number][] = [];
    await judge(entries, { servers, onUnlisted: (name, times) => told.push([name, times]) });
    expect(told).toEqual([
      ['GET /{}/v1/nothing/{}', 1],
      ['GET /{}/v1/nothing/{}', 1],
    ]);
  }
  const told: string[] = [];
  const servers = { baseUrl: root, second: other };
  await judge(entries, { servers, onUnlisted: (name) => told.push(name) });
  expect(told).toHaveLength(3);
});

test('each file says what was not judged, in one word for each kind', async () => {
  const { files } = await judge([
    entryOf({ at: 5 }),
    entryOf({ at: 1 }),
    { nothing: true },
    entryOf({ more: { _fromCache: 'memory' } }),
    entryOf({ status: 0 }),
    { ...entryOf({ at: 6 }), response: { ...entryOf().response, headers: [] } },
    { ...entryOf({ at: 7 }), response: { ...entryOf().response, content: { size: 90, text: '[' } } },
  ]);
  expect(files).toMatchObject([
    {
      entries: 7,
      judged: 3,
      omissions: {
        'out-of-order': 1,
        unreadable: 1,
        cached: 1,
        aborted: 1,
        'no-headers': 1,
        'body-missing': 1,
      },
    },
  ]);
});

test('what a browser records of pages is counted: images in the page, files, web sockets', async () => {
  const urls = ['data:image/png;base64,iVBORw0KGgo=', 'file:///v1/pets', 'wss://api.example.com/v1/pets'];
  const { servers, files } = await judge([
    entryOf(),
    ...urls.map((url) => entryOf({ url })),
    entryOf({ at: 9 }),
  ]);
  expect(servers).toEqual({ baseUrl: BASE });
  expect(files).toMatchObject([{ entries: 5, judged: 2, omissions: { 'other-server': 3 } }]);
});

test('a URL that was not written as it is sent is judged, and so are the others', async () => {
  const urls = ['https:/api.example.com/v1/pets', ` ${BASE}/pets`, 'https:\\\\api.example.com\\v1\\pets'];
  const { servers, files } = await judge([
    entryOf(),
    ...urls.map((url, index) => entryOf({ url, at: 1_000 * (index + 1) })),
  ]);
  expect(servers).toEqual({ baseUrl: BASE });
  expect(files).toMatchObject([{ entries: 4, judged: 4, omissions: {} }]);
});

test('of long headers only some are kept, and those that findings cite', async () => {
  const long = 'x'.repeat(1024 * 1024);
  const heads = Array.from({ length: 20 }, (): Said => ({ answer: { 'x-note': long } }));
  const bad = { ...list({ ...REX, id: '1' }), answer: { 'x-note': long } };
  const { exchanges, findings } = await said(...heads, bad);
  const cited = new Set(Object.values(findings).flatMap(({ evidence }) => evidence));
  const ids = exchanges.map(({ id }) => id);
  expect([...cited].filter((id) => !ids.includes(id))).toEqual([]);
  expect(ids.filter((id) => !cited.has(id)).length).toBeLessThanOrEqual(16);
  expect(findings['Pet.id']?.evidence).toEqual([21]);
});

test('of large bodies only some are kept, and those that findings cite', async () => {
  const large = 'x'.repeat(1024 * 1024);
  const bodies = Array.from({ length: 34 }, () => list({ ...REX, note: large }));
  const { exchanges, findings } = await said(...bodies, list({ ...REX, id: '1', note: large }));
  expect(exchanges).toHaveLength(35);
  const cited = new Set(Object.values(findings).flatMap(({ evidence }) => evidence));
  const [dropped, kept] = [true, false].map((isDropped) =>
    exchanges.filter(({ response }) => (response?.body === '') === isDropped).map(({ id }) => id),
  ) as [number[], number[]];
  expect(dropped.length).toBeGreaterThan(0);
  expect(dropped.filter((id) => cited.has(id))).toEqual([]);
  expect(kept.filter((id) => !cited.has(id)).length).toBeLessThanOrEqual(16);
  expect(findings['Pet.id']?.evidence).toEqual([35]);
});

test('two requests that control each other are judged', async () => {
  const refused: Said = {
    path: '/pets/1',
    status: 429,
    body: errorOf(429),
    answer: { 'retry-after': '54', 'x-ratelimit-remaining': '0' },
  };
  const missing: Said = { path: '/pets/99', status: 404, body: errorOf(404) };
  expect(violatedIn((await said(missing, refused)).findings)).toEqual([]);
  expect(violatedIn((await said({ ...missing, body: {} }, refused)).findings)).toEqual(['Error']);
});

test('a recording of nothing judges nothing', async () => {
  const { findings, files } = await judge([entryOf({ url: 'https://www.example.com/x' })]);
  expect(files).toMatchObject([{ judged: 0 }]);
  expect(Object.values(findings).filter(({ status }) => status !== 'not-tested')).toEqual([]);
});

test('a long recording is judged in parts, and what each shows counts', async () => {
  const wrong = entryOf({ at: 2_050, body: [{ ...REX, id: 'a' }] });
  const all = Array.from({ length: 2_100 }, (_, n) => (n === 2_050 ? wrong : entryOf({ at: n })));
  const { findings, files, exchanges } = await judge(all);
  expect(files).toMatchObject([{ entries: 2_100, judged: 2_100 }]);
  expect(violatedIn(findings)).toEqual(['Pet.id']);
  expect(findings['Pet.id']?.evidence).toEqual([2_051]);
  expect(exchanges.length).toBeLessThan(600);
  expect(exchanges.map(({ id }) => id)).toContain(2_051);
});

test.each<[string, Said]>([
  ...(isNightly ? [['long URLs', { path: `/pets?x=${'x'.repeat(1024 * 1024)}` }] as [string, Said]] : []),
  ['long headers', { answer: { 'x-long': 'x'.repeat(1024 * 1024) } }],
  ['many values', list({ ...REX, numbers: Array<number>(60_000).fill(0) })],
])('a part of a recording ends early if its exchanges have %s', (_what, each) => {
  const judgment = new RecordingJudgment(contract, [], { servers: {}, redact: [] });
  const parts = vi.spyOn(judgment, 'addPart');
  const file = new FileJudge('1.har', judgment);
  for (let index = 0; index < 34; index += 1) file.add(readLine(entryOf({ at: index, ...each })));
  expect(parts).toHaveBeenCalledOnce();
  file.close();
  expect(parts).toHaveBeenCalledTimes(2);
});
