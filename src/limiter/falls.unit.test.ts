import { describe, expect, test } from 'vitest';
import { exchange } from '../../test/exchanges/exchange.ts';
import { observed, type Seen } from '../../test/limiters/limiter-states.ts';
import type { Exchange } from '../model/exchange.ts';
import {
  fallsAlone,
  fallsOf,
  fellBetween,
  inTurns,
  seemsCounted,
  type Turn,
  type TurnRemaining,
  toldBy,
  usualFall,
} from './falls.ts';

/** A response: its number, from when to when (ms), its Remaining and its status. */
function responded(
  id: number,
  from: number,
  to: number,
  remaining?: number,
  change: Partial<Exchange> = {},
): Exchange {
  return exchange({
    id,
    sentAt: from,
    receivedAt: to,
    response: { status: 200, headers: [], body: '' },
    rate: remaining === undefined ? {} : { remaining },
    ...change,
  });
}

const all = () => true;
const refusal = { response: { status: 429, headers: [], body: '' } };

describe('requests are divided where none was under way', () => {
  const two = [responded(1, 0, 5), responded(2, 3, 9)];
  const last = responded(3, 9, 12);
  const idsOf = (turns: readonly Turn[]) =>
    turns.map(({ exchanges, before, sent }) => [exchanges.map(({ id }) => id), before, sent]);

  test('and their numbers tell how many were sent before and until their end', () => {
    expect(idsOf(inTurns([...two, last], all))).toEqual([
      [[1, 2], 0, 2],
      [[3], 2, 3],
    ]);
    expect(idsOf(inTurns([last, ...two], all))).toEqual(idsOf(inTurns([...two, last], all)));
  });

  test('those of another count are sent, too', () => {
    expect(idsOf(inTurns([...two, last], ({ id }) => id !== 2))).toEqual([
      [[1], 0, 2],
      [[3], 2, 3],
    ]);
  });

  test('one that was sent again is sent twice, and one that is not counted never', () => {
    const again = [{ ...responded(1, 0, 5), isRepeated: true as const }, responded(2, 6, 7), last];
    expect(idsOf(inTurns(again, all, ({ id }) => id === 2))).toEqual([
      [[1], 0, 2],
      [[2], 2, 2],
      [[3], 2, 3],
    ]);
  });
});

describe('what is left after a turn', () => {
  const turnOf = (...exchanges: Exchange[]): Turn => ({ exchanges, before: 4, sent: 9 });

  test('is the least that a response tells', () => {
    const told = toldBy(turnOf(responded(5, 0, 5, 50), responded(6, 1, 6, 48), responded(7, 2, 7)));
    expect(told).toMatchObject({ remaining: 48, counted: 6, sent: 9, isAlone: false, first: { id: 5 } });
    expect(toldBy(turnOf(responded(5, 0, 5, 50)))).toMatchObject({
      remaining: 50,
      counted: 5,
      isAlone: true,
    });
  });

  test.each<[what: string, change: Partial<Exchange>]>([
    ['a wrong key', { key: 'absent' }],
    ['a varied request', { variation: 'spelling' }],
    ['a refusal', refusal],
  ])('is not told by %s', (_what, change) => {
    expect(toldBy(turnOf(responded(5, 0, 5, 50), responded(6, 1, 6, 3, change)))?.remaining).toBe(50);
    expect(toldBy(turnOf(responded(5, 0, 5, 3, change)))).toBeUndefined();
  });

  test('is told by requests of the same kind or of others', () => {
    const kindOf = (...exchanges: Exchange[]) => toldBy(turnOf(...exchanges))?.kind;
    const read = responded(5, 0, 5, 50);
    expect(kindOf(responded(6, 0, 5, 40))).toBe(kindOf(read));
    const others = [
      kindOf({ ...read, operation: 'createPet' }),
      kindOf({ ...read, response: { status: 404, headers: [], body: '' } }),
      kindOf(read, read),
    ];
    expect(others).not.toContain(kindOf(read));
  });

  test('may be less than before', () => {
    const told = (remaining: number) => toldBy(turnOf(responded(5, 0, 5, remaining))) as TurnRemaining;
    expect([fellBetween(told(50), told(47)), fellBetween(told(1), told(59))]).toEqual([3, -58]);
  });
});

test.each<[what: string, remaining: number[], excesses: number[]]>([
  ['of one for each request exceeds nothing', [59, 58, 57], [0, 0]],
  ['of more exceeds what was sent', [59, 55], [3]],
  ['of none is less than was sent', [59, 59], [-1]],
  ['is not where a window begins', [1, 0, 59, 58], [0, 0]],
])('a fall %s', (_what, remaining, excesses) => {
  const exchanges = remaining.map((left, index) => responded(index + 1, 10 * index, 10 * index + 5, left));
  expect(fallsOf(exchanges, all)).toEqual(excesses.map((excess) => ({ excess, wrongKeys: 0 })));
});

const observations = (...seen: readonly Seen[]) => seen.map((each) => observed({ kind: 'list', ...each }));

