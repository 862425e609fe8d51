import { describe, expect, test } from 'vitest';
import { exchange } from '../../test/exchanges/exchange.ts';
import type { Exchange } from '../model/exchange.ts';
import { fellBetween, inTurns, type Turn, type TurnRemaining, toldBy } from './turns.ts';

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
