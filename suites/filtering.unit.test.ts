import { describe, expect, test } from 'vitest';
import { findingOf, OF_OTHERS, type Sent } from '../test/exchanges/suite-evidence.ts';

type Shown = readonly [id: number, status?: string];

const pet = ([id, status]: Shown) => ({ id, name: 'Mo', categoryId: 1, ...(status ? { status } : {}) });
const list =
  (probe: string) =>
  (...shown: Shown[]): Sent => ({ probe: `listPets:${probe}`, body: shown.map(pet) });

/** The requests in the order of a run: those with a filter have the page size of the last, and that of the first. */
const plain = list('plain');
const soldOf100 = list('status=sold');
const above = list('limit=above');
const smallest = list('limit=minimum');
const of100 = list('limit=maximum');
const sold = list('status-alone');

const read = (shown: Shown): Sent => ({
  probe: 'getPet:listPets:plain',
  body: pet(shown),
  change: { url: `http://127.0.0.1/v1/pets/${shown[0]}` },
});
const added = (shown: Shown): Sent => ({
  probe: 'createPet:minimal',
  sent: { name: 'Mo', categoryId: 1 },
  body: pet(shown),
});

const NOT_FOUND = { code: 'c', message: 'm', status: 404 };

const judge = (sent: readonly Sent[]) => findingOf('listPets.status', sent);

const REX: Shown = [1, 'sold'];
const MO: Shown = [2, 'pending'];
const MIA: Shown = [3, 'sold'];

describe('a filter leaves out an animal that lists before and after it show', () => {
  const leftOut = (list: number, shown: number, id = '1') => ({
    status: 'violated',
    reason: 'status=sold left out an animal that has this status',
    expected: `the animals with status sold, such as the one with id ${id}`,
    pointer: '',
    repetition: { kind: 'record', exchanges: [list, shown], field: 'id', value: id },
  });

  test.each<[what: string, sent: Sent[], expected: object]>([
    [
      'although the page has room for it',
      [plain(REX, MO, MIA), soldOf100(MIA), of100(REX, MO, MIA)],
      { ...leftOut(2, 3), received: '1 other animals' },
    ],
    [
      'and all others with the status',
      [plain(REX, MO), soldOf100(), of100(REX, MO)],
      {
        ...leftOut(2, 3),
        reason: 'status=sold returned nothing, although such animals exist',
        received: 'an empty list',
      },
    ],
    [
      'and not those that it found',
      [plain(MIA, MO, REX), soldOf100(MIA), of100(MIA, MO, REX)],
      leftOut(2, 3),
    ],
    [
      'where a smaller page has fewer animals',
      [plain(REX, MO, MIA), soldOf100(MIA), smallest(REX), of100(REX, MO, MIA)],
      leftOut(2, 4),
    ],
    [
      'where a few animals are gone since',
      [plain(REX, MO, MIA, [4]), soldOf100(MIA), of100(REX, MO, [4], [7, 'pending'])],
      leftOut(2, 3),
    ],
    [
      'where an animal that the run added changes its status',
      [
        plain(REX, MO, MIA),
        added([9, 'sold']),
        soldOf100(MIA, [9, 'sold']),
        of100(REX, MO, MIA, [9, 'pending']),
      ],
      { ...leftOut(3, 4), received: '2 other animals' },
    ],
    [
      'where a list with another fault has another order',
      [
        plain(REX, MO, MIA),
        soldOf100(MIA),
        { ...above(), body: [pet(MIA), pet(MO), pet(REX), {}] },
        of100(REX, MO, MIA),
      ],
      leftOut(2, 4),
    ],
    [
      'where orders have the ids of animals',
      [
        plain(REX, MO, MIA),
        { probe: 'getStoreOrders:plain', body: [{ id: 2, status: 'shipped' }, { id: 8 }, { id: 9 }] },
        soldOf100(MIA),
        of100(REX, MO, MIA),
      ],
      leftOut(3, 4),
    ],
    [
      'where an animal that is read again has its status',
      [plain(REX, MO, MIA), read(REX), soldOf100(MIA), of100(REX, MO, MIA)],
      leftOut(3, 4),
    ],
    [
      'where an animal that is read again is gone',
      [plain(REX, MO, MIA), { ...read(MO), status: 404, body: NOT_FOUND }, soldOf100(MIA), of100(REX, MIA)],
      leftOut(3, 4),
    ],
    [
      'where a response with another fault shows another status',
      [
        plain(REX, MO, MIA),
        { ...read(MO), body: { id: 2, status: 'sold' } },
        soldOf100(MIA),
        of100(REX, MO, MIA),
      ],
      leftOut(3, 4),
    ],
    [
      'where others asked for the lists, each in its time',
      [plain(REX, MO, MIA), soldOf100(MIA), of100(REX, MO, MIA)].map((each) => ({
        ...each,
        change: OF_OTHERS,
      })),
      leftOut(2, 3),
    ],
  ])('%s', (_what, sent, expected) => {
    expect(judge(sent)).toMatchObject(expected);
  });
});

