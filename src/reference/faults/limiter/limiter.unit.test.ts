import { describe, expect, test } from 'vitest';
import { sampled } from '../../../../test/nightly/sampled.ts';
import type { Ask, Reply, Running } from '../../../../test/services/running-reference.ts';
import { running } from '../../../../test/services/running-reference.ts';
import type { PlanName } from '../../settings.ts';
import { limiterFaults } from '../index.ts';

const MESSAGE: Ask = { method: 'POST', body: '{"message":"x"}', messages: true };
const ADD: Ask = { method: 'POST', body: '{"name":"Rex","categoryId":1}' };

function using(id: string, use: (reference: Running) => Promise<void>, plan: PlanName = 'free') {
  const changes = limiterFaults.filter((fault) => fault.id === id);
  expect(changes.length).toBe(1);
  return running({ changes, plan }, use);
}

const remaining = (reply: Reply | undefined) => Number(reply?.headers['x-ratelimit-remaining']);
/** Seconds from the server's Date to Reset. */
const reset = ({ headers }: Reply) =>
  Number(headers['x-ratelimit-reset']) - Date.parse(headers.date ?? '') / 1000;

/** Sends a request until it gets 429. Returns all responses. */
async function exhaust({ ask }: Running, path = '/pets?limit=1', request: Ask = {}): Promise<Reply[]> {
  const replies: Reply[] = [];
  while (replies.at(-1)?.status !== 429 && replies.length < 400) replies.push(await ask(path, request));
  return replies;
}

type Row = [id: string, beyond: number, first: number, second: number, last: number, refused: number];

/** More requests than the limit, and Remaining of the first, the second, the last accepted and the refused one. */
const rows = (limit: number): Row[] => [
  ['late-by-two', 2, limit - 1, limit - 2, 0, 0],
  ['late-by-three', 3, limit - 1, limit - 2, 0, 0],
  ['late-first-three', 3, limit, limit, 0, 0],
  ['late-every-tenth', 6, limit - 1, limit - 2, 0, 0],
  ['late-refund', 10, limit - 1, limit - 2, 0, 0],
  ['late-limit-plus-one', 1, limit, limit - 1, 0, 0],
  ['early-by-one', -1, limit - 1, limit - 2, 1, 1],
  ['early-by-two', -2, limit - 1, limit - 2, 2, 0],
  ['remaining-one-high', 0, limit, limit - 1, 1, 1],
  ['remaining-two-high', 0, limit, limit, 2, 2],
  ['remaining-at-least-one', 0, limit - 1, limit - 2, 1, 1],
  ['remaining-tens', 0, limit, limit, 0, 0],
  ['remaining-every-tenth', 0, limit - 1, limit - 1, 9, 0],
  ['remaining-jumps', 0, limit - 1, limit - 2, 10, 0],
  ['remaining-by-two', 0, limit - 2, limit - 4, 0, 0],
  ['remaining-counts-up', 0, 0, 1, limit - 1, limit],
  // Each response takes 300 ms, so that only the free plan's requests fit into a minute.
  ...(limit === 60 ? ([['remaining-starts-one-less', -1, 58, 57, 0, 0]] satisfies Row[]) : []),
];

describe.each([
  ['free', 60],
  ['pro', 300],
] as const)('%s', (plan, limit) => {
  const tried = plan === 'free' ? rows(limit) : sampled(rows(limit), 4, ([id]) => id, 'late or early on pro');
  test.each(tried)('%s', async (id, beyond, first, second, last, refused) => {
    await using(
      id,
      async (reference) => {
        const replies = await exhaust(reference);
        expect(replies.length - 1).toBe(limit + beyond);
        const told = [replies[0], replies[1], replies.at(-2), replies.at(-1)].map(remaining);
        expect(told).toEqual([first, second, last, refused]);
      },
      plan,
    );
  });

  test.each([
    ['reopened-half', limit / 2 - 1, limit / 2 - 2],
    ['reopened-uncounted', limit, limit],
    ['reopened-old-reset', limit - 1, limit - 2],
    ['remaining-starts-one-less', limit - 2, limit - 3],
  ])('%s: the second window', async (id, first, second) => {
    await using(
      id,
      async (reference) => {
        await exhaust(reference);
        await reference.clock.sleep(60_000);
        const replies = [await reference.ask('/pets'), await reference.ask('/pets')];
        expect(replies.map(({ status }) => status)).toEqual([200, 200]);
        expect(replies.map(remaining)).toEqual([first, second]);
      },
      plan,
    );
  });
});

