import { expect, test } from 'vitest';
import { sampled } from '../../../../test/nightly/sampled.ts';
import type { Reply, Running } from '../../../../test/services/running-reference.ts';
import { KEY, running } from '../../../../test/services/running-reference.ts';
import { limiterVariants } from '../index.ts';

const variantOf = (id: string) => limiterVariants.filter((variant) => variant.id === id);

test('ids are unique, and everything is described', () => {
  const ids = limiterVariants.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).not.toEqual([]);
  const isVague = ({ summary, freedom }: (typeof limiterVariants)[number]) =>
    /undefined|\n/.test(`${summary}${freedom}`);
  expect(limiterVariants.filter(isVague)).toEqual([]);
});

/** Milliseconds until Retry-After, by the server's own Date. */
function wait({ headers }: Reply): number {
  const value = headers['retry-after'] ?? '';
  return /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.parse(headers.date ?? '');
}

const REQUESTS = [
  { path: '/pets?limit=1' },
  { path: '/pets', method: 'POST', body: '{"name":"Rex","categoryId":1}' },
  { path: '/messages', method: 'POST', body: '{"message":"x"}', messages: true },
];

const ANY = Number.POSITIVE_INFINITY;
/** More than any of the limits lets through. */
const MOST = 80;
/** How many lists, additions and messages are allowed before the first 429, unless it is 60 of each. */
const PASSED: Record<string, number[]> = {
  'covers-list': [60, ANY, ANY],
  'cached-lists-free': [ANY, 60, 60],
  'cached-free': [ANY, 60, 60],
  'cached-lists-briefly': [ANY, 60, 60],
  'covers-create': [ANY, 60, ANY],
  'covers-all-but-list': [ANY, 60, 60],
  'covers-animals': [60, 60, ANY],
  'covers-orders': [ANY, ANY, ANY],
  'escapes-unknown-orders': [ANY, ANY, ANY],
  'five-left': [5, 5, 5],
  'five-left-sliding': [5, 5, 5],
  'none-left': [0, 0, 0],
  'none-left-bucket': [0, 0, 0],
  'covers-list-bucket': [60, ANY, ANY],
  'cached-lists-free-sliding': [ANY, 60, 60],
  'five-left-first-request': [5, 5, 5],
  'five-left-gcra': [5, 5, 5],
  'write-costs-five': [60, 12, 12],
  'list-costs-two': [30, 60, 60],
  'list-costs-nine-whole': [6, 60, 60],
  'list-costs-five-rest': [12, 60, 60],
  'list-costs-five-none': [12, 60, 60],
  'counts-401-weights': [30, 12, 60],
  'counts-401-weights-bucket': [60, 20, 60],
  'write-costs-five-whole': [60, 12, 12],
  burst: [70, 70, 70],
  upgraded: [ANY, ANY, ANY],
  // Of five requests, two are ours.
  'shared-key-by-request': [24, 24, 24],
  'covers-messages': [ANY, ANY, 60],
  'covers-messages-bucket': [ANY, ANY, 60],
  'covers-writes': [ANY, 60, 60],
  'covers-list-costs-two': [30, ANY, ANY],
  'animals-cost-two': [30, 30, 60],
  'all-but-orders-cost-two': [30, 30, 30],
  'day-used-up': [54, 54, 54],
};

/** Sends one kind of request until it gets 429, then once more after Retry-After. Returns how many were allowed. */
async function exhaust(
  { ask, clock }: Running,
  { path, ...rest }: (typeof REQUESTS)[number],
): Promise<number> {
  for (let passed = 0; passed < MOST; passed++) {
    const reply = await ask(path, rest);
    expect(reply.headers['x-ratelimit-remaining']).toMatch(/^\d+$/);
    if (reply.status < 300) continue;
    expect(reply.status).toBe(429);
    expect(wait(reply)).toBeGreaterThan(0);
    await clock.sleep(wait(reply) + 1000);
    expect((await ask(path, rest)).status).toBeLessThan(300);
    return passed;
  }
  return ANY;
}

/** The variants that let through more or fewer requests than the reference, and some of the others. */
const usual = limiterVariants.filter(({ id }) => PASSED[id] === undefined);
const tried = [
  ...limiterVariants.filter(({ id }) => PASSED[id] !== undefined),
  ...sampled(usual, 6, ({ id }) => id, 'how many pass'),
];

