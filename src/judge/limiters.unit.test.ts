import { describe, expect, test } from 'vitest';
import { type Answer, downTo, exhausting, falling, NOON, shown } from '../../test/limited-runs.ts';
import { limitersOf } from './limiters.ts';

const refusal: Answer = { stage: 'exhaust', status: 429, remaining: 0, retryAfter: '29' };

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
  test('names the nearest one, and the exchange with another Remaining', () => {
    const [limiter] = limitersOf(shown(falling([59, 58, 57, 56, 59, 58, 57])));
    expect(limiter).toMatchObject({ model: 'fixed window', explained: false });
    expect(limiter?.expected.map(({ exchange }) => exchange)).toEqual([1, 2, 3, 4]);
    expect(limiter?.excludedBy).toEqual({ exchange: 5, kind: 'remaining', from: 55, to: 56 });
  });

  test('has the time that Reset would say, in seconds', () => {
    const [limiter] = limitersOf(
      shown([...falling([59, 58, 57], { reset: NOON + 30 }), { remaining: 56, reset: NOON + 50 }]),
    );
    expect(limiter?.excludedBy).toMatchObject({ exchange: 4, kind: 'reset' });
    const { from = 0, to = 0 } = limiter?.excludedBy ?? {};
    expect([from, to].every((each) => Math.abs(each - NOON - 30) <= 3)).toBe(true);
  });

  test('ends where a request too many was let through', () => {
    const tooMany = falling([0], { stage: 'exhaust', at: 1 });
    const [limiter] = limitersOf(shown([...downTo(0), ...tooMany, refusal]));
    expect(limiter).toMatchObject({
      explained: false,
      excludedBy: { exchange: 61, kind: 'let-through', from: 0, to: 0 },
    });
    expect(limiter?.expected.at(-1)).toEqual({ exchange: 60, from: 0, to: 0 });
  });
});

test.each([
  ['no response states Remaining', [{}, {}]],
  ['there is no response', []],
])('has no limiter if %s', (_, answers: Answer[]) => {
  expect(limitersOf(shown(answers))).toEqual([]);
});
