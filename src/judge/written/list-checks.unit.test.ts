import { describe, expect, test } from 'vitest';
import { exchange } from '../../../test/exchanges/exchange.ts';
import { contractOf, operation, parameter, response } from '../../../test/operations/operations.ts';
import type { Schema } from '../../model/contract.ts';
import type { Json } from '../../model/json.ts';
import { probe } from '../../probes/probe.ts';
import type { Judged } from '../evidence/judged.ts';
import { listChecks } from './list-checks.ts';

const room: Schema = {
  type: 'object',
  properties: { floor: { type: 'integer' }, price: { type: 'number' }, openedAt: { type: 'string' } },
};
const sorts = ['price', '-price', 'price_asc', 'price_desc', 'openedAt_asc'];
const list = operation({
  id: 'listRooms',
  path: '/rooms',
  parameters: [
    parameter('floor', { type: 'integer', minimum: -2, maximum: 40 }),
    parameter('sort', { type: 'string', enum: sorts }),
    parameter('page', { type: 'integer', minimum: 1 }),
    parameter('limit', { type: 'integer', minimum: 1 }),
  ],
  responses: [response('200', { schema: { type: 'array', items: room } })],
});
const contract = contractOf([list]);

/** These entries as the response to a request with this query. */
function judgedOf(name: string, query: string, entries: Json[]): Judged {
  const asked = probe(list, name, 'read', { title: 'rooms' });
  return {
    exchange: exchange({
      ...{ probe: asked.id, operation: list.id, url: `http://127.0.0.1/v1/rooms?${query}` },
      response: { status: 200, headers: [], body: '' },
    }),
    ...{ probe: asked, operation: list, value: entries },
    ...{ outcome: 'answered', isSound: true },
    ...{ met: [], deviations: [], hidden: [] },
  };
}

/** What a check says in short of these responses. */
function foundIn(requirement: string, judged: Judged[]): string {
  const finding = listChecks(contract)
    .find((check) => check.requirement === requirement)
    ?.judge({
      ...{ contract, judged, unsent: [], probes: judged.map((each) => each.probe), today: 0 },
      ...{ referencesKnown: true, baseUrl: 'http://127.0.0.1/v1', sharedKey: false },
    });
  if (!finding) throw new Error(`no check ${requirement}`);
  const { status, exercised, reason, expected, received } = finding;
  if (status === 'violated') return `${reason}: ${expected}; ${received}`;
  return exercised ? status : 'nothing';
}

/** The same if a request with this query gets these entries. */
const shownBy = (requirement: string, query: string, entries: Json[]) =>
  foundIn(requirement, [judgedOf('plain', query, entries)]);

describe('entries that a number selects', () => {
  const another = (asked: number, floor: number) =>
    `floor=${asked} returned an entry with another floor: only entries with floor: ${asked}; floor: ${floor}`;

  test.each<[query: string, floors: number[], shown: string]>([
    ['floor=2', [2, 2], 'met'],
    ['floor=12', [12, 2], another(12, 2)],
    ['floor=-1', [-1, 1], another(-1, 1)],
    ['floor=40', [40, 4], another(40, 4)],
    ['floor=2', [], 'nothing'],
  ])('%s with %j', (query, floors, shown) => {
    const entries = floors.map((floor) => ({ floor }));
    expect(shownBy('listRooms.floor.filter', query, entries)).toBe(shown);
  });

  test.each([
    ['another word', 'floor=lobby'],
    ['a number that is not allowed', 'floor=41'],
    ['a number with an exponent, which a service may not read', 'floor=1e1'],
    ['a number with a fraction', 'floor=1.0'],
    ['a number with a plus', 'floor=%2B1'],
    ['two numbers', 'floor=1&floor=2'],
    ['nothing', 'floor='],
  ])('%s may select any: %s', (_what, query) => {
    expect(shownBy('listRooms.floor.filter', query, [{ floor: 3 }])).toBe('nothing');
  });
});

