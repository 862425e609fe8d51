import { expect, test } from 'vitest';
import { run, VirtualClock } from '../../../src/index.ts';
import { startRecorded } from '../recorded/recorded.ts';
import { shelvesFolder } from '../writing/shelves.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const MINUTE_MS = 60_000;
const TO_MIDNIGHT_S = 12 * 3_600;

const list = (operationId: string) => ({
  get: {
    operationId,
    parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 9 } }],
    responses: {
      200: { description: 'x', content: { 'application/json': { schema: { type: 'array' } } } },
      400: { description: 'x' },
      429: { description: 'x' },
    },
  },
});

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Limited', version: '1' },
  paths: { '/books': list('listBooks'), '/authors': list('listAuthors') },
};

interface Counted {
  path: string;
  /** Requests of the minute, and of all time, with this one. */
  ofMinute: number;
  ofAll: number;
  /** Seconds until the minute ends. */
  reset: number;
}

/** A service that counts its requests for each path or for all of them. */
async function startCounting(
  answer: (counted: Counted) => { status: number; headers: Record<string, string> },
  isByPath = false,
) {
  const clock = new VirtualClock(NOW);
  const counts = new Map<string, { ends: number; ofMinute: number; ofAll: number }>();
  const { baseUrl } = await startRecorded(({ path: target }) => {
    const path = decodeURIComponent(new URL(target, 'http://x').pathname);
    const key = isByPath ? path : '';
    const known = counts.get(key) ?? { ends: 0, ofMinute: 0, ofAll: 0 };
    const isOver = clock.now() >= known.ends;
    const count = {
      ends: isOver ? clock.now() + MINUTE_MS : known.ends,
      ofMinute: (isOver ? 0 : known.ofMinute) + 1,
      ofAll: known.ofAll + 1,
    };
    counts.set(key, count);
    const { status, headers } = answer({
      path,
      reset: Math.ceil((count.ends - clock.now()) / 1_000),
      ...count,
    });
    const date = new Date(clock.now()).toUTCString();
    return { status, headers: { Date: date, ...headers }, ...(status === 200 ? { value: [] } : {}) };
  });
  const settings = { baseUrl, clock, interface: shelvesFolder({}, DOCUMENT) };
  return (minute: number) => run({ ...settings, limits: { minute } });
}

const headersOf = (limit: number, used: number, reset: number) => ({
  'RateLimit-Limit': `${limit}`,
  'RateLimit-Remaining': `${Math.max(0, limit - used)}`,
  'RateLimit-Reset': `${reset}`,
});

function statusesIn({ requirements }: Awaited<ReturnType<typeof run>>) {
  return Object.fromEntries(requirements.map(({ id, status }) => [id, status]));
}

test.each([
  ['more than both', 22, 'violated'],
  ['fewer than the headers say', 200, 'not-tested'],
  ['fewer than the user stated', 10, 'not-tested'],
] as const)(
  'the headers contradict a stated limit that is not enforced: %s are let through',
  async (_, told, status) => {
    const judge = await startCounting(({ ofMinute, reset }) => ({
      status: 200,
      headers: headersOf(told, ofMinute, reset),
    }));
    expect(statusesIn(await judge(20))).toMatchObject({ 'rate-limit.enforced': status });
  },
);

test('an operation with a limit of its own, larger than the stated one, is not held against it', async () => {
  const judge = await startCounting(
    ({ ofMinute, reset }) => ({ status: ofMinute > 30 ? 429 : 200, headers: headersOf(30, ofMinute, reset) }),
    true,
  );
  expect(statusesIn(await judge(20))).not.toMatchObject({ 'rate-limit.enforced': 'violated' });
});

test('the operation that the limit refused has to recover, although the headers of the day have room', async () => {
  let isRefused = false;
  const judge = await startCounting(({ path, ofMinute, ofAll }) => {
    const headers = headersOf(5_000, ofAll, TO_MIDNIGHT_S);
    if (path !== '/books' || (!isRefused && ofMinute <= 60)) return { status: 200, headers };
    isRefused = true;
    return { status: 429, headers: { ...headers, 'Retry-After': '5' } };
  }, true);
  expect(statusesIn(await judge(60))).toMatchObject({
    'rate-limit.enforced': 'met',
    'rate-limit.recovery': 'advisory',
  });
});

test('a read that fails below the limit leaves it to another one', async () => {
  const judge = await startCounting(({ path, ofMinute, reset }) => ({
    status: path === '/books' && ofMinute > 40 ? 500 : 200,
    headers: headersOf(60, ofMinute, reset),
  }));
  expect(statusesIn(await judge(60))).toMatchObject({
    'rate-limit.enforced': 'violated',
    'listBooks.200': 'violated',
  });
});
