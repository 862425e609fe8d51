import { describe, expect, test } from 'vitest';
import { exchange } from '../../../test/exchanges/exchange.ts';
import { contractOf, operation, parameter, response } from '../../../test/operations/operations.ts';
import type { Finding } from '../../model/finding.ts';
import type { Json } from '../../model/json.ts';
import { probe } from '../../probes/probe.ts';
import type { Judged } from '../evidence/judged.ts';
import { followedChecks } from './followed-pages.ts';

const URL_OF_LIST = 'http://127.0.0.1/v1/events';
const event = { type: 'object', properties: { id: { type: 'integer' }, kind: { type: 'string' } } };

/** A list of events whose responses name the next page in this field. */
const listing = (field: string) =>
  operation({
    id: 'listEvents',
    path: '/events',
    parameters: [parameter('limit', { type: 'integer' }), parameter('cursor', { type: 'string' })],
    responses: [
      response('200', {
        schema: {
          type: 'object',
          properties: { items: { type: 'array', items: event }, [field]: { type: 'string' } },
        },
      }),
    ],
  });

/** The ids, or kinds, of the entries of a page; what it names as the next one; and the query that asks for it. */
type Page = readonly [entries: readonly (number | string)[], next?: string | null, query?: string];
/** Undefined where a request got no response. */
type Pages = readonly (Page | undefined)[];

const entriesOf = (entries: Page[0]): Json[] =>
  entries.map((entry) => (typeof entry === 'number' ? { id: entry } : { kind: entry }));

/** What is found if the list shows these entries before and after (null: no response came), and its pages are these. */
function found(
  pages: Pages,
  before: Page[0],
  { after = before, field = 'next_cursor' }: { after?: Page[0] | null; field?: string } = {},
): Finding {
  const list = listing(field);
  const contract = contractOf([list]);
  const judgedOf = (name: string, id: number, page: Page | undefined): Judged => {
    const asked = probe(list, `cursor=${name}`, 'list', { title: name });
    const shared = { probe: asked, operation: list, met: [], deviations: [], hidden: [] };
    const sent = { id, probe: asked.id, operation: list.id };
    if (!page) return { ...shared, exchange: exchange({ ...sent, url: URL_OF_LIST }), outcome: 'deviant' };
    const [entries, next, query = `cursor=${id}`] = page;
    return {
      ...shared,
      exchange: exchange({
        ...{ ...sent, url: `${URL_OF_LIST}?${query}` },
        response: { status: 200, headers: [], body: '' },
      }),
      value: { items: entriesOf(entries), ...(next === undefined ? {} : { [field]: next }) },
      ...{ outcome: 'answered', isSound: true },
    };
  };
  const judged = [
    judgedOf('before-pages', 100, [before]),
    ...pages.map((page, index) => judgedOf(`page-${index + 1}`, index + 1, page)),
    judgedOf('after-pages', 200, after ? [after] : undefined),
  ];
  const [check] = followedChecks(contract);
  if (!check) throw new Error('no check');
  return check.judge({
    ...{ contract, judged, unsent: [], probes: judged.map((each) => each.probe), today: 0 },
    ...{ referencesKnown: true, baseUrl: 'http://127.0.0.1/v1', sharedKey: false },
  });
}

const inShort = ({ status, exercised, reason, received }: Finding) =>
  status === 'met' ? (exercised ? 'met' : 'nothing') : `${reason}: ${received ?? ''}`;

const lost = (entry: string, pages: number) =>
  `an entry of the list is in none of the pages by cursor: ${entry} in the list, and in none of ${pages} pages`;
const twice = (entry: string, one: number, other: number) =>
  `an entry is in two of the pages by cursor: ${entry} in pages ${one} and ${other}`;

const FIVE = [1, 2, 3, 4, 5];
const TEN: Page[] = Array.from({ length: 10 }, (_, index) => [[index + 1], `c${index + 1}`]);