describe('a filter that finds some animals may leave out others', () => {
  test.each<[what: string, sent: Sent[]]>([
    ['if no list came before it', [soldOf100(MIA), of100(REX, MO, MIA)]],
    ['if no list came after it', [plain(REX, MO, MIA), soldOf100(MIA)]],
    ['if its page is full', [plain(REX, MO), soldOf100(MIA, [4, 'sold']), of100(REX, MO)]],
    ['if the list after it has another order', [plain(REX, MO, MIA), soldOf100(MIA), of100(MIA, MO, REX)]],
    [
      'if any list has another order',
      [plain(REX, MO, MIA), soldOf100(MIA), above(MIA, MO, REX), of100(REX, MO, MIA)],
    ],
    [
      'if a filtered list has another order',
      [plain(REX, MO, MIA, [4, 'sold']), soldOf100([4, 'sold'], MIA), of100(REX, MO, MIA, [4, 'sold'])],
    ],
    [
      'if others come between those of the first page',
      [plain(REX, MO, MIA), soldOf100(MIA), of100(REX, [7, 'pending'], MO, MIA)],
    ],
    [
      'if half of the animals are gone since',
      [plain(REX, MO, MIA, [4]), soldOf100(MIA), of100(REX, MO, [7, 'pending'], [8, 'pending'])],
    ],
    ['if the animal is gone since', [plain(REX, MO, MIA), soldOf100(MIA), of100(MO, MIA, [4, 'pending'])]],
    ['if another animal was sold since', [plain(REX, MO, MIA), soldOf100(MIA), of100(REX, [2, 'sold'], MIA)]],
    ['if it was sold since', [plain([1, 'pending'], MO, MIA), soldOf100(MIA), of100(REX, MO, MIA)]],
    ['if it is not sold any more', [plain(REX, MO, MIA), soldOf100(MIA), of100([1, 'pending'], MO, MIA)]],
    [
      'if another animal changes its status in lists',
      [plain(REX, MO, MIA), soldOf100(MIA), of100(REX, [2, 'available'], MIA)],
    ],
    [
      'if another animal has a status only later',
      [plain(REX, [2], MIA), soldOf100(MIA), of100(REX, MO, MIA)],
    ],
    ['if another animal loses its status', [plain(REX, MO, MIA), soldOf100(MIA), of100(REX, [2], MIA)]],
    [
      'if another animal is fetched with another status',
      [plain(REX, MO, MIA), read([2, 'available']), soldOf100(MIA), of100(REX, MO, MIA)],
    ],
  ])('%s', (_what, sent) => {
    expect(judge(sent)).toMatchObject({ status: 'met', exercised: true });
  });
});

describe('a filter finds nothing, although a list of its page size and a list after it show such an animal', () => {
  test.each<[what: string, sent: Sent[], exchanges: number[]]>([
    ['each another one', [plain(MIA, REX, MO), of100(REX, MO), sold()], [3, 1]],
    [
      'and a request without the key was refused before',
      [
        { probe: 'listPets:key-absent', status: 401, body: { ...NOT_FOUND, status: 401 } },
        soldOf100(),
        of100(REX, MO),
      ],
      [2, 3],
    ],
    ['and an animal was added before', [added([5, 'pending']), soldOf100(), of100(REX, MO)], [2, 3]],
  ])('%s', (_what, sent, exchanges) => {
    expect(judge(sent)).toMatchObject({
      status: 'violated',
      reason: 'status=sold returned nothing, although such animals exist',
      expected: 'the animals with status sold, such as the one with id 1',
      received: 'an empty list',
      pointer: '',
      repetition: { kind: 'record', exchanges, field: 'id', value: '1' },
    });
  });
});

describe('a filter that finds nothing conforms', () => {
  test.each<[what: string, sent: Sent[]]>([
    ['if no other list came', [sold()]],
    ['if no animal has the status', [plain(MO), of100(MO), sold()]],
    ['if no list shows it any more', [plain(REX, MO), sold()]],
    ['if only a list of another page size shows it', [of100(REX, MO), sold()]],
    ['if only lists of another page size show it before and after', [plain(REX), soldOf100(), smallest(REX)]],
    ['if lists have another order each', [plain(REX, MO, MIA), of100(MIA, MO, REX), sold()]],
    [
      'if the animal was added by the run',
      [plain(MO), added([5, 'sold']), soldOf100(), of100(MO, [5, 'sold'])],
    ],
    [
      'if others asked for it',
      [plain(REX, MO), sold(), of100(REX, MO)].map((each) => ({ ...each, change: OF_OTHERS })),
    ],
  ])('%s', (_what, sent) => {
    expect(judge(sent)).toMatchObject({ status: 'met', exercised: false });
  });
});

/** As many as a part of a recording has at most. */
const MOST_REQUESTS = 2_000;

test('a recording of many lists with and without a filter is judged in little time', {
  timeout: 10_000,
}, () => {
  const all = Array.from({ length: 100 }, (_, id): Shown => [id, id % 3 === 0 ? 'sold' : 'pending']);
  const isSold = ([, status]: Shown) => status === 'sold';
  const requests = Array.from({ length: MOST_REQUESTS }, (_, request): Sent => {
    const answer = request % 2 === 0 ? of100(...all) : soldOf100(...all.filter(isSold));
    return { ...answer, change: OF_OTHERS };
  });
  expect(judge(requests).status).toBe('met');
});

test('many lists with a filter that finds nothing are judged in little time', { timeout: 10_000 }, () => {
  const all = Array.from({ length: 100 }, (_, id): Shown => [id, id % 3 === 0 ? 'sold' : 'pending']);
  const requests = Array.from({ length: MOST_REQUESTS }, (_, request) =>
    request % 2 === 0 ? of100(...all) : soldOf100(),
  );
  expect(judge(requests)).toMatchObject({
    status: 'violated',
    reason: 'status=sold returned nothing, although such animals exist',
  });
});
