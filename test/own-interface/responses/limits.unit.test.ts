import { expect, test } from 'vitest';
import { run, VirtualClock } from '../../../src/index.ts';
import type { RateLimit } from '../../../src/model/exchange.ts';
import { readAnyRateLimit } from '../../../src/model/limits/rate-limit.ts';
import { startRecorded } from '../recorded/recorded.ts';
import { shelvesFolder } from '../writing/shelves.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const at = (seconds: number) => NOW / 1000 + seconds;
const limited = { limit: 100, remaining: 7, reset: at(30) };

// draft-ietf-httpapi-ratelimit-headers 10, 07 and 06, and what services send that follow no document.
const DIALECTS: [what: string, headers: Record<string, string>, rate: RateLimit][] = [
  [
    'RateLimit and its policy',
    { RateLimit: '"default";r=7;t=30', 'RateLimit-Policy': '"default";q=100;w=60' },
    limited,
  ],
  [
    'the tightest of two policies',
    {
      RateLimit: '"day";r=900;t=9000, "minute";r=7;t=30',
      'RateLimit-Policy': '"day";q=1000;w=86400, "minute";q=100;w=60',
    },
    limited,
  ],
  ['RateLimit without a policy', { RateLimit: '"default";r=7;t=30' }, { remaining: 7, reset: at(30) }],
  ['RateLimit of draft 07', { RateLimit: 'limit=100, remaining=7, reset=30' }, limited],
  [
    'one header each',
    { 'RateLimit-Limit': '100', 'RateLimit-Remaining': '7', 'RateLimit-Reset': '30' },
    limited,
  ],
  [
    'a limit with its window',
    { 'RateLimit-Limit': '100, 100;w=60', 'RateLimit-Remaining': '7', 'RateLimit-Reset': '30' },
    limited,
  ],
  [
    'X-RateLimit with a time',
    { 'X-RateLimit-Limit': '100', 'X-RateLimit-Remaining': '7', 'X-RateLimit-Reset': String(at(30)) },
    limited,
  ],
  [
    'X-RateLimit with a time in ms',
    { 'X-RateLimit-Limit': '100', 'X-RateLimit-Remaining': '7', 'X-RateLimit-Reset': String(at(30) * 1000) },
    limited,
  ],
  [
    'X-RateLimit with seconds to go',
    { 'X-RateLimit-Limit': '100', 'X-RateLimit-Remaining': '7', 'X-RateLimit-Reset': '30' },
    limited,
  ],
  [
    'X-Rate-Limit',
    { 'X-Rate-Limit-Limit': '100', 'X-Rate-Limit-Remaining': '7', 'X-Rate-Limit-Reset': '30' },
    limited,
  ],
  ['Retry-After alone', { 'Retry-After': '12' }, { retryAfter: 12 }],
  ['texts in place of numbers', { 'RateLimit-Limit': 'many', 'X-RateLimit-Remaining': '1.5' }, {}],
  ['a damaged structured field', { RateLimit: '"default;r=7' }, {}],
  ['nothing', {}, {}],
];

test.each(DIALECTS)('%s is read', (_, headers, rate) => {
  expect(readAnyRateLimit(Object.entries(headers), NOW)).toEqual(rate);
});

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Limited', version: '1' },
  paths: {
    '/things': {
      get: {
        operationId: 'list',
        responses: {
          200: { description: 'x', content: { 'application/json': { schema: { type: 'array' } } } },
          429: { description: 'x' },
        },
      },
    },
  },
};

/** A service that lets so many requests through in each minute, and says so in this dialect. */
async function startLimited(
  limit: number,
  headersOf: (left: number, reset: number) => Record<string, string>,
) {
  const clock = new VirtualClock(NOW);
  let window = { ends: 0, used: 0 };
  const service = await startRecorded(() => {
    if (clock.now() >= window.ends) window = { ends: clock.now() + 60_000, used: 0 };
    window.used += 1;
    const reset = Math.ceil((window.ends - clock.now()) / 1000);
    const headers = {
      Date: new Date(clock.now()).toUTCString(),
      ...headersOf(Math.max(0, limit - window.used), reset),
    };
    if (window.used <= limit) return { status: 200, value: [], headers };
    return { status: 429, headers: { ...headers, 'Retry-After': String(reset) } };
  });
  return { ...service, clock };
}

