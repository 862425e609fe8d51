import { describe, expect, test } from 'vitest';
import { probeNamed } from '../test/exchanges/exchanges.ts';
import {
  findingBeside,
  findingOf,
  findingsOf,
  probesFor,
  type Sent,
} from '../test/exchanges/suite-evidence.ts';

const pets = (count: number, from = 1) =>
  Array.from({ length: count }, (_, index) => ({ id: from + index, name: 'Mo', categoryId: 1 }));
const list = (probe: string, count: number, more: Partial<Sent> = {}): Sent => ({
  probe: `listPets:${probe}`,
  body: pets(count),
  ...more,
});
/** A list with another page size than a run asks for. */
const pageOf = (limit: number, count: number): Sent =>
  list('limit=maximum', count, { as: { query: [['limit', String(limit)]] } });

const titleOf = (probe: string) => probeNamed(probe).title;

const held = { status: 'met', exercised: true };
const nothing = { status: 'met', exercised: false };
const inTurn = (...exchanges: number[]) => ({ kind: 'in-turn', exchanges });
const tooMany = (reason: string, most: number, count: number) => ({
  status: 'violated',
  reason,
  expected: `at most ${most} animals`,
  received: `${count} animals`,
  pointer: `/${most}`,
});

test('one animal is an animal, not animals', () => {
  const { expected, received } = findingOf('listPets.limit', [pageOf(1, 2)]);
  expect([expected, received]).toEqual(['at most 1 animal', '2 animals']);
});

test('which lists a requirement is about', () => {
  const named = (requirement: string) => probesFor(requirement).map((id) => id.replace('listPets:', ''));
  const limited = ['limit=minimum', 'limit=maximum', 'all-parameters', 'exhaust', 'recover'];
  const filtered = ['status=available', 'status=pending', 'status=sold'];
  expect(named('listPets.limit')).toEqual(expect.arrayContaining([...limited, ...filtered]));
  expect(named('listPets.limit')).toHaveLength(8);
  expect(named('listPets.limit.default')).toEqual(['plain', 'status-alone']);
  expect(named('listPets.status')).toEqual([...filtered, 'status-alone', 'all-parameters']);
  expect(named('open.limit-out-of-range')).toEqual(['limit=below', 'limit=above', 'limit=wrong-type']);
  expect(named('open.status-unknown')).toEqual(['status=non-member']);
  const all = named('listPets.page');
  expect(all).toEqual(expect.arrayContaining(['plain', 'status-alone', 'limit=above', ...limited]));
  expect(all.filter((name) => /key|[cg]etPet|Orders|Message/.test(name))).toEqual([]);
  expect([named('listPets.distinct'), named('open.paging'), named('open.ordering')]).toEqual([all, all, all]);
});

describe('no more animals than asked for', () => {
  const reason = 'limit=3 returned more animals than requested';

  test.each<[what: string, sent: Sent[], expected: object]>([
    ['as many', [pageOf(3, 3)], held],
    ['fewer', [pageOf(3, 2)], nothing],
    ['more', [pageOf(3, 4)], tooMany(reason, 3, 4)],
    [
      'more, as in every list',
      [list('plain', 4), pageOf(3, 4)],
      { ...tooMany(reason, 3, 4), repetition: inTurn(1, 2) },
    ],
  ])('%s', (_what, sent, expected) => {
    expect(findingOf('listPets.limit', sent)).toMatchObject(expected);
  });

  test.each<[what: string, sent: Sent[]]>([
    ['alone', [pageOf(3, 4)]],
    ['and another list differs', [list('plain', 4), list('limit=minimum', 1), pageOf(3, 4)]],
    ['and a later list differs', [list('plain', 4), pageOf(3, 4), list('status-alone', 2)]],
    ['and the list is the first', [pageOf(3, 4), list('status-alone', 4)]],
    [
      'and the list before it has another fault',
      [list('plain', 0, { body: [...pets(3), {}] }), pageOf(3, 4)],
    ],
  ])('more, %s: the one request shows it', (_what, sent) => {
    const finding = findingOf('listPets.limit', sent);
    expect(finding.status).toBe('violated');
    expect(finding.repetition).toBeUndefined();
  });
});

describe('without limit, a page of 20', () => {
  test.each<[what: string, sent: Sent[], expected: object]>([
    ['as many', [list('plain', 20)], held],
    [
      'more',
      [list('plain', 21)],
      tooMany('without limit, the page has more than the default of 20 animals', 20, 21),
    ],
  ])('%s', (_what, sent, expected) => {
    expect(findingOf('listPets.limit.default', sent)).toMatchObject(expected);
  });
});

describe('at most 100 animals, whatever is asked for', () => {
  test.each<[what: string, sent: Sent, expected: object]>([
    ['100', list('limit=above', 100), held],
    ['99', list('limit=above', 99), nothing],
    ['101', list('limit=above', 101), tooMany('a page has more than the maximum of 100 animals', 100, 101)],
    ['101 where another requirement says how many', list('limit=maximum', 101), nothing],
  ])('%s', (_what, sent, expected) => {
    expect(findingOf('listPets.page', [sent])).toMatchObject(expected);
  });
});

