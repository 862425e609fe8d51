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
const inTurn = (...exchanges: number[]) => ({ kind: 'in-turn', exchanges });

describe('without limit, a page of 20', () => {
  const stated = pageOf(20, 20);
  const large = pageOf(100, 40);
  const tooFew = {
    status: 'violated',
    reason: 'without limit, the page has fewer than the default of 20 animals, although more exist',
    expected: '20 animals',
    received: '19 animals, while limit=20 returned 20',
    pointer: '',
    repetition: inTurn(1, 2),
  };

  test.each<[what: string, sent: Sent[], expected: object]>([
    ['fewer, of a store that may have no more', [list('plain', 19)], nothing],
    ['fewer than with limit=20', [list('plain', 19), stated, large], tooFew],
    [
      'fewer than with limit=20 before',
      [large, stated, list('plain', 19)],
      { ...tooFew, repetition: inTurn(2, 3) },
    ],
    [
      'fewer than with limit=20, of a store that may have lost one',
      [list('plain', 19), stated, pageOf(100, 39)],
      nothing,
    ],
    [
      'fewer than with limit=20, and a larger page has a gap',
      [list('plain', 19), stated, large, pageOf(30, 29)],
      nothing,
    ],
    ['fewer, as with limit=20', [list('plain', 16), pageOf(20, 16), large], nothing],
    ['fewer, although the largest page is full', [list('plain', 16), pageOf(100, 100)], nothing],
    [
      'fewer, although some larger pages are full',
      [list('plain', 16), pageOf(100, 100), pageOf(50, 50), pageOf(30, 24)],
      nothing,
    ],
    [
      'fewer, and the page with limit=20 has another fault',
      [list('plain', 19), { ...stated, body: [...pets(19), {}] }, large],
      nothing,
    ],
    [
      'fewer, and only a filtered page with limit=20 is full',
      [
        list('plain', 19),
        list('all-parameters', 20, {
          as: {
            query: [
              ['limit', '20'],
              ['status', 'sold'],
            ],
          },
          body: pets(20).map((each) => ({ ...each, status: 'sold' })),
        }),
        large,
      ],
      nothing,
    ],
    [
      'fewer with a filter',
      [
        list('status-alone', 19, { body: pets(19).map((each) => ({ ...each, status: 'sold' })) }),
        stated,
        large,
      ],
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
        repetition: inTurn(1, 2, 3),
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
      [pageOf(19, 19), again(10), laterOf(80, 40)],
      nothing,
    ],
    ['half as many, and it was never full', [list('plain', 19), again(9), laterOf(80, 40)], nothing],
    ['a little fewer than before', [list('plain', 20), again(11), laterOf(80, 40)], held],
    [
      'fewer at a time when others add animals',
      [list('plain', 19, { change: OF_OTHERS }), stated, large],
      nothing,
    ],
  ])('%s', (_what, sent, expected) => {
    expect(findingOf('listPets.limit.default', sent)).toMatchObject(expected);
  });
});
