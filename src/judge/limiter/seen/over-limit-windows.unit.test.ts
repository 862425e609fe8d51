import { describe, expect, test } from 'vitest';
import { type Answer, falling, NOON, refused, shown } from '../../../../test/limiters/limited-runs.ts';
import { byAddress, countsIn } from '../../../limiter/counts.ts';
import { overLimitOf } from './over-limit.ts';

const AT = { limit: 5, reset: NOON + 31 };
const below = (figures: readonly number[], change: Answer = {}) => falling(figures, { ...AT, ...change });
const WRONG_KEY: Answer = { key: 'unknown', status: 401 };
const NEXT: Answer = { reset: NOON + 91 };

/** The request over a limit of five a minute, by the falls of Remaining; each answer comes 10 ms after the one before. */
function overLimit(answers: readonly Answer[]) {
  const run = shown(answers, { limits: { minute: 5, day: 61 }, plan: '' });
  const [count] = countsIn(run)(byAddress);
  const over = count && overLimitOf(count);
  return over && [over.exchange.id, over.number, over.window];
}

describe('a request is over the limit', () => {
  test.each<[what: string, answers: readonly Answer[], id: number]>([
    ['after five falls', below([5, 4, 3, 2, 1, 0]), 6],
    [
      'where Reset wavers by a second',
      below([5, 4, 3, 2, 1, 0]).map((each, index) => ({ ...each, reset: AT.reset + (index % 2) })),
      6,
    ],
    [
      'where a response lacks Reset',
      [...below([5, 4, 3]), { limit: 5, remaining: 2, reset: 'soon' }, ...below([1, 0])],
      6,
    ],
    ['where a response lacks Remaining', [...below([5, 4, 3]), AT, ...below([1, 0])], 6],
    [
      'where a varied request counts as well',
      [...below([5, 4, 3]), { ...AT, variation: 'spelling' }, ...below([1, 0])],
      6,
    ],
    ['in a later window', [...below([4, 3]), ...below([5, 4, 3, 2, 1, 0], { ...NEXT, at: 40 })], 8],
    [
      'where a Reset tells of a moment more than one request needs',
      below([5, 4, 3, 2, 1, 0], { reset: NOON + 14 }),
      6,
    ],
  ])('%s', (_what, answers, id) => expect(overLimit(answers)).toEqual([id, 6, 'minute']));

  test('only beyond an announced burst', () => {
    const answers = below([5, 4, 3, 2, 1, 0, 0], { burst: 1 });
    expect(overLimit(answers)).toBeUndefined();
    expect(overLimit(below([6, 5, 4, 3, 2, 1, 0], { burst: 1 }))).toEqual([7, 7, 'minute']);
  });
});

describe('no request is over the limit', () => {
  test.each<[what: string, answers: readonly Answer[]]>([
    ['after four falls', below([4, 3, 2, 1, 0])],
    ['that has a wrong key', [...below([5, 4, 3, 2, 1]), { ...AT, ...WRONG_KEY, remaining: 0 }]],
    [
      'where wrong keys count between the others',
      [5, 3, 1].flatMap((left) => [...below([left]), ...below([left - 1], WRONG_KEY)]),
    ],
    ['that comes after the wait', [...below([5, 4, 3, 2, 1]), ...below([0], { stage: 'recover' })]],
    ['that is refused', [...below([5, 4, 3, 2, 1]), refused({ ...AT, remaining: 0 })]],
    ['of two windows together', [...below([5, 4, 3]), ...below([2, 1, 0], NEXT)]],
    ['where requests come back one by one until Reset', below([5, 4, 3, 2, 1, 0], { reset: NOON + 10 })],
    ['where no response tells a Reset', below([5, 4, 3, 2, 1, 0], { reset: 'soon' })],
    ['where Remaining jumps', below([5, 3, 1, 0])],
  ])('%s', (_what, answers) => expect(overLimit(answers)).toBeUndefined());
});
