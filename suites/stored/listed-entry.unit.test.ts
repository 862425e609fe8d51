import { describe, expect, test } from 'vitest';
import { findingOf, OF_OTHERS, type Sent } from '../../test/exchanges/suite-evidence.ts';

/** What a response shows of an animal: its name, and its status if it has one. */
type Shown = readonly [id: number, name: string, status?: string];

const pet = ([id, name, status]: Shown) => ({ id, name, categoryId: 1, ...(status ? { status } : {}) });
const list =
  (probe: string) =>
  (...shown: Shown[]): Sent => ({ probe: `listPets:${probe}`, body: shown.map(pet) });

/** Requests in the order of a run; the last two in one stage. */
const plain = list('plain');
const second = list('status=sold');
const third = list('limit=maximum');
const fourth = list('status-alone');

/** An addition: what was sent, and what came back. */
const added = ([, ...sent]: Shown, returned: Shown): Sent => {
  const [name, status] = sent;
  return {
    probe: 'createPet:minimal',
    sent: { name, categoryId: 1, ...(status ? { status } : {}) },
    body: pet(returned),
  };
};
const read = (shown: Shown): Sent => ({
  probe: 'getPet:listPets:plain',
  body: pet(shown),
  change: { url: `http://127.0.0.1/v1/pets/${shown[0]}` },
});

const judge = (sent: readonly Sent[]) => findingOf('listPets.stored', sent);
const ofOthers = (sent: readonly Sent[]) => sent.map((each) => ({ ...each, change: OF_OTHERS }));

const REX: Shown = [1, 'Rex'];
const LOUD: Shown = [1, 'REX'];
const MO: Shown = [2, 'Mo'];

/** How to see animal 1 in several responses. */
const record = (...exchanges: number[]) => ({ kind: 'record', exchanges, field: 'id', value: '1' });

const CHANGED = {
  status: 'violated',
  kind: 'meaning',
  expected: 'name: "Rex" at id 1',
  received: 'name: "REX"',
};

const LEFT_OUT = {
  status: 'violated',
  reason: 'a list leaves out the status of an animal that has one',
  expected: 'the status of the animal with id 1, as other responses show it',
  received: 'no status',
};

describe('a list shows an animal in another way than other responses', () => {
  test.each<[what: string, sent: Sent[], expected: object]>([
    [
      'than it was added',
      [added(REX, REX), third(MO, LOUD)],
      {
        ...CHANGED,
        reason: 'name differs from the added animal',
        pointer: '/1/name',
        repetition: record(1, 2),
      },
    ],
    [
      'than others added it',
      ofOthers([added(REX, REX), third(MO, LOUD)]),
      {
        ...CHANGED,
        reason: 'name differs from the added animal',
        pointer: '/1/name',
        repetition: record(1, 2),
      },
    ],
    [
      'than it was fetched, and than a later list shows it',
      [read(REX), third(MO, LOUD), fourth(MO, REX)],
      {
        ...CHANGED,
        reason: 'name differs from the fetched animal',
        pointer: '/1/name',
        repetition: record(1, 2),
      },
    ],
    [
      'than it was fetched first',
      [read(REX), read(LOUD), third(MO, LOUD), fourth(REX)],
      {
        ...CHANGED,
        reason: 'name differs from the fetched animal',
        pointer: '/1/name',
        repetition: record(1, 3),
      },
    ],
    [
      'than the lists before and after it',
      [plain(REX), second(MO, LOUD), third(REX)],
      {
        ...CHANGED,
        reason: 'name differs from what lists before and after it show',
        pointer: '/1/name',
        repetition: record(1, 3, 2),
      },
    ],
  ])('%s', (_what, sent, expected) => {
    expect(judge(sent)).toMatchObject(expected);
  });

  test('with another status than lists with a filter', () => {
    const animals = (status: string) => Array.from({ length: 8 }, (_, id): Shown => [id, 'Mo', status]);
    expect(
      judge([plain(...animals('pending')), second(...animals('sold')), third(...animals('pending'))]),
    ).toMatchObject({
      status: 'violated',
      reason: 'status differs from what lists with a filter show',
      expected: 'status: "sold"',
      received: 'status: "pending"',
      pointer: '/0/status',
      repetition: { kind: 'record', exchanges: [2, 3], field: 'id', value: '0' },
    });
  });
});

