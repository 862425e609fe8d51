import { describe, expect, test } from 'vitest';
import { allChecks } from '../../suites/index.ts';
import { loadContract } from '../contract/load.ts';
import { UsageError } from '../model/usage-error.ts';
import { DEFAULT_OPTIONS, type RunOptions } from './options.ts';
import { makePlan } from './plan.ts';

const contract = loadContract();
const checks = allChecks(contract);

const costWith = (options: Partial<RunOptions>) =>
  makePlan(contract, checks, { ...DEFAULT_OPTIONS, ...options }).cost;

/** What is refused before the first request. */
function refusal(options: Partial<RunOptions>): unknown {
  try {
    costWith(options);
    return undefined;
  } catch (error) {
    return error;
  }
}

describe('a budget is refused', () => {
  test.each<[why: string, options: Partial<RunOptions>, words: string]>([
    ['beyond the day of a listed plan', { plan: 'free', budget: 1_001 }, '1000 requests a day'],
    ['beyond the day of a larger one', { plan: 'pro', budget: 10_001 }, '10000 requests a day'],
    ['beyond a stated day', { limits: { minute: 60, day: 500 }, budget: 501 }, '500 requests a day'],
    [
      'beyond a day, also where no limit is used up',
      { plan: 'free', budget: 1_001, exhaust: 'none' },
      '1000 requests a day',
    ],
    ['less than the exhaustion needs', { plan: 'pro', budget: 301 }, 'needs 302 requests with the key'],
    ['less than the requests of the plan', { budget: 52, exhaust: 'none' }, 'needs 53 requests with the key'],
    ['of an unknown limit', { budget: 600 }, '--plan or --limit'],
    ['beside a whole day', { plan: 'free', budget: 600, exhaust: 'day' }, '--exhaust day'],
  ])('%s', (_why, options, words) => {
    const error = refusal(options);
    expect(error).toBeInstanceOf(UsageError);
    expect(String(error)).toContain(words);
    expect(String(error)).toContain('--budget');
    expect(String(error)).not.toContain('\n');
  });
});

describe('a budget is granted', () => {
  test.each<[what: string, options: Partial<RunOptions>, further: number]>([
    ['the whole day', { plan: 'free', budget: 1_000 }, 938],
    ['what the run needs, and no more', { plan: 'free', budget: 62 }, 0],
    ['of any size, if no day limit is known', { limits: { minute: 60 }, budget: 50_000 }, 49_938],
    ['without an exhaustion, of an unknown limit', { budget: 153, exhaust: 'none' }, 100],
  ])('%s', (_what, options, further) => {
    const cost = costWith(options);
    expect(cost.further).toBe(further);
    expect(cost.expected).toBe(options.budget);
  });

  test('the maximum grows by what goes on testing, and so does the time', () => {
    const plain = costWith({ plan: 'free', frugal: true });
    const larger = costWith({ plan: 'free', budget: 600 });
    expect(larger.most.withKey - plain.most.withKey).toBe(538);
    expect(larger.most.wrongKeys).toBe(plain.most.wrongKeys);
    expect(larger.creations).toBe(plain.creations);
    // Ten windows begin, nine of them after a wait, and one more wait shows the recovery.
    expect(larger.wait).toBe(600);
    expect(larger.most.seconds).toBeGreaterThan(plain.most.seconds + 540);
  });
});

test('without a budget nothing goes on beyond the next window', () => {
  expect(costWith({ plan: 'business' }).further).toBe(0);
});

test.each<[what: string, options: Partial<RunOptions>, afterRecovery: number, most: number]>([
  // 131 use up the limit at most, and 15 of them see findings again.
  ['four fifths of the next window', { plan: 'free' }, 48, 131 + 48],
  ['four fifths of the next window of another limit', { limits: { minute: 100 } }, 80, 102 + 69 + 80],
  ['a limit that leaves little: as many as see findings again', { limits: { minute: 10 } }, 8, 12 + 69 + 15],
  ['a frugal run', { plan: 'free', frugal: true }, 0, 131 + 15],
  ['no exhaustion', { plan: 'free', exhaust: 'none' }, 0, 78],
  ['a day', { plan: 'free', exhaust: 'day' }, 0, 1_517],
])('after the recovery: %s', (_what, options, afterRecovery, most) => {
  const cost = costWith(options);
  expect(cost.afterRecovery).toBe(afterRecovery);
  expect(cost.most.withKey).toBe(most);
});

test('the time does not grow by what uses the next window', () => {
  expect(costWith({ plan: 'free' }).most.seconds).toBe(costWith({ plan: 'free', frugal: true }).most.seconds);
});

test('a frugal run has no budget', () => {
  expect(String(refusal({ plan: 'free', frugal: true, budget: 600 }))).toContain(
    '--frugal cannot be used with --budget or --deep',
  );
});
