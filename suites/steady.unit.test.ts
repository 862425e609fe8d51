import { expect, test } from 'vitest';
import { judgeExchanges } from '../src/judge/judge-exchanges.ts';
import { contract, exchangeOf, JSON_HEADERS, probeNamed, probes } from '../test/exchanges/exchanges.ts';
import { unsteadyIn } from './stored/differing-lists.ts';

type Shown = readonly [probe: string, name: string, inFlight?: number];

const PLAIN = 'listPets:plain';
const SOLD = 'listPets:status=sold';
const LARGEST = 'listPets:limit=maximum';

/** The ids of the lists that show an animal with another name than lists before and after them. */
function unsteady(shown: readonly Shown[]): number[] {
  const exchanges = shown.map(([probe, name, inFlight = 1], index) => {
    const body = JSON.stringify([
      { id: 7, name: 'Mo', categoryId: 1 },
      { id: 8, name, categoryId: 1 },
    ]);
    const times = { id: index + 1, sentAt: index, receivedAt: index, inFlight };
    return exchangeOf(probeNamed(probe), {
      ...times,
      response: { status: 200, headers: JSON_HEADERS, body },
    });
  });
  const lists = judgeExchanges(exchanges, { contract, probes, today: 0, referencesKnown: true });
  return [...unsteadyIn(lists, ['name', 'categoryId'])].map(([{ exchange }]) => exchange.id);
}

test.each<[what: string, shown: Shown[], found: number[]]>([
  [
    'all lists agree',
    [
      [PLAIN, 'Rex'],
      [SOLD, 'Rex'],
      [LARGEST, 'Rex'],
    ],
    [],
  ],
  [
    'one list differs from those before and after it',
    [
      [PLAIN, 'Rex'],
      [SOLD, 'REX'],
      [LARGEST, 'Rex'],
    ],
    [2],
  ],
  [
    'somebody renamed it',
    [
      [PLAIN, 'Rex'],
      [SOLD, 'Max'],
      [LARGEST, 'Max'],
    ],
    [],
  ],
  [
    'somebody renamed it twice',
    [
      [PLAIN, 'Rex'],
      [SOLD, 'Max'],
      [LARGEST, 'Mia'],
    ],
    [],
  ],
  [
    'no list comes later',
    [
      [PLAIN, 'Rex'],
      [SOLD, 'REX'],
    ],
    [],
  ],
  [
    'the list after it was under way at the same time',
    [
      [PLAIN, 'Rex'],
      [SOLD, 'Max'],
      [LARGEST, 'Rex', 2],
    ],
    [],
  ],
  [
    'the list before it was under way at the same time',
    [
      [PLAIN, 'Rex'],
      [SOLD, 'Max', 2],
      [LARGEST, 'Rex'],
    ],
    [],
  ],
  [
    'a value comes back twice',
    [
      [PLAIN, 'Rex'],
      [SOLD, 'REX'],
      [LARGEST, 'Rex'],
      [SOLD, 'rex'],
      [PLAIN, 'Rex'],
    ],
    [2, 4],
  ],
  [
    'two values take turns',
    [
      [PLAIN, 'Rex'],
      [SOLD, 'Max'],
      [PLAIN, 'Rex'],
      [SOLD, 'Max'],
    ],
    [2, 3],
  ],
])('%s', (_what, shown, found) => {
  expect(unsteady(shown)).toEqual(found);
});

/** As many lists as a part of a recording has at most. */
const MOST_LISTS = 2_000;

test.each<[what: string, nameOf: (list: number) => string]>([
  ['has another name in each', (list) => `Rex ${list}`],
  ['has each name twice', (list) => `Rex ${Math.floor(list / 2)}`],
  ['is renamed between them', (list) => (list < MOST_LISTS / 2 ? 'Rex' : 'Max')],
])('many lists show an animal that %s, in little time', { timeout: 10_000 }, (_what, nameOf) => {
  const lists = Array.from({ length: MOST_LISTS }, (_, list): Shown => [PLAIN, nameOf(list)]);
  expect(unsteady(lists)).toEqual([]);
});
