import { describe, expect, test } from 'vitest';
import type { Json } from '../src/suite.ts';
import { probeNamed } from '../test/exchanges/exchanges.ts';
import { checkOf, findingOf, OF_OTHERS, probesFor, type Sent } from '../test/exchanges/suite-evidence.ts';

const REX = { name: 'Rex', categoryId: 1 };
const MO = { name: 'Mo', categoryId: 2 };
const MINIMAL = 'createPet:minimal';
const FULL = 'createPet:full-1';
const NOT_FOUND = { code: 'c', message: 'm', status: 404 };

const added = (sent: Json, body: Json, more: Partial<Sent> = {}): Sent => ({
  probe: MINIMAL,
  sent,
  body,
  ...more,
});
const list = (probe: string, ...body: Json[]): Sent => ({ probe: `listPets:${probe}`, body });
const read = (probe: string, id: number | string, body: Json, more: Partial<Sent> = {}): Sent => ({
  probe: `getPet:${probe}`,
  body,
  ...more,
  change: { url: `http://127.0.0.1/v1/pets/${id}`, ...more.change },
});
const ofOthers = (sent: readonly Sent[]) =>
  sent.map((each) => ({ ...each, change: { ...each.change, ...OF_OTHERS } }));

/** The id after the one of an addition. */
const OF_NEXT: Sent['as'] = {
  path: { petId: { late: 'response', sources: [{ probe: MINIMAL, pointer: '/id' }], isNext: true } },
};

const judge = (sent: readonly Sent[]) => findingOf('getPet.stored', sent);

test('every fetch by an id in its usual form is looked at', () => {
  const probes = probesFor('getPet.stored');
  expect(probes).toEqual(
    expect.arrayContaining(
      ['createPet:minimal', 'listPets:plain', 'unknown', 'largest', 'exhaust'].map(
        (each) => `getPet:${each}`,
      ),
    ),
  );
  expect(probes).not.toContain('getPet:non-integer');
  expect(probes.filter((id) => id.startsWith('getPet:key-'))).toEqual([]);
  expect(probes).not.toContain('createPet:minimal');
});

test.each<[id: string, isUsual: boolean]>([
  ['0', true],
  ['7', true],
  ['-7', true],
  ['10', true],
  ['007', false],
  ['7.0', false],
  ['+7', false],
  ['-0', false],
  ['7x', false],
  ['', false],
])('an id in its usual form: %j', (petId, isUsual) => {
  const probe = { ...probeNamed('getPet:largest'), path: { petId } };
  expect(checkOf('getPet.stored').probes(probe)).toBe(isUsual);
});

describe('an animal is fetched as it was added', () => {
  const sold = { ...REX, status: 'sold' };

  test.each<[what: string, sent: Sent[]]>([
    ['with the same fields', [added(REX, { id: 1, ...REX }), read(MINIMAL, 1, { id: 1, ...REX })]],
    [
      'and the next id, which another animal already has',
      [added(REX, { id: 1, ...REX }), read(MINIMAL, 2, { id: 2, ...MO }, { as: OF_NEXT })],
    ],
    [
      'as the addition already changed it',
      [added(REX, { id: 1, ...MO }), read(MINIMAL, 1, { id: 1, ...MO })],
    ],
    [
      'with a status that it was given since',
      [added(REX, { id: 1, ...REX }), read(MINIMAL, 1, { id: 1, ...REX, status: 'available' })],
    ],
    [
      'with a status at the end that it has since',
      [added(sold, { id: 1, ...sold }), read('exhaust', 1, { id: 1, ...REX, status: 'pending' })],
    ],
    [
      'with another status right after, where another animal has two statuses as well',
      [
        list('plain', { id: 7, ...MO, status: 'sold' }),
        added(sold, { id: 1, ...sold }),
        read(MINIMAL, 1, { id: 1, ...REX, status: 'pending' }),
        list('limit=maximum', { id: 7, ...MO, status: 'pending' }),
      ],
    ],
    [
      'with another status right after, where another animal is fetched with another one and not listed again',
      [
        list('plain', { id: 7, ...MO, status: 'sold' }),
        added(sold, { id: 1, ...sold }),
        read('listPets:plain', 7, { id: 7, ...MO, status: 'pending' }),
        read(MINIMAL, 1, { id: 1, ...REX, status: 'pending' }),
      ],
    ],
    [
      'with another status right after, where another animal was fetched with another one before any list had it',
      [
        read('listPets:plain', 7, { id: 7, ...MO, status: 'pending' }),
        list('plain', { id: 7, ...MO, status: 'sold' }),
        added(sold, { id: 1, ...sold }),
        read(MINIMAL, 1, { id: 1, ...REX, status: 'pending' }),
      ],
    ],
    [
      'with a status that others gave it',
      ofOthers([added(sold, { id: 1, ...sold }), read(MINIMAL, 1, { id: 1, ...REX, status: 'pending' })]),
    ],
    [
      'without a status that others took from it',
      ofOthers([added(sold, { id: 1, ...sold }), read(MINIMAL, 1, { id: 1, ...REX })]),
    ],
    [
      'with an id that nothing tells of',
      [read('largest', '9223372036854775807', { id: 9223372036854775807n, ...MO })],
    ],
    [
      'if its addition was sent again',
      [added(MO, { id: 1, ...MO }), added(REX, { id: 2, ...REX }), read(MINIMAL, 2, { id: 2, ...REX })],
    ],
    [
      'if its addition was rejected',
      [added(REX, { ...NOT_FOUND, status: 400 }, { status: 400 }), read(MINIMAL, 1, { id: 1, ...MO })],
    ],
    ['if its addition has another fault', [added(REX, { id: 1 }), read(MINIMAL, 1, { id: 1, ...MO })]],
  ])('%s', (_what, sent) => {
    expect(judge(sent)).toMatchObject({ status: 'met', exercised: true });
  });

  test('no animal has the id', () => {
    expect(judge([read('largest', '9223372036854775807', NOT_FOUND, { status: 404 })])).toMatchObject({
      exercised: false,
    });
  });
});

