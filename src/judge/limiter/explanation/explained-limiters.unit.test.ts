import { describe, expect, test } from 'vitest';
import {
  type Answer,
  downTo,
  exhausting,
  falling,
  lowOnce,
  NOON,
  refused,
  shown,
  tooManyOrders,
} from '../../../../test/limiters/limited-runs.ts';
import type { HeaderLine } from '../../../model/exchange.ts';
import { behaviorOf, limitersOf } from './explain.ts';

const MINUTE = 'fixed window, 60 a minute';
const messages = (change: Answer = {}): Answer[] =>
  falling([59, 58], { operation: 'sendMessage', status: 201, ...change });
const ofDay = { limit: 1_000, resetIn: 40_000 };

test.each<[what: string, answers: readonly Answer[], behavior: string | undefined]>([
  ['names the limiter and its limit', downTo(40), MINUTE],
  ['also if one response does not tell Remaining', [...downTo(40), {}], MINUTE],
  ['says once what holds for both addresses', [...downTo(40), ...messages()], MINUTE],
  [
    'names the limiter of each address if they differ',
    [...downTo(40), ...messages({ ...ofDay, remaining: 900 }).slice(1)],
    `${MINUTE}; fixed window, 1000 a day`,
  ],
  [
    'says nothing of a minute that no header describes',
    falling([999, 998], ofDay),
    'fixed window, 1000 a day',
  ],
  ['is unknown if no response tells Remaining', [{}, {}], undefined],
  ['is unknown if no honest limiter explains the run', lowOnce, undefined],
  ['is unknown if no search can try all orders of simultaneous requests', tooManyOrders, undefined],
  ['is unknown if Limit changes', [{ remaining: 59 }, { limit: 61, remaining: 58 }], undefined],
])('%s', (_what, answers, behavior) => {
  expect(behaviorOf(shown(answers))).toBe(behavior);
});

test.each<[what: string, later: Answer, behavior: string]>([
  ['a minute after it', { at: 61, resetIn: 29 }, MINUTE],
  ['two seconds less than a minute after it', { at: 59, resetIn: 29 }, MINUTE],
  ['ten seconds after it', { at: 31, resetIn: 9 }, 'fixed window, 60 in at most 10 s, not a minute'],
  ['at no time, as nothing has used it', { at: 31, resetIn: 9, remaining: 60 }, MINUTE],
])('a window whose next one ends %s', (_what, later, behavior) => {
  const answers: Answer[] = [
    { at: 1, resetIn: 29, remaining: 59 },
    { remaining: 59, ...later },
  ];
  expect(behaviorOf(shown(answers))).toBe(behavior);
});

test('a bucket that refills in twenty seconds is described with its time', () => {
  const LIMIT = 60;
  const SECONDS = 20;
  let [left, last] = [LIMIT, 0];
  // Fifty come in half a second, and then two more.
  const answers = [...Array.from({ length: 50 }, (_, sent) => sent / 100), 2, 4].map((at): Answer => {
    left = Math.min(LIMIT, left + ((at - last) * LIMIT) / SECONDS) - 1;
    last = at;
    const fullIn = ((LIMIT - left) * SECONDS) / LIMIT;
    return { at, remaining: Math.floor(left), reset: NOON + Math.ceil(at + fullIn) };
  });
  expect(behaviorOf(shown(answers))).toBe('token bucket, 60 in about 20 s, not a minute');
});