test.each([
  ['listPets.limit.default', 'listPets.limit'],
  ['listPets.page', 'listPets.limit'],
  ['listPets.page', 'listPets.limit.default'],
])('%s is not judged where %s is violated', (requirement, cause) => {
  expect(findingBeside(requirement, cause)).toMatchObject({ status: 'not-tested', cause });
});

describe('a filter selects animals with its status', () => {
  const sold = (...statuses: (string | undefined)[]): Sent => ({
    probe: 'listPets:status=sold',
    body: statuses.map((status, index) => ({ ...pets(1, index + 1)[0], ...(status ? { status } : {}) })),
  });
  const other = {
    status: 'violated',
    reason: 'status=sold returned an animal with another status',
    expected: 'only animals with status sold',
    received: 'an animal with status "pending"',
    pointer: '/1/status',
  };

  test.each<[what: string, sent: Sent[], expected: object]>([
    ['and no others', [sold('sold', 'sold')], held],
    ['and another one', [sold('sold', 'pending')], other],
    [
      'and the last of a full page with another',
      [sold(...Array(99).fill('sold'), 'pending')],
      { ...other, pointer: '/99/status' },
    ],
    [
      'and one without a status',
      [sold(undefined)],
      { ...other, received: 'an animal with no status', pointer: '/0/status' },
    ],
    [
      'and all others, as every list',
      [{ ...sold('sold', 'pending'), probe: 'listPets:plain' }, sold('sold', 'pending')],
      { ...other, repetition: inTurn(1, 2) },
    ],
  ])('%s', (_what, sent, expected) => {
    expect(findingOf('listPets.status', sent)).toMatchObject(expected);
  });
});

describe('no animal is twice in a list', () => {
  test.each<[what: string, ids: (number | bigint)[], expected: object]>([
    ['two animals', [1, 2], held],
    ['one animal', [1], nothing],
    [
      'one animal twice',
      [2, 1, 3, 1],
      {
        status: 'violated',
        reason: 'an id occurs twice in one list',
        expected: 'every id once',
        received: 'id 1 at index 1 and 3',
        pointer: '/3/id',
      },
    ],
    ['ids that differ beyond 2^53', [9007199254740993n, 9007199254740992n], held],
  ])('%s', (_what, ids, expected) => {
    const body = ids.map((id) => ({ id, name: 'Mo', categoryId: 1 }));
    expect(findingOf('listPets.distinct', [{ probe: 'listPets:plain', body }])).toMatchObject(expected);
  });

  test('an addition that got the id of another animal explains both', () => {
    const rex = { id: 1, name: 'Rex', categoryId: 1 };
    const mo = { ...rex, name: 'Mo' };
    const added = (probe: string, body: typeof rex): Sent => ({
      probe,
      sent: { name: body.name, categoryId: 1 },
      body,
    });
    const findings = findingsOf([
      added('createPet:minimal', rex),
      added('createPet:full-1', mo),
      { probe: 'listPets:limit=maximum', body: [rex, mo] },
    ]);
    expect(findings['createPet.id']).toMatchObject({ status: 'violated' });
    expect(findings['listPets.distinct']).toMatchObject({
      status: 'not-tested',
      untested: 'blocked',
      cause: 'createPet.id',
    });
  });
});

describe('what the interface leaves open about lists', () => {
  const ordered = (...ids: number[]): Sent => ({
    probe: 'listPets:plain',
    body: ids.map((id) => ({ id, name: 'Mo', categoryId: 1 })),
  });
  const failing = (probe: string, status: number): Sent => ({
    probe,
    status,
    body: { code: 'c', message: 'm', status },
  });

  test.each<[requirement: string, sent: Sent[], observed: string]>([
    ['open.paging', [list('plain', 1)], 'no header for a following page'],
    [
      'open.paging',
      [
        list('plain', 1, {
          headers: [
            ['Link', '</pets>'],
            ['X-Next-Page', '2'],
            ['Permalink', '1'],
            ['Link-Template', '1'],
            ['X-Total', '9'],
          ],
        }),
      ],
      'headers Link, X-Next-Page, X-Total',
    ],
    ['open.ordering', [ordered(1, 2)], 'no response showed this'],
    ['open.ordering', [ordered(1, 2, 5)], 'by id, ascending'],
    ['open.ordering', [ordered(5, 2, 1)], 'by id, descending'],
    ['open.ordering', [ordered(1, 5, 2)], 'not by id'],
    ['open.ordering', [ordered(5, 1, 2)], 'not by id'],
    ['open.ordering', [ordered(1, 1, 1)], 'not by id'],
    [
      'open.ordering',
      [ordered(1, 2, 3), { ...ordered(1, 2, 4, 3), probe: 'listPets:limit=maximum' }],
      'not by id',
    ],
    [
      'open.ordering',
      [ordered(1, 2, 4, 3), { ...ordered(1, 2, 3), probe: 'listPets:limit=maximum' }],
      'not by id',
    ],
    [
      'open.limit-out-of-range',
      [list('limit=above', 3), list('limit=above', 3), failing('listPets:limit=wrong-type', 422)],
      `${titleOf('listPets:limit=above')}: 200 with 3 entries; ${titleOf('listPets:limit=wrong-type')}: 422`,
    ],
  ])('%s: %#', (requirement, sent, observed) => {
    expect(findingOf(requirement, sent)).toMatchObject({ status: 'observed', observed });
  });
});