describe('the order of entries', () => {
  const prices = (...values: number[]) => values.map((price) => ({ price }));
  const wrong = (order: string, received: string) =>
    `the entries are not in the order of price: ${order}; ${received}`;

  test.each<[query: string, entries: Json[], shown: string]>([
    ['sort=price', prices(1, 2, 10), 'met'],
    ['sort=price', prices(10, 2, 1), 'met'],
    ['sort=price', prices(1, 10, 2), wrong('an order by price', '1, 10, 2')],
    ['sort=price_asc', prices(2, 1), wrong('ascending price', '2, 1')],
    ['sort=price_desc', prices(1, 2), wrong('descending price', '1, 2')],
    ['sort=-price', prices(1, 2), wrong('descending price', '1, 2')],
    ['sort=price&order=asc', prices(1, 2), 'met'],
    ['sort=price&order=asc', prices(2, 1), wrong('ascending price', '2, 1')],
    ['sort=price&order=desc', prices(2, 1), 'met'],
    ['sort=price&order=desc', prices(1, 2), wrong('descending price', '1, 2')],
    ['direction=DESC&sort=price', prices(1, 2), wrong('descending price', '1, 2')],
    ['sort=price&sortDir=Asc', prices(2, 1), wrong('ascending price', '2, 1')],
    ['sort=-price&order=asc', prices(2, 1), 'met'],
    ['sort=price&order=up', prices(2, 1), 'met'],
    ['sort=price&price=desc', prices(1, 2), 'met'],
  ])('%s with %j', (query, entries, shown) => {
    expect(shownBy('listRooms.sort.order', query, entries)).toBe(shown);
  });

  const times = ['2026-05-02T01:00:00Z', '2026-05-01T23:00:00-05:00', '2026-05-02T05:00:00Z'];
  test('of times is that of the moments, whatever their zone', () => {
    const shownOf = (values: readonly string[]) =>
      shownBy(
        'listRooms.sort.order',
        'sort=openedAt_asc',
        values.map((openedAt) => ({ openedAt })),
      );
    expect(shownOf(times)).toBe('met');
    expect(shownOf(times.toReversed())).toMatch(/^the entries are not in the order of openedAt: ascending/);
  });

  test.each<[what: string, texts: string[]]>([
    ['by their characters, some of them alike', ['Zoe', 'anna', 'anna']],
    ['as numbers, before a word', ['-3', '-2', 'none']],
    ['as numbers, before a word with a number', ['-3', '-2', 'over 40']],
    ['as numbers, before a number with a unit', ['-3.5', '-2.25', '5 m']],
  ])('of texts may be %s', (_what, texts) => {
    const entries = texts.map((openedAt) => ({ openedAt }));
    expect(shownBy('listRooms.sort.order', 'sort=openedAt_asc', entries)).toBe('met');
  });
});

describe('a page and the next one', () => {
  const rooms = (...ids: number[]) => ids.map((id) => ({ id }));
  const twice = 'an entry is in two pages that follow each other by page: each entry once; {"id":2} in both';

  test.each<[what: string, size: string, first: Json[], next: Json[], shown: string]>([
    ['without a common entry', '&limit=2', rooms(1, 2), rooms(3), 'met'],
    ['with a common entry', '&limit=2', rooms(1, 2), rooms(2, 3), twice],
    ['with a common entry, of no stated size', '', rooms(1, 2), rooms(2, 3), twice],
    ['that are too long, which is another finding', '&limit=1', rooms(1, 2), rooms(2, 3), 'nothing'],
    ['of events that are alike', '&limit=1', [{ kind: 'tick' }], [{ kind: 'tick' }], 'nothing'],
  ])('%s', (_what, size, first, next, shown) => {
    const judged = [
      judgedOf('page=first-page', `page=1${size}`, first),
      judgedOf('page=next-page', `page=2${size}`, next),
    ];
    expect(foundIn('listRooms.page.pages', judged)).toBe(shown);
  });
});