test.each(tried.map((variant) => [variant.id, variant] as const))('%s', async (id, variant) => {
  const passed: number[] = [];
  for (const request of REQUESTS)
    await running({ changes: [variant] }, async (reference) => {
      passed.push(await exhaust(reference, request));
    });
  expect(passed).toEqual(PASSED[id] ?? [60, 60, 60]);
});

test('the message address has its own count or a shared one', async () => {
  const left = async (id: string) => {
    let remaining = '';
    await running({ changes: variantOf(id) }, async ({ ask }) => {
      for (let n = 0; n < 3; n++) await ask('/pets');
      const sent = await ask('/messages', { method: 'POST', body: '{"message":"x"}', messages: true });
      remaining = sent.headers['x-ratelimit-remaining'] ?? '';
    });
    return remaining;
  };
  expect(await left('messages-shared')).toBe('56');
  expect(await left('messages-separate')).toBe('59');
});

test('each operation has its own count, and the headers change from minute to day', async () => {
  await running({ changes: variantOf('per-operation') }, async ({ ask }) => {
    await ask('/pets');
    expect((await ask('/pets/1001')).headers['x-ratelimit-remaining']).toBe('59');
    expect((await ask('/pets')).headers['x-ratelimit-remaining']).toBe('58');
  });
  await running({ changes: variantOf('reads-and-writes-shared') }, async ({ ask }) => {
    const body = '{"message":"x"}';
    await ask('/pets');
    await ask('/messages', { method: 'POST', body, messages: true });
    const added = await ask('/pets', { method: 'POST', body: '{"name":"Rex","categoryId":1}' });
    expect(added.headers['x-ratelimit-remaining']).toBe('58');
    expect((await ask('/store/orders')).headers['x-ratelimit-remaining']).toBe('58');
  });
  await running({ changes: variantOf('list-apart') }, async ({ ask }) => {
    await ask('/pets');
    expect((await ask('/pets/1001')).headers['x-ratelimit-remaining']).toBe('59');
    expect((await ask('/store/orders')).headers['x-ratelimit-remaining']).toBe('58');
  });
  await running({ changes: variantOf('headers-turn-to-day') }, async ({ ask, clock }) => {
    for (let n = 0; n < 60; n++) expect((await ask('/pets')).headers['x-ratelimit-limit']).toBe('60');
    await clock.sleep(60_000);
    expect((await ask('/pets')).headers).toMatchObject({
      'x-ratelimit-limit': '1000',
      'x-ratelimit-remaining': '39',
    });
  });
});

test('401s and 4xx: what counts', async () => {
  const left = async (id: string, refused: { key?: string; path: string }) => {
    let remaining = '';
    await running({ changes: variantOf(id) }, async ({ ask }) => {
      for (let n = 0; n < 3; n++) await ask(refused.path, refused);
      remaining = (await ask('/pets')).headers['x-ratelimit-remaining'] ?? '';
    });
    return remaining;
  };
  expect(await left('counts-401', { path: '/pets', key: 'Bearer x' })).toBe('56');
  expect(await left('messages-separate', { path: '/pets', key: 'Bearer x' })).toBe('59');
  expect(await left('4xx-free', { path: '/pets/1', key: `Bearer ${KEY}` })).toBe('59');
  expect(await left('messages-separate', { path: '/pets/1' })).toBe('56');
});

test.each(['4xx-given-back', '4xx-given-back-first-request', '4xx-given-back-sliding'])(
  '%s: a 4xx shows itself in Remaining, and the next request does not miss it',
  async (id) => {
    await running({ changes: variantOf(id) }, async ({ ask, clock }) => {
      const remaining = async (path: string) => (await ask(path)).headers['x-ratelimit-remaining'];
      expect(await remaining('/pets')).toBe('59');
      expect(await remaining('/pets/1')).toBe('58');
      expect(await remaining('/pets/1')).toBe('58');
      expect(await remaining('/pets')).toBe('58');
      await clock.sleep(60_000);
      expect(await remaining('/pets/1')).toBe('59');
      expect(await remaining('/pets')).toBe('59');
    });
  },
);
