import { describe, expect, test } from 'vitest';
import { observed, type Seen } from '../../../test/limiters/limiter-states.ts';
import type { Exchange } from '../../model/exchange.ts';
import { fixedWindow } from '../models/fixed-window.ts';
import { type Attempt, attempt } from './search.ts';

const FIGURES = { limit: 1_000, windowMs: 60_000, burst: 0 };

const observations = (seen: readonly Seen[]) =>
  seen.map((each, index) => observed({ ...each, exchange: { id: index + 1, ...each.exchange } }));

const answered = (at: number, remaining: number): Seen => ({ at, remaining, kind: 'read, 200' });

/** Requests of several kinds that got no response: each may have been counted or not, and together ones in any order. */
function lost(at: number, count: number, areTogether: boolean, exchange: Partial<Exchange> = {}): Seen[] {
  return Array.from({ length: count }, (_, index) => ({
    at: at + index / 1_000,
    until: at + (areTogether ? 500 : index) / 1_000,
    inFlight: areTogether ? index + 1 : 1,
    outcome: 'unknown',
    kind: `read ${index}, no response`,
    exchange: { operation: `read ${index}`, ...exchange },
  }));
}

const before = [answered(0, 988), answered(0.1, 987), answered(0.2, 986)];

/** Some get no response, and then Remaining is lower by so many. */
const falling = (requests: Seen[], fall: number): Seen[] => [...before, ...requests, answered(2, 986 - fall)];

/** The same several times, after which all of those that got no response were counted each time. */
function again(times: number, count: number): Seen[] {
  return Array.from({ length: times }, (_, turn) => [
    ...lost(1 + turn, count, true),
    answered(1.9 + turn, 986 - (turn + 1) * (count + 1)),
  ]).flat();
}

const manyTimes = [...before, ...again(8, 6)];

describe('if so many orders are possible that a search is given up', () => {
  test.each<[what: string, seen: Seen[], result: 'explained' | 'presumed' | 'misfit']>([
    ['all of four were counted, which few orders show', falling(lost(1, 4, true), 5), 'explained'],
    ['all of six were counted, which the likeliest order shows', falling(lost(1, 6, true), 7), 'explained'],
    ['all of six were counted, eight times in a row', manyTimes, 'explained'],
    [
      'one more than was sent was counted with four: no order shows that',
      falling(lost(1, 4, true), 6),
      'misfit',
    ],
    ['one more was counted with six: some order might show that', falling(lost(1, 6, true), 8), 'presumed'],
    ['one was given back after eight times', [...manyTimes, answered(10, 986 - 55)], 'presumed'],
    ['one more was counted with forty, but they came in turn', falling(lost(1, 40, false), 42), 'misfit'],
    ['one more was counted with six of a burst', falling(lost(1, 6, true, { burst: 'beside' }), 8), 'misfit'],
    [
      'one more was counted with six of a recorded run',
      falling(lost(1, 6, true, { recorded: 'run' }), 8),
      'misfit',
    ],
  ])('%s', (_what, seen, result) => {
    const { misfit, isPresumed, explained } = attempt(fixedWindow, FIGURES, observations(seen));
    expect(misfit ? 'misfit' : isPresumed ? 'presumed' : 'explained').toBe(result);
    if (result === 'explained') expect(explained).toBe(seen.length);
    if (result === 'misfit') expect(misfit?.observation.exchange.id).toBe(seen.length);
  });
});

describe('if several searches have no steps left', () => {
  const wrong = observations([...before, answered(0.3, 990)]);
  const tried = (steps?: number): Attempt =>
    attempt(fixedWindow, FIGURES, wrong, steps === undefined ? undefined : { steps });

  test('a model is presumed to explain what was not looked at, until a later search looks at it', () => {
    const { isPresumed, misfit, explained } = tried(2);
    expect([isPresumed, misfit, explained]).toEqual([true, undefined, 2]);
    expect(tried().misfit?.observation.exchange.id).toBe(wrong.length);
  });

  test('what was found before is still known', () => {
    const seen = observations([...before, answered(0.3, 990)]);
    const found = attempt(fixedWindow, FIGURES, seen);
    expect(attempt(fixedWindow, FIGURES, seen, { steps: 0 })).toBe(found);
  });

  test('each step is one less for the next search', () => {
    const budget = { steps: 100 };
    attempt(fixedWindow, FIGURES, observations(before), budget);
    expect(budget.steps).toBe(100 - before.length);
  });
});