describe('an explained run', () => {
  test('names its limiter, and what it leaves after each exchange', () => {
    const [limiter, ...others] = limitersOf(shown([...downTo(58), ...falling([57, 56])]));
    expect(others).toEqual([]);
    expect(limiter).toEqual({
      window: 'minute',
      limit: 60,
      address: 'baseUrl',
      operation: 'listPets',
      model: 'fixed window',
      explained: true,
      expected: [
        { exchange: 1, from: 59, to: 59 },
        { exchange: 2, from: 58, to: 58 },
        { exchange: 3, from: 57, to: 57 },
        { exchange: 4, from: 56, to: 56 },
      ],
    });
  });

  test('has what the limiter leaves after a response that does not say it', () => {
    const silent: Answer = { limit: undefined };
    const [limiter] = limitersOf(shown([...downTo(57), silent, { remaining: 55 }]));
    expect(limiter?.explained).toBe(true);
    expect(limiter?.expected[3]).toEqual({ exchange: 4, from: 56, to: 56 });
  });

  test('has one limiter for each address, and the operation if there is only one', () => {
    const messages = falling([59, 58], { operation: 'sendMessage', status: 200 });
    const limiters = limitersOf(shown([...downTo(56), { operation: 'getPet', remaining: 55 }, ...messages]));
    expect(limiters.map(({ address, operation }) => [address, operation])).toEqual([
      ['baseUrl', undefined],
      ['apiUrl', 'sendMessage'],
    ]);
    expect(limiters[0]?.operation).toBeUndefined();
  });

  test('has no address if one limiter counts the requests to both', () => {
    const message: Answer = { operation: 'sendMessage', status: 200, remaining: 57 };
    const limiters = limitersOf(
      shown([...downTo(58), message, { remaining: 56 }, { ...message, remaining: 55 }]),
    );
    expect(limiters).toHaveLength(1);
    expect(limiters[0]?.address).toBeUndefined();
  });

  test('has what Remaining says where others are left, as with nodes that do not know of each other', () => {
    const [limiter] = limitersOf(shown(falling([59, 59, 58, 58, 57, 57])));
    expect(limiter?.model).toBe('fixed window, counted by two nodes');
    expect(limiter?.expected.map(({ from, to }) => [from, to])).toEqual(
      [59, 59, 58, 58, 57, 57].map((remaining) => [remaining, remaining]),
    );
  });

  test.each<[model: string, told: (number | undefined)[], at: number[], left: number[]]>([
    [
      'fixed window, Remaining up to a second old',
      [59, 59, 59, undefined, 55],
      [0, 0.3, 0.6, 0.9, 1.2],
      [59, 59, 59, 56, 55],
    ],
    [
      'fixed window, Remaining as of the response',
      [59, 58, 55, 55, 55, undefined, 53],
      [0, 0.1, 0.2, 0.2, 0.2, 0.3, 0.4],
      [59, 58, 55, 55, 55, 54, 53],
    ],
  ])('%s: an exchange without Remaining gets what the model has left', (model, told, at, left) => {
    const answers = told.map((remaining, index): Answer => {
      const time = at[index] ?? 0;
      return { remaining, at: time, inFlight: index - at.indexOf(time) + 1, reset: NOON + 30 };
    });
    const [limiter] = limitersOf(shown(answers));
    expect(limiter).toMatchObject({ model, explained: true });
    expect(limiter?.expected.map(({ from, to }) => [from, to])).toEqual(left.map((each) => [each, each]));
  });

  test('leaves the burst out, which is not part of Remaining', () => {
    const silent: Answer = { limit: undefined };
    const evidence = shown([...downTo(57), silent, { remaining: 55 }]);
    const judged = evidence.judged.map((each) => {
      const { response } = each.exchange;
      if (!response) throw new Error('no response');
      const headers: HeaderLine[] = [...response.headers, ['X-RateLimit-Burst', '5']];
      return { ...each, exchange: { ...each.exchange, response: { ...response, headers } } };
    });
    const [limiter] = limitersOf({ ...evidence, judged });
    expect(limiter?.explained).toBe(true);
    expect(limiter?.expected[3]).toEqual({ exchange: 4, from: 56, to: 56 });
  });

  test('is in the order in which the limiter counted simultaneous requests', () => {
    const swapped = falling([56, 57], { inFlight: 2, at: 0.5 });
    const [limiter] = limitersOf(shown([...downTo(58), ...swapped, { remaining: 55, at: 1 }]));
    expect(limiter?.expected.map(({ exchange, to }) => [exchange, to])).toEqual([
      [1, 59],
      [2, 58],
      [4, 57],
      [3, 56],
      [5, 55],
    ]);
  });
});

describe('a run that no honest limiter explains', () => {
  test('names the nearest one, and what it would say instead of another Remaining', () => {
    const [limiter] = limitersOf(shown(falling([59, 58, 57, 20, 58, 3, 57, 44, 59])));
    const { exchange = 0, kind, from = 0, to = 0 } = limiter?.excludedBy ?? {};
    expect(limiter?.explained).toBe(false);
    expect(kind).toBe('remaining');
    expect(exchange).toBeGreaterThan(3);
    expect(limiter?.expected.map((each) => each.exchange)).toEqual(
      Array.from({ length: exchange - 1 }, (_, index) => index + 1),
    );
    expect(from).toBeLessThanOrEqual(to);
  });

  test('has the time that Reset would say, in seconds', () => {
    const far = { remaining: 56, reset: NOON + 5_000 };
    const [limiter] = limitersOf(shown([...falling([59, 58, 57], { reset: NOON + 30 }), far]));
    const { exchange, kind, from = 0, to = 0 } = limiter?.excludedBy ?? {};
    expect([exchange, kind]).toEqual([4, 'reset']);
    // A minute is over within two minutes, however it is counted.
    expect(from).toBeGreaterThanOrEqual(NOON - 3);
    expect(to).toBeLessThanOrEqual(NOON + 123);
  });

  test('ends where a request too many was let through', () => {
    const tooMany = falling([0, 0, 0], exhausting);
    const [limiter] = limitersOf(shown([...downTo(0), ...tooMany, refused()]));
    const { exchange = 0, kind, from } = limiter?.excludedBy ?? {};
    expect([limiter?.explained, kind, from]).toEqual([false, 'let-through', 0]);
    expect([61, 62, 63]).toContain(exchange);
    expect(limiter?.expected.every((each) => each.exchange < exchange)).toBe(true);
  });
});

test('does not explain what took too long to decide', () => {
  const [limiter] = limitersOf(shown(tooManyOrders));
  expect(limiter?.explained).toBe(false);
  expect(limiter?.excludedBy).toBeUndefined();
});

test('ends where the requests are too many, whatever Remaining says', () => {
  const all = Array.from({ length: 70 }, (_, index) => index + 1);
  const [limiter] = limitersOf(shown(all.map(() => ({ remaining: 59, ...exhausting }))));
  expect(limiter?.excludedBy).toMatchObject({ exchange: 70, kind: 'let-through', from: 0, to: 0 });
  expect(limiter?.expected.map(({ exchange }) => exchange)).toEqual(all.slice(0, -1));
});

test('has nothing before the last of too many if it may have been counted first', () => {
  const together = falling([0, 0, 1], { ...exhausting, limit: 1, inFlight: 3, at: 1, reset: NOON + 30 });
  const [limiter] = limitersOf(shown(together, { limits: { minute: 1 } }));
  expect(limiter?.excludedBy).toMatchObject({ exchange: 3, kind: 'let-through' });
  expect(limiter?.expected).toEqual([]);
});

test.each([
  ['no response states Remaining', [{}, {}]],
  ['there is no response', []],
])('has no limiter if %s', (_, answers: Answer[]) => {
  expect(limitersOf(shown(answers))).toEqual([]);
});
