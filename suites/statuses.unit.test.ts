import { describe, expect, test } from 'vitest';
import type { Json } from '../src/suite.ts';
import { evidenceOf, OF_OTHERS, type Sent } from '../test/exchanges/suite-evidence.ts';
import { otherStatusesIn } from './stored/differing-lists.ts';

const PLAIN = 'listPets:plain';
const SOLD = 'listPets:status=sold';
const PENDING = 'listPets:status=pending';
const LARGEST = 'listPets:limit=maximum';

const pet = (id: number, status: string) => ({ id, name: 'Mo', categoryId: 1, status });

/** A list of so many animals with a status; and how many more are sold. */
const list = (probe: string, status: string, count = 10, sold = 0): Sent => ({
  probe,
  body: Array.from({ length: count + sold }, (_, id) => pet(id, id < count ? status : 'sold')),
});

/** With another first animal, or with one more before it. */
const beginning = ({ body, ...list }: Sent, first: Json, { isInserted = false } = {}): Sent => ({
  ...list,
  body: [first, ...(body as Json[]).slice(isInserted ? 0 : 1)],
});

/** The lists with an animal that has another status in lists of the other kind: which lists show it, and what they show. */
function found(sent: readonly Sent[]) {
  return [...otherStatusesIn(evidenceOf(sent))].map(([{ exchange }, { index, due, others }]) => ({
    list: exchange.id,
    index,
    due,
    others: others.map((each) => each.exchange.id),
  }));
}

/** The filter contradicts the lists before and after it. */
const CONTRADICTED = [list(PLAIN, 'pending'), list(SOLD, 'sold'), list(LARGEST, 'pending')];
const IS_WRONG = { list: 3, index: 0, due: 'sold', others: [2] };

describe('a status that only lists without a filter show', () => {
  test.each<[what: string, sent: Sent[], wrong: object[]]>([
    ['no filter was asked for again', CONTRADICTED, [IS_WRONG]],
    [
      'between two lists with a filter',
      [list(SOLD, 'sold'), list(PLAIN, 'pending'), list(SOLD, 'sold')],
      [{ list: 2, index: 0, due: 'sold', others: [1, 3] }],
    ],
    [
      'as few animals as nobody changes by chance',
      [list(PLAIN, 'pending', 8), list(SOLD, 'sold', 8), list(LARGEST, 'pending', 8)],
      [IS_WRONG],
    ],
    [
      'three quarters of those with the filter',
      [list(PLAIN, 'pending', 9, 3), list(SOLD, 'sold', 9, 3), list(LARGEST, 'pending', 9, 3)],
      [IS_WRONG],
    ],
    [
      'of another animal in the same place, the status is as it was',
      [...CONTRADICTED.slice(0, 2), beginning(list(LARGEST, 'pending'), pet(99, 'available'))],
      [{ ...IS_WRONG, index: 1 }],
    ],
    [
      'one animal is shown without a status once',
      [
        ...CONTRADICTED.slice(0, 2),
        beginning(list(LARGEST, 'pending'), { id: 0, name: 'Mo', categoryId: 1 }),
      ],
      [{ ...IS_WRONG, index: 1 }],
    ],
    [
      'the filter agrees about another status',
      [
        beginning(list(PLAIN, 'pending'), pet(99, 'available'), { isInserted: true }),
        { probe: 'listPets:status=available', body: [pet(99, 'available')] },
        list(SOLD, 'sold'),
        list(LARGEST, 'pending'),
      ],
      [{ ...IS_WRONG, list: 4, others: [3] }],
    ],
    [
      'one of these animals was fetched',
      [
        list(PLAIN, 'pending', 8),
        {
          probe: 'getPet:listPets:plain',
          body: pet(3, 'pending'),
          change: { url: 'http://127.0.0.1/v1/pets/3' },
        },
        list(SOLD, 'sold', 8),
        list(LARGEST, 'pending', 8),
      ],
      [{ ...IS_WRONG, list: 4, others: [3] }],
    ],
    [
      'an addition was rejected, and the Error has the id of such an animal',
      [
        list(PLAIN, 'pending', 8),
        {
          probe: 'createPet:minimum',
          status: 400,
          body: { code: 'c', message: 'm', status: 400, id: 3 },
        },
        list(SOLD, 'sold', 8),
        list(LARGEST, 'pending', 8),
      ],
      [{ ...IS_WRONG, list: 4, others: [3] }],
    ],
  ])('%s', (_what, sent, wrong) => {
    expect(found(sent)).toEqual(wrong);
  });
});

describe('no status is wrong', () => {
  test.each<[what: string, sent: Sent[]]>([
    [
      'where the filter agrees with the other lists',
      [list(PLAIN, 'sold'), list(SOLD, 'sold'), list(LARGEST, 'sold')],
    ],
    [
      'of animals that were sold in between',
      [list(PLAIN, 'pending'), list(SOLD, 'sold'), list(LARGEST, 'sold')],
    ],
    [
      'of animals that were sold at the end',
      [list(PLAIN, 'pending'), list(LARGEST, 'pending'), list(SOLD, 'sold')],
    ],
    ['of animals that came back', [list(SOLD, 'sold'), list(LARGEST, 'pending')]],
    [
      'of a few that were sold and came back',
      [list(PLAIN, 'pending', 7), list(SOLD, 'sold', 7), list(LARGEST, 'pending', 7)],
    ],
    [
      'of half of those that a copy shows as sold',
      [list(PLAIN, 'pending', 10, 10), list(SOLD, 'sold', 10, 10), list(LARGEST, 'pending', 10, 10)],
    ],
    ['of animals whose status keeps changing without a filter', [...CONTRADICTED, list(PLAIN, 'available')]],
    [
      'of animals whose status keeps changing with a filter',
      [list(SOLD, 'sold'), list(PLAIN, 'pending'), list(PENDING, 'pending'), list(SOLD, 'sold')],
    ],
    [
      'of animals that this run added',
      [
        list(PLAIN, 'pending', 8),
        { probe: 'createPet:minimal', sent: { name: 'Mo', categoryId: 1 }, body: pet(3, 'pending') },
        list(SOLD, 'sold', 8),
        list(LARGEST, 'pending', 8),
      ],
    ],
    [
      'in a list that has another fault',
      [
        list(PLAIN, 'pending'),
        beginning(list(SOLD, 'sold'), { id: 99 }, { isInserted: true }),
        list(LARGEST, 'pending'),
      ],
    ],
    [
      'where the interface does not say what a filter selects',
      [list(PLAIN, 'pending'), list('listPets:status=non-member', 'sold'), list(LARGEST, 'pending')],
    ],
    ['in lists that others asked for', CONTRADICTED.map((each) => ({ ...each, change: OF_OTHERS }))],
  ])('%s', (_what, sent) => {
    expect(found(sent)).toEqual([]);
  });
});