describe('pages that a client follows:', () => {
  test.each<[what: string, pages: Pages, before: Page[0], shown: string]>([
    ['each entry is in one of them', [[[1, 2], 'c'], [[3, 4], 'd'], [[5]]], FIVE, 'met'],
    ['one is lost between two', [[[1, 2], 'c'], [[4, 5]]], FIVE, lost('{"id":3}', 2)],
    ['the first one is lost', [[[2, 3], 'c'], [[4, 5]]], FIVE, lost('{"id":1}', 2)],
    ['no response comes to the last request', [[[1, 2], 'c'], [[3, 4], 'd'], undefined], FIVE, 'met'],
    ['one is lost before that', [[[1], 'c'], [[3, 4], 'd'], undefined], FIVE, lost('{"id":2}', 2)],
    ['a page in between is not known', [[[1, 2], 'c'], undefined, [[5]]], FIVE, 'nothing'],
    ['the first page is not known', [undefined, [[3, 4], 'd'], [[5]]], FIVE, 'nothing'],
    ['no page is known', [undefined], FIVE, 'nothing'],
    ['only one has entries', [[[1], 'c'], [[]]], [1], 'nothing'],
    [
      'the last of as many as are asked for repeats one',
      TEN.with(9, [[1, 10], 'c10']),
      [...FIVE, 6, 7, 8, 9, 10, 11],
      twice('{"id":1}', 1, 10),
    ],
    [
      'the next one after two is at another address',
      [
        [[1, 2], 'c'],
        [[3, 4], 'http://other.example/?a=1'],
      ],
      [1, 2, 3, 4],
      'met',
    ],
  ])('%s', (_what, pages, before, shown) => {
    expect(inShort(found(pages, before))).toBe(shown);
  });

  test('a page that is longer than asked for is another finding', () => {
    const pages: Page[] = [
      [[1, 2, 3], 'c', 'limit=2'],
      [[3, 4, 5], null, 'limit=2&cursor=c'],
    ];
    expect(inShort(found(pages, FIVE))).toBe('nothing');
  });

  test('a single one whose next one is at another address', () => {
    const { status, reason, evidence } = found([[[1, 2], 'http://other.example/?a=1']], FIVE);
    expect([status, reason, evidence]).toEqual([
      'not-tested',
      'the next page is not at the address of the list, so petspec does not follow it',
      [1],
    ]);
  });

  test('of a list that changed meanwhile, they show nothing', () => {
    const { status, reason } = found([[[1, 2], 'c'], [[4, 5]]], FIVE, { after: [1, 2, 4, 5] });
    expect([status, reason]).toEqual(['not-tested', 'the list changed while its pages were followed']);
  });

  test('of a list that may have changed, none is known to be lost', () => {
    expect(inShort(found([[[1, 2], 'c'], [[4, 5]]], FIVE, { after: null }))).toBe('met');
  });
});

describe('pages that have not ended, and lack an entry:', () => {
  test.each<[what: string, pages: Pages, before: Page[0], shown: string]>([
    [
      'their order is another one',
      [
        [[1, 4], 'c'],
        [[3], 'd'],
      ],
      FIVE,
      'met',
    ],
    [
      'their order is the reverse, and the first may come',
      [
        [[4, 3], 'c'],
        [[2], 'd'],
      ],
      FIVE,
      'met',
    ],
    [
      'the list has one twice, so its order is not sure',
      [
        [[1, 6], 'c'],
        [[3], 'd'],
      ],
      [1, 1, 6, 2, 3],
      'met',
    ],
    [
      'an event like another is no sign of another order',
      [
        [['start', 'tick'], 'c'],
        [['tick', 'stop'], 'd'],
      ],
      ['start', 'tick', 'pause', 'stop', 'end'],
      lost('{"kind":"pause"}', 2),
    ],
  ])('%s', (_what, pages, before, shown) => {
    expect(inShort(found(pages, before))).toBe(shown);
  });
});

describe('a cursor that may be the place of the page itself', () => {
  test.each<[what: string, pages: Pages]>([
    ['leads to the same entries', [[[1, 2], 'start'], [[1, 2]]]],
    [
      'leads to the same page',
      [
        [[1, 2], 'c'],
        [[3, 4], 'c', 'cursor=c'],
        [[3, 4], 'c', 'cursor=c'],
      ],
    ],
  ])('%s: no entry is twice', (_what, pages) => {
    expect(inShort(found(pages, FIVE, { field: 'cursor' }))).toBe('nothing');
  });
});

test('a lost entry is shown by the list and its pages, the last one first', () => {
  expect(found([[[1, 2], 'c'], [[4, 5]]], FIVE)).toMatchObject({
    kind: 'sequence',
    expected: 'each entry once',
    evidence: [2, 1, 100],
    deviating: [2],
    repetition: { kind: 'in-turn', exchanges: [100, 1, 2] },
  });
});

test('each list has a check of its requests alone', () => {
  const list = listing('next_cursor');
  const [check, ...others] = followedChecks(contractOf([list]));
  expect(others).toEqual([]);
  expect(check).toMatchObject({ phase: 'functional', operations: new Set(['listEvents']) });
  const isAsked = (name: string) => check?.probes(probe(list, name, 'list', { title: name }));
  const asked = ['before-pages', 'page-1', 'page-10', 'after-pages'].map((name) => isAsked(`cursor=${name}`));
  expect(asked).toEqual([true, true, true, true]);
  expect(['plain', 'cursor=page-11', 'limit=page-1'].map(isAsked)).toEqual([false, false, false]);
});
