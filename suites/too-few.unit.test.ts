import { describe, expect, test } from 'vitest';
import { findingOf, OF_OTHERS, type Sent } from '../test/exchanges/suite-evidence.ts';

const pets = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: index + 1, name: 'Mo', categoryId: 1 }));
const list = (probe: string, count: number, more: Partial<Sent> = {}): Sent => ({
  probe: `listPets:${probe}`,
  body: pets(count),
  ...more,
});
/** A list with another page size than a run asks for. */
const pageOf = (limit: number, count: number): Sent =>
  list('limit=maximum', count, { as: { query: [['limit', String(limit)]] } });
/** The list without parameters, while the limit is used up, and a list after it. */
const again = (count: number): Sent => list('exhaust', count, { as: { query: [] } });
const laterOf = (limit: number, count: number): Sent =>
  list('recover', count, { as: { query: [['limit', String(limit)]] } });

const held = { status: 'met', exercised: true };
const nothing = { status: 'met', exercised: false };
const inTurn = (shows: string, ...exchanges: number[]) => ({ kind: 'in-turn', exchanges, shows });

describe('without limit, a page of 20', () => {
  const large = pageOf(40, 40);
  const tooFew = {
    status: 'violated',
    reason: 'without limit, the page has fewer than the default of 20 animals, although more exist',
    expected: '20 animals',
    received: '19 animals, while limit=40 returned 40',
    pointer: '',
    repetition: inTurn('entries', 1, 2),
  };

  test.each<[what: string, sent: Sent[], expected: object]>([
    ['fewer, of a store that may have no more', [list('plain', 19)], nothing],
    ['fewer, although a large page is full', [list('plain', 19), large], tooFew],
    [
      'fewer, although the largest page is full',
      [list('plain', 19), pageOf(50, 50), large],
      { ...tooFew, received: '19 animals, while limit=50 returned 50' },
    ],
    [
      'fewer, although a larger page is full',
      [list('plain', 19), large, pageOf(50, 50)],
      { ...tooFew, received: '19 animals, while limit=50 returned 50', repetition: inTurn('entries', 1, 3) },
    ],
    ['fewer, and a page has hardly more', [list('plain', 19), pageOf(39, 39)], nothing],
    ['fewer, and no page is full', [list('plain', 19), pageOf(60, 50)], nothing],
    [
      'fewer, and the full page has another fault',
      [list('plain', 19), { ...large, body: [...pets(39), {}] }],
      nothing,
    ],
    [
      'fewer with a filter',
      [list('status-alone', 19, { body: pets(19).map((each) => ({ ...each, status: 'sold' })) }), large],
      nothing,
    ],
    [
      'half as many, although it had as many before and the store has more',
      [list('plain', 20), again(10), laterOf(80, 40)],
      {
        ...tooFew,
        received: '10 animals, while the same request returned 20 before',
      },
    ],
    [
      'half as many after another list, which may be the reason',
      [list('plain', 20), pageOf(80, 40), again(10), laterOf(80, 40)],
      {
        ...tooFew,
        received: '10 animals, while the same request returned 20 before',
        repetition: inTurn('entries', 1, 2, 3),
      },
    ],
    [
      'half as many, and no later list shows that the store has twice as many',
      [list('plain', 20), pageOf(80, 40), again(10), laterOf(80, 39)],
      held,
    ],
    ['half as many, and as many only later', [list('plain', 10), again(20), laterOf(80, 40)], held],
    [
      'half as many, and only a page of another size was full',
      [pageOf(20, 20), again(10), laterOf(80, 40)],
      nothing,
    ],
    ['half as many, and it was never full', [list('plain', 19), again(9), laterOf(80, 40)], nothing],
    ['a little fewer than before', [list('plain', 20), again(11), laterOf(80, 40)], held],
    ['fewer at a time when others add animals', [list('plain', 19, { change: OF_OTHERS }), large], nothing],
  ])('%s', (_what, sent, expected) => {
    expect(findingOf('listPets.limit.default', sent)).toMatchObject(expected);
  });
});
