import { expect, test } from 'vitest';
import {
  type Answer,
  again,
  exchangeOf,
  falling,
  NOON,
  refused,
} from '../../../../test/limiters/limited-runs.ts';
import { riseBefore } from './seen.ts';

const reset = NOON + 60;
const told = (...remaining: number[]) => falling(remaining, { reset });

test.each<[what: string, answers: readonly Answer[], risen: number[] | undefined]>([
  ['the rise of Remaining before it fell as it should', told(32, 31, 39, 38, 37), [31, 39]],
  ['none if it is the last that rose', told(32, 31, 39), undefined],
  ['none if the last did not fall as it should', told(32, 31, 39, 38, 38), undefined],
  ['none if Remaining rises again and again, as that of several nodes', told(32, 39, 31, 38, 30), undefined],
  ['none in a window before', [...told(1, 9), ...falling([59, 58], { reset: reset + 60 })], undefined],
  ['none that only a refusal is told', [...told(1), refused({ remaining: 9, reset }), ...told(0)], undefined],
  ['none of nothing', [], undefined],
  ['none of one response', [again({ remaining: 9, reset })], undefined],
])('%s', (_, answers, risen) => {
  const found = riseBefore(answers.map((answer, index) => exchangeOf(answer, index + 1)));
  expect(found && [found.before.rate.remaining, found.after.rate.remaining]).toEqual(risen);
});
