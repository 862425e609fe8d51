import { describe, expect, test } from 'vitest';
import { type Answer, exchangeOf } from '../../test/limiters/limited-runs.ts';
import type { Exchange } from '../model/exchange.ts';
import { uncountedBy } from './others.ts';

const isOfAnimals = ({ address }: Exchange) => address === 'baseUrl';
const wrongKey: Answer = { key: 'absent', status: 401 };

const exchangesFrom = (answers: readonly Answer[]) =>
  answers.map((each, index) => exchangeOf(each, index + 1));

describe('a message is counted apart', () => {
  const message = (remaining?: number, change: Answer = {}): Answer => ({
    operation: 'sendMessage',
    status: 202,
    remaining,
    ...change,
  });

  test.each<[what: string, answers: Answer[], isApart: boolean]>([
    ['if it says more than before and after', [{ remaining: 11 }, message(59), { remaining: 9 }], true],
    ['if nothing was taken meanwhile', [{ remaining: 11 }, message(59), { remaining: 11 }], true],
    ['if one of two says more', [{ remaining: 11 }, message(59), message(8), { remaining: 9 }], true],
    ['not if it says the same', [{ remaining: 11 }, message(11), { remaining: 9 }], false],
    ['not if more remain afterwards', [{ remaining: 11 }, message(59), { remaining: 12 }], false],
    ['not if it says nothing', [{ remaining: 11 }, message(), { remaining: 9 }], false],
    ['not if its key is wrong', [{ remaining: 11 }, message(59, wrongKey), { remaining: 9 }], false],
    ['not if it is refused', [{ remaining: 11 }, message(59, { status: 429 }), { remaining: 9 }], false],
    ['not if nothing was before', [message(59), { remaining: 9 }], false],
    ['not if nothing comes after', [{ remaining: 11 }, message(59)], false],
    ['not if nothing told Remaining before', [{}, message(59), { remaining: 9 }], false],
    [
      'not if only a wrong key told it before',
      [{ ...wrongKey, remaining: 11 }, message(59), { remaining: 9 }],
      false,
    ],
    [
      'by what was before and after, whatever else',
      [{ remaining: 60 }, { remaining: 11 }, message(59), {}, { remaining: 9 }, { remaining: 59 }],
      true,
    ],
  ])('%s', (_what, answers, isApart) => {
    const exchanges = exchangesFrom(answers);
    const isUncounted = uncountedBy(exchanges, isOfAnimals);
    const apart = exchanges.filter(isUncounted).map(({ operation }) => operation);
    expect(new Set(apart)).toEqual(new Set(isApart ? ['sendMessage'] : []));
  });

  test('if its own Remaining says so, not if that of another operation at the first address does', () => {
    const added: Answer = { operation: 'createPet', status: 201, remaining: 59 };
    const exchanges = exchangesFrom([{ remaining: 11 }, added, message(10), { remaining: 9 }]);
    expect(exchanges.filter(uncountedBy(exchanges, ({ operation }) => operation === 'listPets'))).toEqual([]);
  });

  test('what was under way says nothing of it', () => {
    const [before, each, after] = exchangesFrom([{ remaining: 11 }, message(59), { remaining: 9 }]) as [
      Exchange,
      Exchange,
      Exchange,
    ];
    const isApart = (exchanges: Exchange[]) => uncountedBy(exchanges, isOfAnimals)(each);
    expect(isApart([before, each, { ...after, sentAt: each.receivedAt }])).toBe(true);
    expect(isApart([before, each, { ...after, sentAt: each.receivedAt - 1 }])).toBe(false);
    expect(isApart([{ ...before, receivedAt: each.sentAt }, each, after])).toBe(true);
    expect(isApart([{ ...before, receivedAt: each.sentAt + 1 }, each, after])).toBe(false);
  });
});

describe('wrong keys are not counted', () => {
  const keys = (count: number): Answer[] => Array(count).fill(wrongKey);

  test.each<[what: string, wrong: number, after: number, areFree: boolean]>([
    ['if Remaining falls by the request alone', 3, 58, true],
    ['if it does not fall at all', 3, 59, true],
    ['not if too few show it', 2, 58, false],
    ['if others may have used one', 4, 57, true],
    ['not if that leaves too few', 3, 57, false],
    ['not if others would have used half as many', 4, 56, false],
    ['not if others would have used half of many', 8, 54, false],
    ['not if each is counted', 3, 55, false],
  ])('%s', (_what, wrong, after, areFree) => {
    const exchanges = exchangesFrom([{ remaining: 59 }, ...keys(wrong), { remaining: after }]);
    const uncounted = exchanges.filter(uncountedBy(exchanges, isOfAnimals));
    expect(uncounted.map(({ key }) => key)).toEqual(areFree ? Array(wrong).fill('absent') : []);
  });
});
