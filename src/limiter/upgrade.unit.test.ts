import { expect, test } from 'vitest';
import { type Answer, contract, exchangeOf } from '../../test/limiters/limited-runs.ts';
import { upgradeOf } from './upgrade.ts';

const limits = (...figures: number[]): Answer[] => figures.map((limit) => ({ limit }));

test.each<[what: string, answers: Answer[], at: number | undefined]>([
  ['one plan', limits(60, 60, 60), undefined],
  ['one plan that is not the lowest', limits(300, 300), undefined],
  ['both windows of one plan', limits(60, 1_000, 60), undefined],
  ['a higher plan from then on', limits(60, 60, 300, 300), 3],
  ['with both of its windows', limits(60, 300, 10_000), 2],
  ['a lower plan', limits(300, 60), undefined],
  ['a higher plan, and back', limits(60, 300, 60), undefined],
  ['a figure of no plan', limits(60, 70), undefined],
  ['an agreed limit above all plans', limits(60, 5_000, 5_000), 2],
  ['an agreed limit, and another one', limits(60, 5_000, 7_000), undefined],
  ['a wrong key says nothing', [...limits(60), { limit: 300, key: 'absent', status: 401 }], undefined],
  ['a response without Limit says nothing', [...limits(60), { limit: undefined }, ...limits(300)], 3],
  ['no Limit at all', [{ limit: undefined }], undefined],
])('%s', (_what, answers, at) => {
  const exchanges = answers.map((answer, index) => exchangeOf(answer, index + 1));
  expect(upgradeOf(exchanges, contract.ratePlans)?.id).toBe(at);
});

test('a response that was under way may cross', () => {
  const [first, second, third] = limits(60, 300, 60).map((answer, index) => exchangeOf(answer, index + 1));
  if (!first || !second || !third) throw new Error('three exchanges are needed');
  const crossing = { ...third, sentAt: second.sentAt };
  expect(upgradeOf([first, second, crossing], contract.ratePlans)?.id).toBe(2);
});