describe('an animal is fetched in another way than it was added', () => {
  const sold = { ...REX, status: 'sold' };
  const name = {
    expected: 'name: "Rex"',
    received: 'name: "Mo"',
    reason: 'name differs from the added animal',
    pointer: '/name',
  };

  test.each<[what: string, sent: Sent[], expected: object]>([
    ['in its name', [added(REX, { id: 1, ...REX }), read(MINIMAL, 1, { id: 1, ...MO })], name],
    [
      'in its name at the end',
      [added(REX, { id: 1, ...REX }), read('exhaust', 1, { id: 1, ...MO, status: 'sold' })],
      name,
    ],
    [
      'in its name by others',
      ofOthers([added(REX, { id: 1, ...REX }), read(MINIMAL, 1, { id: 1, ...MO })]),
      name,
    ],
    [
      'in its name after the addition got the wrong status',
      [added(REX, { id: 1, ...REX }, { status: 200 }), read(MINIMAL, 1, { id: 1, ...MO })],
      name,
    ],
    [
      'in its status right after',
      [added(sold, { id: 1, ...sold }), read(MINIMAL, 1, { id: 1, ...REX, status: 'pending' })],
      { expected: 'status: "sold"', received: 'status: "pending"', pointer: '/status' },
    ],
    [
      'in its status right after, as another animal between two lists that agree',
      [
        list('plain', { id: 7, ...MO, status: 'sold' }),
        added(sold, { id: 1, ...sold }),
        read('listPets:plain', 7, { id: 7, ...MO, status: 'pending' }),
        read(MINIMAL, 1, { id: 1, ...REX, status: 'pending' }),
        list('limit=maximum', { id: 7, ...MO, status: 'sold' }),
      ],
      { expected: 'status: "sold"', received: 'status: "pending"', pointer: '/status' },
    ],
    [
      'without its status at the end',
      [added(sold, { id: 1, ...sold }), read('exhaust', 1, { id: 1, ...REX })],
      { expected: 'status: "sold"', received: 'no status', pointer: '/status' },
    ],
  ])('%s', (_what, sent, expected) => {
    expect(judge(sent)).toMatchObject({ status: 'violated', ...expected });
  });
});

describe('another animal is fetched', () => {
  const [first, second] = [added(REX, { id: 1, ...REX }), added(MO, { id: 2, ...MO }, { probe: FULL })];
  const wrong = read(FULL, 2, { id: 1, ...REX });
  const right = read(MINIMAL, 1, { id: 1, ...REX });
  const inTurn = (...exchanges: number[]) => ({ kind: 'in-turn', exchanges });
  const listed = list('plain', { id: 9, ...MO });

  test.each<[what: string, sent: Sent[], repetition: object | undefined]>([
    ['after the fetch of another one', [first, second, right, wrong], inTurn(3, 4)],
    ['after two of them', [first, second, right, right, wrong, right], inTurn(4, 5)],
    ['before the others', [first, second, wrong, right, right], inTurn(4, 3)],
    ['without a fetch of another one', [first, second, wrong], undefined],
    [
      'after the fetch of one that was listed',
      [listed, first, second, read('listPets:plain', 9, { id: 9, ...MO }), wrong],
      undefined,
    ],
    [
      'after the fetch of one at the end',
      [first, second, { ...right, probe: 'getPet:exhaust' }, wrong],
      undefined,
    ],
    [
      'after the fetch of one whose addition has a fault',
      [{ ...first, body: { id: 1 } }, second, right, wrong],
      undefined,
    ],
  ])('%s', (_what, sent, repetition) => {
    const finding = judge(sent);
    expect(finding).toMatchObject({
      status: 'violated',
      reason: 'the response is another animal',
      expected: 'id: 2',
      received: 'id: 1',
      pointer: '/id',
    });
    expect(finding.repetition).toEqual(repetition);
  });

  test('than the one that was listed, which one fetch shows', () => {
    const finding = judge([listed, first, right, read('listPets:plain', 9, { id: 1, ...REX })]);
    expect(finding).toMatchObject({ status: 'violated', expected: 'id: 9' });
    expect(finding.repetition).toBeUndefined();
  });
});

