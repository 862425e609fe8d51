import { expect, test } from 'vitest';
import {
  type Answer,
  again,
  contract,
  exchangeOf,
  exhausting,
  FREE,
  falling,
  refused,
} from '../../../test/limited-runs.ts';
import type { RatePlan } from '../../model/contract.ts';
import { exchangesOverLimit } from './attribution.ts';

const next: Answer = { ...exhausting };
const broken: Answer = { ...exhausting, status: 503 };
const untold = (count: number, change: Answer = {}): Answer[] => Array.from({ length: count }, () => change);

test.each<[what: string, answers: Answer[], over: number[], limits?: RatePlan]>([
  ['nothing was left', [...falling([1, 0]), next], [3]],
  ['nothing was left, twice', [...falling([1, 0]), { ...next, remaining: 0 }, next], [3, 4]],
  ['nothing was left, and it is refused', [...falling([1, 0]), refused()], []],
  ['nothing was left before what is no exhaustion', falling([1, 0, 0]), []],
  ['one was left before the last', [...falling([2, 1], exhausting), next], [3]],
  ['two were left before the last', [...falling([3, 2], exhausting), next], [3]],
  ['three were left before the last', [...falling([4, 3], exhausting), next], []],
  ['what was left is not told', [...untold(2, exhausting), next], []],
  ['one was left, and there is a next', [...falling([2, 1], exhausting), next, next], []],
  ['more than the limit were sent', [...untold(60), next], [61]],
  ['as many as the limit were sent', [...untold(59), next], []],
  ['more were sent than a minute that nobody knows', [...untold(60), next], [], { day: 10 }],
  ['what a wrong key was told says nothing', [...falling([0], { key: 'absent', status: 401 }), next], []],
  ['wrong keys are not counted', [...untold(60, { key: 'absent', status: 401 }), next], []],
  ['it was taken off what was left', [...falling([2, 1], exhausting), { ...next, remaining: 0 }], []],
  [
    'it was taken off, and told to wait',
    [...falling([2, 1], exhausting), { ...next, remaining: 0, retryAfter: '9' }],
    [3],
  ],
  ['nothing was taken off', [...falling([2, 1], exhausting), { ...next, remaining: 1 }], [3]],
  ['it broke, as those before it', [...untold(59, exhausting), broken, broken], [60, 61]],
  ['it broke, and another one before it', [broken, ...untold(60, exhausting), broken], [62]],
  ['what broke before it does not say what is left', [...falling([1, 0], exhausting), broken, next], [3, 4]],
  ['a recovery is not over the limit', [...falling([1, 0]), next, again({ remaining: 0 }), again()], [3]],
  ['a recovery is not counted', [...untold(59), next, again()], []],
])('requests over the limit: %s', (_what, answers, over, limits = FREE) => {
  const exchanges = answers.map((answer, index) => exchangeOf(answer, index + 1));
  const circumstances = { contract, probes: [], today: 0, referencesKnown: true, limits };
  expect([...exchangesOverLimit(exchanges, circumstances)]).toEqual(over);
});

test('without figures only Remaining tells', () => {
  const circumstances = { contract, probes: [], today: 0, referencesKnown: true };
  const exchanges = [...untold(99), next].map((answer, index) => exchangeOf(answer, index + 1));
  expect([...exchangesOverLimit(exchanges, circumstances)]).toEqual([]);
});