const SPOKEN: [what: string, headersOf: (left: number, reset: number) => Record<string, string>][] = [
  [
    'RateLimit',
    (left, reset) => ({ RateLimit: `"m";r=${left};t=${reset}`, 'RateLimit-Policy': '"m";q=30;w=60' }),
  ],
  [
    'RateLimit-Limit',
    (left, reset) => ({
      'RateLimit-Limit': '30',
      'RateLimit-Remaining': `${left}`,
      'RateLimit-Reset': `${reset}`,
    }),
  ],
  [
    'X-RateLimit-Limit and seconds to go',
    (left, reset) => ({
      'X-RateLimit-Limit': '30',
      'X-RateLimit-Remaining': `${left}`,
      'X-RateLimit-Reset': `${reset}`,
    }),
  ],
];

test.each(SPOKEN)('a stated limit is used up and recovers: %s', async (_, headersOf) => {
  const { baseUrl, clock, asked } = await startLimited(30, headersOf);
  const report = await run({
    baseUrl,
    clock,
    interface: shelvesFolder({}, DOCUMENT),
    limits: { minute: 30 },
  });
  const status = (wanted: string) => report.requirements.find(({ id }) => id === wanted)?.status;
  expect([report.verdict, status('rate-limit.enforced'), status('rate-limit.recovery')]).toEqual([
    'conformant',
    'met',
    'met',
  ]);
  expect(asked).toHaveLength(32);
});

test('a stated limit that the headers contradict is named with what they say', async () => {
  const [, , [, headersOf] = []] = SPOKEN;
  const { baseUrl, clock } = await startLimited(30, headersOf ?? (() => ({})));
  const settings = { baseUrl, clock, interface: shelvesFolder({}, DOCUMENT), limits: { minute: 20 } };
  const report = await run(settings);
  expect(report.because).toBe(
    '1 requirement could not be tested: the stated limit is 20, and the headers say 30',
  );
  const ids = new Set(report.requirements.map(({ id }) => id));
  expect(report.requirements.filter(({ cause }) => cause !== undefined && !ids.has(cause))).toEqual([]);
});

test('a limit that is not enforced is found', async () => {
  const [, [, headersOf] = []] = SPOKEN;
  const { baseUrl, clock } = await startLimited(
    300,
    (left, reset) => headersOf?.(Math.max(0, left - 270), reset) ?? {},
  );
  const settings = { baseUrl, clock, interface: shelvesFolder({}, DOCUMENT), limits: { minute: 30 } };
  const report = await run(settings);
  const violated = report.requirements.filter(({ status }) => status === 'violated').map(({ id }) => id);
  expect(violated).toEqual(['rate-limit.enforced']);
});

test('without a stated limit nothing is used up; plans are those of requirements.yaml', async () => {
  const [[, headersOf] = []] = SPOKEN;
  const plans = 'plans: { small: { minute: 30 } }\nrequirements: []\n';
  const without = await startLimited(30, headersOf ?? (() => ({})));
  const folder = shelvesFolder({ 'requirements.yaml': plans }, DOCUMENT);
  const report = await run({ baseUrl: without.baseUrl, clock: without.clock, interface: folder });
  expect([report.verdict, without.asked.length]).toEqual(['conformant', 1]);
  expect(report.narrowed.map(({ option }) => option)).toEqual(['no --limit']);
  const planned = await startLimited(30, headersOf ?? (() => ({})));
  await run({ baseUrl: planned.baseUrl, clock: planned.clock, interface: folder, plan: 'small' });
  expect(planned.asked).toHaveLength(32);
});

test('a limit is refused where the document has no 429', async () => {
  const settings = { baseUrl: 'http://127.0.0.1:1', interface: shelvesFolder(), limits: { minute: 30 } };
  await expect(run(settings)).rejects.toThrow("'limits': the interface documents no 429");
});

test('a Retry-After of two seconds is waited, and no minute', async () => {
  const clock = new VirtualClock(NOW);
  let window = { ends: 0, used: 0 };
  const { baseUrl } = await startRecorded(() => {
    if (clock.now() >= window.ends) window = { ends: clock.now() + 2_000, used: 0 };
    window.used += 1;
    if (window.used <= 3) return { status: 200, value: [] };
    return { status: 429, headers: { 'Retry-After': '2' } };
  });
  const { '/things': things } = DOCUMENT.paths;
  const paths = Object.fromEntries(
    [1, 2, 3, 4, 5, 6, 7, 8].map((number) => [
      `/things/${number}`,
      { get: { ...things.get, operationId: `list${number}` } },
    ]),
  );
  const report = await run({ baseUrl, clock, interface: shelvesFolder({}, { ...DOCUMENT, paths }) });
  expect(report.verdict).toBe('conformant');
  expect(clock.now() - NOW).toBeLessThan(12_000);
});