test.each(['sliding-log', 'sliding-counter', 'token-bucket', 'gcra'])('one late: %s', async (algorithm) => {
  await using(`late-by-one-${algorithm}`, async (reference) => {
    const replies = await exhaust(reference);
    expect(replies.length - 1).toBe(61);
    expect(replies.map(({ headers }) => headers['x-ratelimit-limit'])).toEqual(Array(62).fill('60'));
    expect(remaining(replies[58])).toBeLessThanOrEqual(1);
  });
});

test('after a 429, Reset stays that of the old window', async () => {
  await using('reopened-old-reset', async (reference) => {
    await exhaust(reference);
    await reference.clock.sleep(60_000);
    expect(reset(await reference.ask('/pets'))).toBe(0);
  });
});

test.each<[id: string, path: string, other: string, headers: Record<string, string>, told: number]>([
  ['late-per-forwarded', '/pets', '/pets', { 'x-forwarded-for': '192.0.2.1' }, 59],
  ['late-per-target', '/pets?limit=1', '/pets?%6Cimit=1', {}, 59],
  ['late-per-target-told-by-key', '/pets?limit=1', '/pets?limit=2', {}, 0],
  ['late-per-spelling', '/pets?limit=1', '/pets?%6Cimit=1', {}, 59],
])('%s', async (id, path, other, headers, told) => {
  await using(id, async (reference) => {
    expect((await exhaust(reference, path)).map(({ status }) => status)).toEqual([
      ...Array(60).fill(200),
      429,
    ]);
    const through = await reference.ask(other, { headers });
    expect(through.status).toBe(200);
    expect(remaining(through)).toBe(told);
  });
});

test('a spelling without needless escapes has no count of its own', async () => {
  await using('late-per-spelling', async (reference) => {
    await exhaust(reference, '/pets?limit=1');
    expect((await reference.ask('/pets?limit=2&x=%20%2F')).status).toBe(429);
  });
});

test('additions: counted in Remaining only, or refused after eight', async () => {
  await using('late-additions', async (reference) => {
    for (let n = 0; n < 5; n++) await reference.ask('/pets', ADD);
    const replies = await exhaust(reference);
    expect(replies.length - 1).toBe(60);
    expect([replies[0], replies[54], replies[59]].map(remaining)).toEqual([54, 0, 0]);
    expect((await reference.ask('/pets', ADD)).status).toBe(201);
  });
  await using('early-additions', async (reference) => {
    const replies = await exhaust(reference, '/pets', ADD);
    expect(replies.length - 1).toBe(8);
    expect(remaining(replies.at(-1))).toBe(51);
    expect((await reference.ask('/pets')).status).toBe(200);
  });
  await using('early-told-per-operation', async (reference) => {
    for (let n = 0; n < 5; n++) await reference.ask('/pets', ADD);
    const replies = await exhaust(reference);
    expect(replies.length - 1).toBe(55);
    expect([replies[0], replies[54]].map(remaining)).toEqual([59, 5]);
  });
});