describe('a list shows an animal without its status', () => {
  test.each<[what: string, sent: Sent[], expected: object]>([
    [
      'that it was added with, and that another list shows',
      [added([1, 'Rex', 'sold'], [1, 'Rex', 'sold']), second([1, 'Rex', 'sold']), third(MO, REX)],
      { ...LEFT_OUT, pointer: '/1', repetition: record(1, 2, 3) },
    ],
    [
      'that a list shows after one that shows none',
      [plain(REX), second([1, 'Rex', 'sold']), third(MO, REX)],
      { ...LEFT_OUT, pointer: '/1', repetition: record(2, 3) },
    ],
    [
      'that a fetch shows after a list that shows none',
      [plain(REX), read([1, 'Rex', 'sold']), third(MO, REX)],
      { ...LEFT_OUT, pointer: '/1', repetition: record(2, 3) },
    ],
  ])('%s', (_what, sent, expected) => {
    expect(judge(sent)).toMatchObject(expected);
  });
});

describe('a list shows an added animal as it is', () => {
  test.each<[what: string, sent: Sent[]]>([
    ['as it was added', [added(REX, REX), third(MO, REX)]],
    ['as the addition already changed it', [added(REX, LOUD), third(LOUD)]],
    [
      'and another status, which may change',
      [added([1, 'Rex', 'sold'], [1, 'Rex', 'sold']), third([1, 'Rex', 'pending'])],
    ],
    [
      'once with what was sent and once with what came back',
      [added(REX, LOUD), second(REX), third(LOUD), fourth(REX)],
    ],
    ['although a fetch shows what came back', [added(REX, LOUD), read(REX), third(LOUD), fourth(REX)]],
    [
      'without a status that was not sent',
      [added(REX, [1, 'Rex', 'sold']), second([1, 'Rex', 'sold']), third(REX)],
    ],
    [
      'without a status that did not come back',
      [added([1, 'Rex', 'sold'], REX), second([1, 'Rex', 'sold']), third(REX)],
    ],
    [
      'without a status that nothing confirms',
      [added([1, 'Rex', 'sold'], [1, 'Rex', 'sold']), second(REX), third(REX)],
    ],
    [
      'without a status that another animal has',
      [added([1, 'Rex', 'sold'], [1, 'Rex', 'sold']), second([2, 'Mo', 'sold']), third(REX)],
    ],
  ])('%s', (_what, sent) => {
    expect(judge(sent)).toMatchObject({ status: 'met', exercised: true });
  });
});

describe('nothing shows that a list is wrong', () => {
  test.each<[what: string, sent: Sent[]]>([
    ['if it came before the addition', [plain(LOUD), added(REX, REX)]],
    [
      'if the addition may have got the first response to it again',
      [{ ...added(REX, REX), as: { stage: 'other' } }, third(LOUD)],
    ],
    ['if it came before the fetch', [plain(LOUD), read(REX), third(REX)]],
    [
      'if the fetch has another fault',
      [{ ...read(REX), body: { id: 1, name: 'Rex' } }, third(LOUD), fourth(REX)],
    ],
    [
      'if an addition was rejected, and the Error has its id',
      [
        {
          ...added(REX, REX),
          probe: 'createPet:long',
          status: 400,
          body: { code: 'c', message: 'm', status: 400, id: 1 },
        },
        third(LOUD),
      ],
    ],
    ['if no later list agrees with the fetch', [plain(REX), read(REX), third(LOUD)]],
    ['if only another animal has the name that was fetched', [read(REX), third(LOUD), fourth([2, 'Rex'])]],
    ['if the animal was renamed', [plain(REX), second(LOUD), third(LOUD)]],
    ['of animals that others may change', ofOthers([read(REX), plain(REX), second(LOUD), third(REX)])],
    [
      'if no list showed it without a status before',
      [plain([1, 'Rex', 'sold']), second([1, 'Rex', 'sold']), third(REX)],
    ],
    ['if another animal had no status before', [plain(MO), second([1, 'Rex', 'sold']), third(REX)]],
    ['if it has a status again', [plain(REX), second([1, 'Rex', 'sold']), third([1, 'Rex', 'sold'])]],
    ['if the status came only later', [plain(REX), second(REX), third([1, 'Rex', 'sold'])]],
    [
      'if only a list with a limit out of range shows the status',
      [plain(REX), list('limit=above')([1, 'Rex', 'sold']), third(REX)],
    ],
  ])('%s', (_what, sent) => {
    expect(judge(sent)).toMatchObject({ status: 'met', exercised: false });
  });
});

describe('a response with another fault tells nothing', () => {
  test.each<[what: string, sent: Sent[]]>([
    ['if it agrees with the fetch', [read(REX), third(LOUD), { ...fourth(), body: [pet(REX), {}] }]],
    [
      'if it shows the status',
      [plain(REX), { ...second(), body: [pet([1, 'Rex', 'sold']), {}] }, third(REX)],
    ],
  ])('%s', (_what, sent) => {
    expect(judge(sent)).toMatchObject({ status: 'not-tested', untested: 'blocked' });
  });
});
