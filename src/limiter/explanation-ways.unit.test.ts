import { describe, expect, test } from 'vitest';
import { type Answer, falling, NOON, refused, shown } from '../../test/limiters/limited-runs.ts';
import { explanationOf } from './explanation.ts';

/** The limiters that explain the answers or come nearest, and the first exchange that they do not explain. */
function explained(answers: readonly Answer[]): { models: string[]; until: number | undefined } {
  const { accounts, excluded } = explanationOf(shown(answers));
  return {
    models: accounts.map(({ attempt }) => attempt.model.name),
    until: excluded?.observation.exchange.id,
  };
}

const FIXED = 'fixed window';
const reset = NOON + 60;
const list: Answer = { reset };
const message: Answer = { operation: 'sendMessage', status: 201, reset };
const added: Answer = { operation: 'createPet', status: 201, reset };
/** No limiter refuses a request and says that so many are left. */
const early = (remaining: number, change: Answer = {}): Answer =>
  refused({ reset, ...change, status: 429, remaining });
const unanswered: Answer = {
  failure: { kind: 'reset', phase: 'headers', message: 'connection reset' },
};

describe('a response right after a request to the other address says less than its own address leaves', () => {
  const before = [...falling([59, 58, 57], list), ...falling([56, 55], message)];

  test.each<[what: string, answers: readonly Answer[], models: readonly string[], until: number]>([
    [
      'both share a count, if that explains more',
      [...before, ...falling([54], list), early(53), ...falling([52, 51], list)],
      [FIXED],
      7,
    ],
    [
      'whatever wrong keys got meanwhile',
      [
        ...before,
        { key: 'absent', status: 401, limit: undefined, reset: '' },
        { ...list, remaining: 54 },
        early(53),
      ],
      [FIXED],
      8,
    ],
    [
      'whatever got no answer meanwhile',
      [...before, unanswered, { ...list, remaining: 53 }, early(52)],
      [FIXED],
      8,
    ],
    ['they do not, if that explains no more', [...before, early(54)], [FIXED, FIXED], 6],
    [
      'they do not, if a request to the same address came before',
      [...before.slice(0, 4), { ...list, limit: undefined }, { ...list, remaining: 54 }, early(53)],
      [FIXED, FIXED],
      6,
    ],
  ])('%s', (_what, answers, models, until) => {
    expect(explained(answers)).toEqual({ models, until });
  });
});

describe('of several ways to count, the one that explains the most for what it asks to believe', () => {
  /** Lists that use up most, and additions that have a count of their own. No node says 59 where the other one says 20. */
  const apart = (until: number): Answer[] => [
    ...falling([20, 19, 18], list),
    ...falling([59, 58, 57, 56, 55, 54, 53, 52, 51, 50, 49].slice(0, until - 4), added),
    early(40, added),
  ];

  test.each<[what: string, until: number, models: readonly string[], found: number]>([
    ['by address, if a count for each operation explains ten more', 14, [FIXED], 4],
    ['by operation, if that explains eleven more', 15, [FIXED, FIXED], 15],
  ])('%s', (_what, until, models, found) => {
    expect(explained(apart(until))).toEqual({ models, until: found });
  });

  test('the first request is wrong: the plainest', () => {
    expect(explained([early(29), ...falling([59, 58], list)])).toEqual({ models: [FIXED], until: 1 });
  });

  test.each<[what: string, answers: readonly Answer[], until: number]>([
    ['a list', [...falling([59, 58], list), early(57), ...falling([59, 58], message), early(57, message)], 3],
    ['a message', [...falling([59], list), ...falling([59, 58], message), early(57, message), early(57)], 4],
  ])('two counts are wrong, and the first is %s', (_what, answers, until) => {
    expect(explained(answers)).toEqual({ models: [FIXED, FIXED], until });
  });

  /** Both addresses in turn, of one count. */
  const inTurn = (count: number): Answer[] =>
    Array.from({ length: count }, (_, index) => ({
      ...(index % 5 < 3 ? list : message),
      remaining: 59 - index,
    }));

  test('one count for both addresses, if it explains all, rather than two nodes for each', () => {
    expect(explained(inTurn(20))).toEqual({ models: [FIXED], until: undefined });
  });

  test('two nodes for each, if they explain no less, but not all', () => {
    const nodes = 'fixed window, counted by two nodes';
    expect(explained([...inTurn(20), early(39)])).toEqual({ models: [nodes, nodes], until: 21 });
  });
});

