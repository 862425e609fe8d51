import { expect, test } from 'vitest';
import type { Ask, Reply, Running } from '../../../../test/services/running-reference.ts';
import { running } from '../../../../test/services/running-reference.ts';
import type { PlanName } from '../../settings.ts';
import { limiterVariants } from '../index.ts';
import { createNodes } from './counts.ts';

const using = (id: string, use: (reference: Running) => Promise<void>, plan: PlanName = 'free') =>
  running({ changes: limiterVariants.filter((variant) => variant.id === id), plan }, use);

const remaining = ({ headers }: Reply) => Number(headers['x-ratelimit-remaining']);
const limit = ({ headers }: Reply) => Number(headers['x-ratelimit-limit']);
const burst = ({ headers }: Reply) => Number(headers['x-ratelimit-burst']);

const ADD: Ask = { method: 'POST', body: '{"name":"Rex","categoryId":1}' };

/** Sends `count` requests, one after the other. */
async function send({ ask }: Running, count: number, request: Ask = {}): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (let n = 0; n < count; n++) replies.push(await ask('/pets?limit=1', request));
  return replies;
}

/** From `first` down to `last`, both included. */
const down = (first: number, last: number) =>
  Array.from({ length: first - last + 1 }, (_, index) => first - index);
const repeated = (value: number, count: number) => Array<number>(count).fill(value);

test.each([
  ['free', 60],
  ['pro', 300],
  ['business', 1000],
] as const)('%s: two nodes tell too much at first, never let through too much', async (plan, most) => {
  await using(
    'two-nodes',
    async (reference) => {
      const replies = await send(reference, most + 2);
      expect(replies.map(({ status }) => status)).toEqual([...repeated(200, most), 429, 429]);
      expect(replies.slice(0, 4).map(remaining)).toEqual([most - 1, most - 1, most - 2, most - 2]);
      // The eighth request of the first node, after seven of the second; then the second's.
      expect(replies.slice(13, 16).map(remaining)).toEqual([most - 7, most - 15, most - 16]);
      expect(replies.slice(-10).map(remaining)).toEqual([...down(7, 0), 0, 0]);
      await reference.clock.sleep(60_000);
      expect((await send(reference, 3)).map(remaining)).toEqual([most - 1, most - 1, most - 2]);
    },
    plan,
  );
});

test.each([
  ['free', 60],
  ['pro', 300],
] as const)('%s: a burst is announced, and used only when Remaining is 0', async (plan, most) => {
  await using(
    'burst',
    async (reference) => {
      expect(burst(await reference.ask('/pets', { key: null }))).toBe(10);
      const replies = await send(reference, most + 12);
      expect(replies.map(({ status }) => status)).toEqual([...repeated(200, most + 10), 429, 429]);
      expect(replies.map(remaining)).toEqual([...down(most - 1, 0), ...repeated(0, 12)]);
      expect(replies.map(burst)).toEqual([...repeated(10, most), ...down(9, 0), 0, 0]);
      await reference.clock.sleep(60_000);
      const [reopened] = await send(reference, 1);
      expect(reopened).toMatchObject({ status: 200, headers: { 'x-ratelimit-burst': '10' } });
    },
    plan,
  );
});

test('a frozen Remaining is read again after a second, and when a window begins', async () => {
  await using('remaining-frozen', async (reference) => {
    const { clock } = reference;
    const told = async (count: number) => [...new Set((await send(reference, count)).map(remaining))];
    expect(await told(5)).toEqual([59]);
    await clock.sleep(900);
    expect(await told(2)).toEqual([59]);
    await clock.sleep(100);
    expect(await told(2)).toEqual([52]);
    const rest = await send(reference, 53);
    expect(rest.map(({ status }) => status)).toEqual([...repeated(200, 51), 429, 429]);
    expect(rest.map(remaining)).toEqual([...repeated(52, 51), 0, 0]);
    await clock.sleep(59_000);
    expect(await told(2)).toEqual([59]);
  });
});

