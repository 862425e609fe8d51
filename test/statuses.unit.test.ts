import { expect, test } from 'vitest';
import type { Evidence } from '../src/judge/check.ts';
import { judgeExchanges } from '../src/judge/exchange/judge-exchanges.ts';
import { otherStatusesIn } from '../suites/statuses.ts';
import { contract, exchangeOf, JSON_HEADERS, probeNamed, probes } from './exchanges.ts';

type Status = 'available' | 'pending' | 'sold';

/** A list: of how many animals, and their status; and how many more are sold. */
type Shown = readonly [probe: string, status: Status, count?: number, sold?: number];

const PLAIN = 'listPets:plain';
const SOLD = 'listPets:status=sold';
const LARGEST = 'listPets:limit=maximum';

/** The ids of the lists whose animals have another status than those of the other kind. */
function found(lists: readonly Shown[]): number[] {
  const exchanges = lists.map(([probe, status, count = 10, sold = 0], index) => {
    const animals = Array.from({ length: count + sold }, (_, id) => ({
      ...{ id, name: 'Mo', categoryId: 1 },
      status: id < count ? status : 'sold',
    }));
    return exchangeOf(probeNamed(probe), {
      ...{ id: index + 1, sentAt: index, receivedAt: index, inFlight: 1 },
      response: { status: 200, headers: JSON_HEADERS, body: JSON.stringify(animals) },
    });
  });
  const circumstances = { contract, probes, today: 0, referencesKnown: true };
  const judged = judgeExchanges(exchanges, circumstances);
  const evidence: Evidence = { ...circumstances, judged, unsent: [], baseUrl: '', sharedKey: false };
  return [...otherStatusesIn(evidence).keys()].map(({ exchange }) => exchange.id);
}

test.each<[what: string, lists: Shown[], wrong: number[]]>([
  [
    'the filter agrees with the other lists',
    [
      [PLAIN, 'sold'],
      [SOLD, 'sold'],
      [LARGEST, 'sold'],
    ],
    [],
  ],
  [
    'only lists without the filter show them so',
    [
      [PLAIN, 'pending'],
      [SOLD, 'sold'],
      [LARGEST, 'pending'],
    ],
    [3],
  ],
  [
    'they do between two lists with a filter',
    [
      [SOLD, 'sold'],
      [PLAIN, 'pending'],
      [SOLD, 'sold'],
    ],
    [2],
  ],
  [
    'they were sold in between',
    [
      [PLAIN, 'pending'],
      [SOLD, 'sold'],
      [LARGEST, 'sold'],
    ],
    [],
  ],
  [
    'they were sold at the end',
    [
      [PLAIN, 'pending'],
      [LARGEST, 'pending'],
      [SOLD, 'sold'],
    ],
    [],
  ],
  [
    'a few were sold and came back',
    [
      [PLAIN, 'pending', 7],
      [SOLD, 'sold', 7],
      [LARGEST, 'pending', 7],
    ],
    [],
  ],
  [
    'half of those that a copy shows as sold are not sold any more',
    [
      [PLAIN, 'pending', 10, 10],
      [SOLD, 'sold', 10, 10],
      [LARGEST, 'pending', 10, 10],
    ],
    [],
  ],
  [
    'their status keeps changing',
    [
      [PLAIN, 'pending'],
      [SOLD, 'sold'],
      [LARGEST, 'pending'],
      [PLAIN, 'available'],
    ],
    [],
  ],
])('%s', (_what, lists, wrong) => {
  expect(found(lists)).toEqual(wrong);
});
