import { expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { DEFAULT_OPTIONS } from '../../src/run/options.ts';
import { makePlan } from '../../src/run/plan.ts';
import { changeOf, type Subject, subjects } from '../../src/selfcheck/selfcheck.ts';
import { allChecks } from '../../suites/index.ts';
import { isNightly } from '../nightly/sampled.ts';
import { faultPairs, type Pair, tryPair, variantPairs } from './pairs.ts';

const contract = loadContract();
const plan = makePlan(contract, allChecks(contract), { ...DEFAULT_OPTIONS, frugal: true });
const SEED = 20_261_121;
/** Pairs of faults, and of variants. */
const [FAULTS, VARIANTS] = isNightly ? [200, 150] : [2, 2];

const subjectOf = (id: string) => subjects().find((each) => changeOf(each).id === id) as Subject;

const nameOf = (pair: Pair) => pair.map((each) => changeOf(each).id).join(' and ');
const named = (pairs: readonly Pair[]) => pairs.map((pair) => [nameOf(pair), pair] as const);

test.each(named(faultPairs(contract, FAULTS, SEED)))(
  'faults %s are both found, or one masks the other',
  async (_, pair) => {
    expect(await tryPair(contract, plan, pair)).toEqual([]);
  },
);

test.each([
  // What is read shows that an addition was stored otherwise, also if the addition gets a wrong status.
  ['create-200', 'body-name-last'],
])('faults %s and %s are both found', async (one, other) => {
  expect(await tryPair(contract, plan, [subjectOf(one), subjectOf(other)])).toEqual([]);
});

test.each([
  // Time passes while requests wait for a slow one.
  ['slow-now-and-then', 'queueing'],
  ['slow-2s', 'queueing'],
  // A read that is sent again after its connection was closed was counted the first time, and then comes from a cache.
  ['cached-free', 'closes-after-404'],
  // The minute refuses, and the day tells the Remaining of that moment.
  ['headers-day', 'remaining-frozen'],
  // Each of two counts may be a bucket of its own.
  ['token-bucket-in-lots-minute', 'reads-and-writes'],
  ['token-bucket-in-lots-both', 'list-apart'],
  // Between two requests that the limit leaves out, Remaining falls by one that it covers.
  ['covers-list-bucket', 'overtaking'],
  // Two lists have the same order by chance.
  ['pages-short', 'filter-within-page-random'],
])('variants %s and %s pass together', async (one, other) => {
  const pair = [subjectOf(one), subjectOf(other)] as const;
  expect(await tryPair(contract, plan, pair)).toEqual([]);
  if (isNightly) expect(await tryPair(contract, plan, pair.toReversed() as [Subject, Subject])).toEqual([]);
});

test.each(named(variantPairs(VARIANTS, SEED)))('variants %s pass together', async (_, pair) => {
  expect(await tryPair(contract, plan, pair)).toEqual([]);
});