describe('an animal is fetched as it was listed', () => {
  const fetched = read('listPets:plain', 1, { id: 1, ...REX });
  const loud = { id: 1, ...REX, name: 'REX' };
  const plain = list('plain', { id: 2, ...MO }, loud);
  const wrong = {
    status: 'violated',
    reason: 'name differs from the listed animal',
    expected: 'name: "REX"',
    received: 'name: "Rex"',
    pointer: '/name',
    repetition: { kind: 'record', exchanges: [1, 2], field: 'id', value: '1' },
  };
  const held = { status: 'met', exercised: true };

  test.each<[what: string, sent: Sent[], expected: object]>([
    ['with the same fields', [list('plain', { id: 1, ...REX }), fetched], held],
    ['with another status', [list('plain', { id: 1, ...REX, status: 'sold' }), fetched], held],
    ['if the list does not have it', [list('plain', { id: 2, ...MO }), fetched], held],
    [
      'if a later list agrees',
      [plain, fetched, list('limit=maximum', { id: 2, ...MO }, { id: 1, ...REX })],
      held,
    ],
    ['if the list has the wrong status', [{ ...plain, status: 201 }, fetched], held],
    ['if others may have renamed it', ofOthers([plain, fetched]), held],
    [
      'if lists also rename what was added',
      [
        plain,
        added(MO, { id: 3, ...MO }),
        fetched,
        list('limit=maximum', loud, { id: 3, ...MO, name: 'MO' }),
      ],
      held,
    ],
    ['but for its name', [plain, fetched], wrong],
    [
      'but for its name, and a later list has the first one',
      [plain, fetched, list('limit=maximum', loud)],
      wrong,
    ],
    [
      'but for its name, which a later list shows of another one',
      [plain, fetched, list('limit=maximum', loud, { id: 3, ...REX })],
      wrong,
    ],
    [
      'but for its name, and lists show as it was what was added',
      [plain, fetched, added(MO, { id: 3, ...MO }), list('limit=maximum', loud, { id: 3, ...MO })],
      wrong,
    ],
  ])('%s', (_what, sent, expected) => {
    expect(judge(sent)).toMatchObject(expected);
  });
});

describe('Sunset names the day of the removal, 5 December 2030, in some time zone', () => {
  const fetched = (...values: string[]) =>
    findingOf('getPet.sunset', [
      read(MINIMAL, 1, { id: 1, ...REX }, { headers: values.map((value) => ['Sunset', value]) }),
    ]);

  test.each([
    ['14 hours ahead of UTC', 'Wed, 04 Dec 2030 10:00:00 GMT'],
    ['in UTC', 'Thu, 05 Dec 2030 23:59:59 GMT'],
    ['12 hours behind UTC', 'Fri, 06 Dec 2030 11:59:59 GMT'],
  ])('%s', (_what, sunset) => {
    expect(fetched(sunset)).toMatchObject({ status: 'met', exercised: true });
  });

  test.each([
    ['the day before everywhere', 'Wed, 04 Dec 2030 09:59:59 GMT'],
    ['the day after everywhere', 'Fri, 06 Dec 2030 12:00:00 GMT'],
    ['no date', 'soon'],
  ])('not %s', (_what, sunset) => {
    expect(fetched(sunset)).toMatchObject({
      status: 'violated',
      reason: 'Sunset is not on the day of the removal',
      expected: 'Sunset: an HTTP-date on 2030-12-05',
      received: `Sunset: ${sunset}`,
      headers: ['Sunset'],
    });
  });

  test('nothing says that it has to be sent', () => {
    expect(fetched()).toMatchObject({ status: 'met', exercised: false });
  });

  test('a response without the animal has it, too', () => {
    const gone = read('listPets:plain', 1, NOT_FOUND, { status: 404, headers: [['Sunset', 'soon']] });
    expect(findingOf('getPet.sunset', [gone])).toMatchObject({ status: 'violated' });
  });
});

describe('what the interface leaves open about fetches', () => {
  test.each<[what: string, headers: [string, string][], observed: string]>([
    ['neither header', [['Date', 'Mon, 23 Nov 2026 12:00:00 GMT']], 'no Deprecation or Sunset header'],
    [
      'both headers',
      [
        ['sunset', 'Thu, 05 Dec 2030 00:00:00 GMT'],
        ['DEPRECATION', '@1795262400'],
      ],
      'DEPRECATION: @1795262400, sunset: Thu, 05 Dec 2030 00:00:00 GMT',
    ],
  ])('%s', (_what, headers, observed) => {
    expect(findingOf('open.deprecation', [read(MINIMAL, 1, { id: 1, ...REX }, { headers })])).toMatchObject({
      observed,
    });
  });

  test('what other ids get', () => {
    expect(probesFor('open.pet-id')).toEqual(['getPet:largest', 'getPet:non-integer']);
    const fetched = read('non-integer', 'abc', { ...NOT_FOUND, status: 400 }, { status: 400 });
    expect(findingOf('open.pet-id', [fetched])).toMatchObject({ observed: expect.stringMatching(/: 400$/) });
  });
});