test('what a kind of request takes off is what Remaining falls by as a rule', () => {
  const falls = fallsAlone(
    observations(
      { at: 0, remaining: 50 },
      { at: 0.1, remaining: 41 },
      { at: 0.2, remaining: 32 },
      { at: 0.3, remaining: 30, kind: 'read' },
      { at: 0.4, remaining: 22 },
    ),
  );
  expect(falls.ofKind.get('list')).toEqual([9, 9, 8]);
  expect([usualFall(falls, 'list', 'listPets'), usualFall(falls, 'read', 'listPets')]).toEqual([9, 2]);
});

test('a fall counts late in a run as well', () => {
  const falls = fallsAlone(observations({ at: 600, remaining: 50 }, { at: 600.1, remaining: 41 }));
  expect(falls.ofKind.get('list')).toEqual([9]);
});

const inBurst = { exchange: { burst: 'beside' as const } };

test.each<[what: string, first: Seen, second: Seen]>([
  ['after a pause a window may have ended', { at: 0, remaining: 50 }, { at: 5, remaining: 41 }],
  ['a second is a pause', { at: 0, remaining: 50 }, { at: 1, remaining: 41 }],
  ['a new window has more left', { at: 0, remaining: 50 }, { at: 0.1, remaining: 59 }],
  ['a refusal takes nothing', { at: 0, remaining: 50 }, { at: 0.1, remaining: 50, outcome: 'refused' }],
  ['a response may not tell', { at: 0, remaining: 50 }, { at: 0.1 }],
  ['the response before may not tell', { at: 0 }, { at: 0.1, remaining: 41 }],
  ['others of its burst may have taken it', { at: 0, remaining: 50 }, { at: 0.1, remaining: 41, ...inBurst }],
  [
    'others of the burst before may have taken it',
    { at: 0, remaining: 50, ...inBurst },
    { at: 0.1, remaining: 41 },
  ],
  [
    'what is under way at the same time may have taken it',
    { at: 0, remaining: 50 },
    { at: 0.1, remaining: 41, inFlight: 2 },
  ],
  [
    'what was under way before may have taken it',
    { at: 0, remaining: 50, inFlight: 2 },
    { at: 0.1, remaining: 41 },
  ],
])('what one request takes is not shown: %s', (_what, first, second) => {
  expect(fallsAlone(observations(first, second)).ofKind.size).toBe(0);
});

test('a request that is not accepted may be free, and does not say what its operation takes', () => {
  const [first, second] = observations({ at: 0, remaining: 50 }, { at: 0.1, remaining: 50 });
  const refused = [first, second].flatMap((each) =>
    each
      ? [{ ...each, exchange: { ...each.exchange, response: { status: 400, headers: [], body: '' } } }]
      : [],
  );
  const falls = fallsAlone(refused);
  expect([falls.ofKind.get('list'), falls.ofOperation.size]).toEqual([[0], 0]);
});

test('a kind that was never sent alone takes what its operation takes', () => {
  const falls = fallsAlone(observations({ at: 0, remaining: 50 }, { at: 0.1, remaining: 48 }));
  const { operation } = observed({ at: 0 }).exchange;
  expect(usualFall(falls, 'unknown', operation)).toBe(2);
  expect(usualFall(falls, 'unknown', 'another')).toBeUndefined();
});

const wrongKeys = (count: number): Seen[] =>
  Array.from({ length: count }, () => ({
    at: 0,
    kind: 'a rejected key, listPets',
    exchange: { key: 'absent' },
  }));
const told = (remaining: number, change: Partial<Seen> = {}): Seen => ({ at: 0, remaining, ...change });

test.each<[what: string, seen: readonly Seen[], expected: boolean]>([
  ['as Remaining falls by more than the others took', [told(9), ...wrongKeys(4), told(4)], true],
  ['not if there are few', [told(9), ...wrongKeys(3), told(5)], false],
  ['not if it falls by what the others took', [told(9), ...wrongKeys(4), told(8)], false],
  ['if it falls by most of that', [told(9), ...wrongKeys(4), told(5)], true],
  ['not if it falls by half of that', [told(9), ...wrongKeys(4), told(6)], false],
  ['not by what came after a rise', [told(9), told(2), told(9), ...wrongKeys(4), told(8)], false],
  [
    'not if it falls by what the others took at another time',
    [told(9), ...wrongKeys(4), told(8), told(20), ...wrongKeys(5), told(14)],
    false,
  ],
  [
    'whichever of several at a time was counted first',
    [told(9), ...wrongKeys(4), told(3), told(4, { beside: 1 })],
    true,
  ],
  [
    'over a time in which several at once tell it in another order than they were counted',
    [told(9), ...wrongKeys(2), told(5, { beside: 1 }), told(6, { beside: 1 }), ...wrongKeys(2), told(2)],
    true,
  ],
  [
    'not if it falls only for some of them',
    [told(9), ...wrongKeys(4), told(5), ...wrongKeys(4), told(5)],
    false,
  ],
  [
    'in the end, if those beside the first response were counted after it',
    [told(9), ...wrongKeys(4), told(8, { beside: 4 }), told(3)],
    true,
  ],
  ['not by what was counted beside', [told(9), ...wrongKeys(4), told(4, { beside: 2 })], false],
  ['not if no response has a Remaining', wrongKeys(4), false],
])('requests with a wrong key seem to count: %s', (_what, seen, expected) => {
  expect(seemsCounted(seen.map(observed))).toBe(expected);
});