test('a weight is subtracted from Remaining; with fewer left, one more request is let through', async () => {
  await using('write-costs-five', async (reference) => {
    const messages = { method: 'POST', body: '{"message":"x"}', messages: true };
    expect(remaining(await reference.ask('/messages', messages))).toBe(55);
    expect((await send(reference, 2)).map(remaining)).toEqual([59, 58]);
    const replies = await send(reference, 13, ADD);
    expect(replies.map(({ status }) => status)).toEqual([...repeated(201, 12), 429]);
    expect(replies.map(remaining)).toEqual([53, 48, 43, 38, 33, 28, 23, 18, 13, 8, 3, 0, 0]);
  });
  await using('list-costs-two', async (reference) => {
    expect((await send(reference, 1, ADD)).map(remaining)).toEqual([59]);
    expect((await send(reference, 3)).map(remaining)).toEqual([57, 55, 53]);
  });
});

test.each([
  ['free', 60, 300],
  ['pro', 300, 1000],
  ['business', 1000, 2000],
] as const)('%s: an upgrade raises the limit and keeps what was used', async (plan, before, after) => {
  await using(
    'upgraded',
    async (reference) => {
      const replies = await send(reference, 22);
      expect(replies.map(limit)).toEqual([...repeated(before, 20), after, after]);
      expect(replies.map(remaining)).toEqual([...down(before - 1, before - 20), after - 21, after - 22]);
      const rest = await send(reference, after - 22 + 1);
      expect(rest.filter(({ status }) => status === 429).length).toBe(1);
      expect(rest.slice(-2).map(remaining)).toEqual([0, 0]);
    },
    plan,
  );
});

test('Remaining is rounded up: a refusal may say that one remains', async () => {
  await using('remaining-up-bucket', async (reference) => {
    const replies = await send(reference, 61);
    expect(replies.map(({ status }) => status)).toEqual([...repeated(200, 60), 429]);
    // With each request pass a few milliseconds, which bring less than a tenth of a token.
    expect(replies.map(remaining)).toEqual([59, ...down(59, 1), 1]);
  });
});

test('Remaining is rounded up, but a refusal says that none are left', async () => {
  await using('remaining-up-bucket-none', async (reference) => {
    const replies = await send(reference, 61);
    expect(replies.map(remaining)).toEqual([59, ...down(59, 1), 0]);
  });
});

test('Retry-After is longer than needed, and Reset is a fixed time ahead', async () => {
  const waits: Record<string, string | undefined> = {};
  const resets: Record<string, number> = {};
  for (const id of [
    'retry-after-longer',
    'retry-after-longer-bucket',
    'reset-in-a-minute-bucket',
    'reset-full-minute-sliding-counter',
  ])
    await using(id, async (reference) => {
      await reference.clock.sleep(10_000);
      const { headers } = (await send(reference, 61)).at(-1) ?? { headers: {} as Reply['headers'] };
      waits[id] = headers['retry-after'];
      resets[id] = Number(headers['x-ratelimit-reset']) - Date.parse(headers.date ?? '') / 1000;
    });
  expect(waits).toMatchObject({ 'retry-after-longer': '70', 'retry-after-longer-bucket': '21' });
  expect(resets).toMatchObject({
    'retry-after-longer': 50,
    // Date is rounded down, Reset up.
    'reset-in-a-minute-bucket': 61,
    'reset-full-minute-sliding-counter': 50,
  });
});

const told = (limit: number, count: number) => {
  const next = createNodes(limit);
  return Array.from({ length: count }, next);
};

test('two nodes count apart, and each learns what the other counted with every eighth request', () => {
  expect(told(100, 20)).toEqual([
    // Neither knows of the other.
    ...[99, 99, 98, 98, 97, 97, 96, 96, 95, 95, 94, 94, 93, 93],
    // With its eighth request, the first node learns of seven, and the second of eight.
    ...[85, 84, 84, 83, 83, 82],
  ]);
});

test('never less than what remains; never much more; exact near the end', () => {
  for (const limit of [60, 300, 1000]) {
    const ahead = told(limit, limit).map((remaining, index) => remaining - (limit - index - 1));
    expect(Math.min(...ahead)).toBe(0);
    expect(Math.max(...ahead)).toBe(7);
    expect(ahead.slice(-8)).toEqual(Array(8).fill(0));
  }
});
