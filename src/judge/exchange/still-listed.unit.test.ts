import { describe, expect, test } from 'vitest';
import { contract, exchangeOf, JSON_HEADERS, probeNamed, probes } from '../../../test/exchanges.ts';
import type { Exchange } from '../../model/exchange.ts';
import { judgeExchanges } from './judge-exchanges.ts';

const NOT_FOUND = { code: 'not_found', message: 'no such animal', status: 404 };
const FIRST = 9_007_199_254_740_993n;

type Answer = readonly [probe: string, status: number, body: unknown, inFlight?: number];

const listOf = (...ids: bigint[]) => ids.map((id) => ({ id, name: 'Rex', categoryId: 1n }));
const json = (body: unknown) =>
  JSON.stringify(body, (_, value) => (typeof value === 'bigint' ? `#${value}` : value)).replace(
    /"#(-?\d+)"/g,
    '$1',
  );

/** What is held against the read of the first listed animal, among these answers in this order. */
function heldAgainstRead(answers: readonly Answer[], today = 0): readonly string[] | undefined {
  const exchanges = answers.map(([name, status, body, inFlight = 1], index): Exchange => {
    const response = { status, headers: JSON_HEADERS, body: json(body) };
    const times = { id: index + 1, sentAt: index, receivedAt: index, inFlight };
    return exchangeOf(probeNamed(name), { ...times, response });
  });
  return judgeExchanges(exchanges, { contract, probes, today, referencesKnown: true })
    .find(({ probe }) => probe.id === 'getPet:listPets:plain')
    ?.deviations.map(({ requirement }) => requirement);
}

const first: Answer = ['listPets:plain', 200, listOf(FIRST, 7n)];
const absent: Answer = ['getPet:listPets:plain', 404, NOT_FOUND];
const largest = (...ids: bigint[]): Answer => ['listPets:limit=maximum', 200, listOf(...ids)];

describe('the first animal of the listing is not found', () => {
  test.each<[what: string, answers: Answer[], held: string[]]>([
    ['a later list shows it', [first, absent, largest(7n, FIRST)], ['getPet.200']],
    ['no later list shows it: somebody deleted it', [first, absent, largest(7n)], []],
    ['its neighbour is shown, which a double cannot tell from it', [first, absent, largest(FIRST - 1n)], []],
    ['no list comes later', [first, absent], []],
    [
      'a list that was under way at the same time shows it',
      [first, absent, ['listPets:status=sold', 200, listOf(FIRST), 2]],
      [],
    ],
    [
      'a list of the same stage shows it that was sent later',
      [first, absent, ['listPets:status=sold', 200, listOf(FIRST)]],
      ['getPet.200'],
    ],
    ['the list that shows it was sent before', [first, largest(FIRST), absent], []],
    ['the later list is a refusal', [first, absent, ['listPets:limit=maximum', 400, NOT_FOUND]], []],
  ])('%s', (_what, answers, held) => {
    expect(heldAgainstRead(answers)).toEqual(held);
  });

  test('the operation is gone, as announced', () => {
    expect(heldAgainstRead([first, absent, largest(FIRST)], Date.UTC(2030, 11, 5))).toEqual([]);
  });
});