describe('what no search decides', () => {
  /** So many at a time that not all orders are tried: 20 is wrong in any, unless it is of another count. */
  const together = falling([59, 58, 57, 20, 50, 49], { reset, inFlight: 65 });
  const presumed = (answers: readonly Answer[]) => {
    const { accounts, excluded } = explanationOf(shown(answers));
    return [excluded, ...accounts.map(({ attempt }) => attempt.isPresumed ?? false)];
  };

  test('is presumed to be explained by a count for each address', () => {
    expect(presumed([{ ...message, remaining: 59 }, ...together])).toEqual([undefined, false, true]);
  });

  test('is not presumed if another way to count explains it', () => {
    const operations: Answer[] = [{}, {}, {}, { operation: 'getPet' }, added, added];
    const answers = operations.map((each, index) => ({ ...together[index], ...each }));
    expect(presumed([{ ...message, remaining: 59 }, ...answers])).toEqual([
      undefined,
      false,
      false,
      false,
      false,
    ]);
  });
});

describe('a Reset that is wrong', () => {
  const once = falling([59, 58, 57, 56, 55], list).map((each, index) =>
    index === 2 ? { ...each, reset: reset + 50 } : each,
  );

  test('alone is no reason for another way to count', () => {
    const { accounts, excluded } = explanationOf(shown([...once, { ...added, remaining: 54 }]));
    expect(accounts).toHaveLength(1);
    expect(excluded).toMatchObject({ kind: 'reset', isAlone: true, observation: { exchange: { id: 3 } } });
  });
});

describe('a window that is no minute', () => {
  /** A bucket that is filled again in so many seconds: forty requests at once, and then so few that Remaining does not rise. */
  function bucket(seconds: number, dateAhead: number, resetAhead: number): Answer[] {
    const perSecond = 60 / seconds;
    const times = Array.from({ length: 46 }, (_, sent) =>
      sent < 40 ? sent / 100 : 0.4 + (sent - 39) / perSecond / 1.5,
    );
    let [left, last] = [60, 0];
    return times.map((at) => {
      left = Math.min(60, left + (at - last) * perSecond) - 1;
      last = at;
      const full = Math.ceil(at + (60 - left) / perSecond);
      return { at, dateAhead, remaining: Math.floor(left), reset: NOON + resetAhead + full };
    });
  }
  /** To tens of seconds, as Reset is rounded. */
  const windowOf = (answers: readonly Answer[]) => {
    const { accounts, excluded } = explanationOf(shown(answers));
    return excluded ? [] : accounts.map(({ figures }) => Math.round(figures.windowMs / 10_000) * 10);
  };

  test.each<[what: string, answers: readonly Answer[], seconds: readonly number[]]>([
    ['a third of a minute', bucket(20, 0, 0), [20]],
    ['five minutes', bucket(300, 0, 0), [300]],
    ['a third of a minute, by a clock that is ahead', bucket(20, 300, 300), [20]],
    ['a third of a minute, by our clock, although Date is ahead', bucket(20, 300, 0), [20]],
    ['a third of a minute, by neither clock', bucket(20, 300, 150), []],
  ])('%s', (_what, answers, seconds) => {
    expect(windowOf(answers)).toEqual(seconds);
  });

  test('is not looked for if a minute explains all by our clock, although Date is ahead', () => {
    const [account] = explanationOf(shown(bucket(60, 300, 0))).accounts;
    expect(account?.figures.windowMs).toBe(60_000);
  });

  test('what is wrong by both clocks is wrong by that of Date', () => {
    const ahead = falling([59, 58, 57], { dateAhead: 300, reset: reset + 300 });
    const answers = [...ahead, early(56, { dateAhead: 300, reset: reset + 300 })];
    expect(explained(answers).until).toBe(4);
  });
});

test('each operation has a count of its own, and several lists at a time all got what the last of them left', () => {
  const together = Array.from({ length: 4 }, (_, index): Answer => ({ remaining: 52, inFlight: index + 1 }));
  const lists = [...falling([59, 58, 57, 56]), ...together, ...falling([51, 50])];
  const answers = [...falling([59, 58], added), ...lists].map((each, index) => ({
    reset,
    at: (index - (each.inFlight ?? 1)) / 50,
    ...each,
  }));
  expect(explained(answers)).toEqual({
    models: [FIXED, 'fixed window, Remaining as of the response'],
    until: undefined,
  });
});

test('more than the limit are let through: that most of them are free is no reason', () => {
  const answers = falling(Array(65).fill(59), { stage: 'exhaust', reset });
  expect(explanationOf(shown(answers)).excluded).toMatchObject({ kind: 'let-through', isCounted: true });
});