test('two counts that should be one', async () => {
  await using('early-additions-cost-five', async (reference) => {
    for (let n = 0; n < 3; n++) await reference.ask('/pets', ADD);
    const replies = await exhaust(reference);
    expect(replies.length - 1).toBe(45);
    expect([replies[0], replies[44], replies[45]].map(remaining)).toEqual([56, 12, 11]);
  });
  await using('late-404', async (reference) => {
    for (let n = 0; n < 4; n++) expect((await reference.ask('/pets/1')).status).toBe(404);
    const replies = await exhaust(reference);
    expect(replies.length - 1).toBe(60);
    expect([replies[0], replies[55], replies[59]].map(remaining)).toEqual([55, 0, 0]);
  });
  await using('late-two-nodes', async (reference) => {
    const replies = await exhaust(reference);
    expect(replies.length - 1).toBe(120);
    expect(replies.slice(0, 4).map(remaining)).toEqual([59, 59, 58, 58]);
  });
  await using('late-refund-fetched', async (reference) => {
    const told = [];
    for (const path of ['/pets', '/pets/1001', '/pets', '/pets/1', '/pets'])
      told.push(remaining(await reference.ask(path)));
    expect(told).toEqual([59, 58, 58, 57, 56]);
  });
});

test('Remaining is wrong on some responses', async () => {
  const told: Record<string, number[]> = {};
  for (const id of [
    'remaining-whole-after-401',
    'remaining-whole-after-message',
    'remaining-whole-404',
    'remaining-whole-400',
  ])
    await using(id, async ({ ask }) => {
      await ask('/pets');
      const replies = [
        await ask('/pets/1'),
        await ask('/pets', { ...ADD, body: '{}' }),
        await ask('/pets', ADD),
        await ask('/pets'),
      ];
      await ask('/messages', MESSAGE);
      replies.push(await ask('/pets'));
      await ask('/pets', { key: null });
      replies.push(await ask('/pets'), await ask('/pets'));
      told[id] = replies.map(remaining);
    });
  expect(told).toEqual({
    'remaining-whole-after-401': [58, 57, 56, 55, 54, 60, 52],
    'remaining-whole-after-message': [58, 57, 56, 55, 60, 53, 52],
    'remaining-whole-404': [60, 57, 56, 55, 54, 53, 52],
    'remaining-whole-400': [58, 60, 56, 55, 54, 53, 52],
  });
});

test('Reset and Retry-After, 15 seconds into a window', async () => {
  const told: Record<string, [added: number, listed: number, refused: number, retryAfter: string]> = {};
  for (const id of [
    'reset-20-late',
    'reset-alternates',
    'reset-later-created',
    'reset-later-429',
    'reset-midnight',
    'reset-next-at-zero',
    'retry-after-tens',
    'retry-after-elapsed',
  ])
    await using(id, async (reference) => {
      await reference.clock.sleep(15_000);
      const added = await reference.ask('/pets', ADD);
      const replies = await exhaust(reference);
      const [listed, refused] = [replies[0] as Reply, replies.at(-1) as Reply];
      told[id] = [reset(added), reset(listed), reset(refused), refused.headers['retry-after'] ?? ''];
    });
  expect(told).toEqual({
    'reset-20-late': [65, 65, 65, '45'],
    'reset-alternates': [55, 45, 55, '45'],
    'reset-later-created': [75, 45, 45, '45'],
    'reset-later-429': [45, 45, 75, '45'],
    'reset-midnight': [43_185, 43_185, 43_185, '45'],
    'reset-next-at-zero': [45, 45, 105, '45'],
    'retry-after-tens': [45, 45, 45, '40'],
    'retry-after-elapsed': [45, 45, 45, '16'],
  });
  await using('reset-in-a-minute', async ({ ask, clock }) => {
    expect(reset(await ask('/pets'))).toBe(60);
    await clock.sleep(30_000);
    // Date is rounded down, Reset up.
    expect(reset(await ask('/pets'))).toBe(61);
  });
  await using('retry-after-fives', async (reference) => {
    await reference.clock.sleep(17_000);
    expect((await exhaust(reference)).at(-1)?.headers['retry-after']).toBe('40');
  });
});
