import { describe, expect, test } from 'vitest';
import type { Json } from '../src/suite.ts';
import { findingOf, findingsOf, OF_OTHERS, type Sent } from '../test/exchanges/suite-evidence.ts';

const REX = { name: 'Rex-k3v9q1zz', categoryId: 1 };
const WRONG = { ...REX, status: 'AVAILABLE' };

const error = (status: number) => ({ status, body: { code: 'c', message: 'm', status } });
const added = (body: Json, more: Partial<Sent> = {}): Sent => ({
  probe: 'createPet:minimal',
  sent: REX,
  body,
  ...more,
});
const refused = (more: Partial<Sent> = {}): Sent => ({
  ...{ probe: 'createPet:status-non-member', sent: WRONG, ...error(400) },
  ...more,
});
const list = (...body: Json[]): Sent => ({ probe: 'listPets:limit=maximum', body });
const read = (id: number, body: Json): Sent => ({
  ...{ probe: 'getPet:listPets:plain', body },
  change: { url: `http://127.0.0.1/v1/pets/${id}` },
});
const withWrongKey = (change: Partial<Sent> = {}): Sent => ({
  ...{ probe: 'createPet:key-unknown', sent: REX, ...error(401) },
  ...change,
});

const fine = expect.stringMatching(/^(met|not-tested)$/);
const stored = (status: number, id: number, ...exchanges: number[]) => ({
  status: 'violated',
  expected: 'no animal with a name that only refused requests sent',
  reason: expect.stringMatching(`refused with ${status}, but the animal was added`),
  received: `the animal with id ${id} in exchange ${exchanges[1]}`,
  evidence: [exchanges[0]],
  repetition: { kind: 'in-turn', exchanges },
});

describe('what was refused with 400 is not shown', () => {
  test.each<[what: string, sent: Sent[], expected: object]>([
    ['in a list', [refused(), list({ id: 7, ...REX })], stored(400, 7, 1, 2)],
    ['with other values', [refused(), list({ id: 8, ...REX, categoryId: 2 })], stored(400, 8, 1, 2)],
    ['in a response to a fetch', [refused(), read(7, { id: 7, ...REX })], stored(400, 7, 1, 2)],
    [
      'although another request with this name was refused, too',
      [withWrongKey(), refused(), list({ id: 7, ...REX })],
      stored(400, 7, 2, 3),
    ],
    [
      'and a valid one may be refused',
      [{ probe: 'createPet:long', sent: REX, ...error(400) }, list({ id: 7, ...REX })],
      stored(400, 7, 1, 2),
    ],
  ])('%s', (_what, sent, expected) => {
    expect(findingOf('createPet.400', sent)).toMatchObject(expected);
  });

  test.each<[what: string, sent: Sent[]]>([
    ['a list before it', [list({ id: 7, ...REX }), refused()]],
    [
      'a list at the same time',
      [refused(), { ...list({ id: 7, ...REX }), change: { sentAt: 2, inFlight: 2 } }],
    ],
    ['a longer name', [refused(), list({ id: 7, ...REX, name: `${REX.name} ` })]],
    ['a name in another case', [refused(), list({ id: 7, ...REX, name: REX.name.toUpperCase() })]],
    ['a name that was also accepted', [refused(), added({ id: 7, ...REX }), list({ id: 7, ...REX })]],
    [
      'a name that was accepted although it is wrong',
      [refused(), refused({ status: 201, body: { id: 7, ...REX } }), list({ id: 7, ...REX })],
    ],
    ['a name that got 500 as well', [refused(), added({}, error(500)), list({ id: 7, ...REX })]],
    ['a name that got 429 as well', [refused(), added({}, error(429)), list({ id: 7, ...REX })]],
    ['a name that got 303 as well', [refused(), added({}, { status: 303 }), list({ id: 7, ...REX })]],
    [
      'a name that another addition returned',
      [refused(), added({ id: 7, ...REX }, { sent: { ...REX, name: 'Mo' } }), list({ id: 7, ...REX })],
    ],
    ['a request that was sent twice', [refused({ change: { isRepeated: true } }), list({ id: 7, ...REX })]],
    ['names in a recording', [refused({ change: { recorded: 'run' } }), list({ id: 7, ...REX })]],
    ['names of others', [refused({ change: OF_OTHERS }), list({ id: 7, ...REX })]],
    [
      'a name that is not of this run alone',
      [
        refused({ as: { body: { json: { ...WRONG, name: 'Rex' } } }, sent: { ...WRONG, name: 'Rex' } }),
        list({ id: 7, ...REX, name: 'Rex' }),
      ],
    ],
    [
      'a body that is no object',
      [{ probe: 'createPet:array', sent: [REX], ...error(400) }, list({ id: 7, ...REX })],
    ],
  ])('%s says nothing', (_what, sent) => {
    expect(findingOf('createPet.400', sent)).toMatchObject({ status: fine });
  });

  test('a 400 with a wrong body belongs to another requirement', () => {
    const findings = findingsOf([refused({ body: 'no' }), list({ id: 7, ...REX })]);
    expect(findings['createPet.400']).toMatchObject({ status: 'not-tested', cause: 'Error' });
    expect(findings.Error).toMatchObject({ status: 'violated' });
  });
});

describe('what was refused with 401 is not shown', () => {
  test('in a list', () => {
    const findings = findingsOf([withWrongKey(), list({ id: 7, ...REX })]);
    expect(findings['authentication.key']).toMatchObject(stored(401, 7, 1, 2));
    expect(findings['createPet.400']).toMatchObject({ status: 'not-tested' });
  });

  test('unless the name was also accepted', () => {
    const sent = [withWrongKey(), added({ id: 7, ...REX }), list({ id: 7, ...REX })];
    expect(findingOf('authentication.key', sent)).toMatchObject({ status: fine });
  });

  test('an accepted key is another deviation', () => {
    const sent = [withWrongKey({ status: 201, body: { id: 7, ...REX } }), list({ id: 7, ...REX })];
    expect(findingOf('authentication.key', sent)).toMatchObject({
      status: 'violated',
      reason: expect.stringMatching('accepted with 201'),
    });
  });
});

describe('one addition adds one animal', () => {
  const both = list({ id: 7, ...REX }, { id: 8, ...REX });

  test('which a list shows once', () => {
    expect(findingOf('createPet.id', [added({ id: 7, ...REX }), both])).toMatchObject({
      status: 'violated',
      reason: 'one addition added two animals',
      expected: 'one animal with one id',
      received: 'ids 7 and 8 in exchange 2',
      evidence: [1],
      repetition: { kind: 'in-turn', exchanges: [1, 2] },
    });
  });

  test.each<[what: string, sent: Sent[]]>([
    [
      'two lists with one of them each',
      [added({ id: 7, ...REX }), list({ id: 7, ...REX }), list({ id: 8, ...REX })],
    ],
    ['one id twice', [added({ id: 7, ...REX }), list({ id: 7, ...REX }, { id: 7, ...REX })]],
    [
      'two additions',
      [added({ id: 7, ...REX }), added({ id: 8, ...REX }, { probe: 'createPet:full-1' }), both],
    ],
    [
      'another addition that returned its name, and has no right category',
      [
        added({ id: 7, ...REX }),
        added(
          { id: 8, ...REX, categoryId: '1' },
          { probe: 'createPet:full-1', sent: { ...REX, name: 'Tom' } },
        ),
        both,
      ],
    ],
    ['an addition that was sent twice', [added({ id: 7, ...REX }, { change: { isRepeated: true } }), both]],
    ['one that got 500 at first', [added({}, error(500)), added({ id: 7, ...REX }), both]],
    ['a list before it', [both, added({ id: 9, ...REX })]],
    ['a recording', [added({ id: 7, ...REX }, { change: { recorded: 'run' } }), both]],
    [
      'an animal with nearly the name',
      [added({ id: 7, ...REX }), list({ id: 7, ...REX }, { id: 8, ...REX, name: `${REX.name}2` })],
    ],
  ])('%s says nothing', (_what, sent) => {
    expect(findingOf('createPet.id', sent)).toMatchObject({ status: 'met' });
  });

  test('also if another request with its name was refused', () => {
    expect(findingOf('createPet.id', [refused(), added({ id: 7, ...REX }), both])).toMatchObject({
      status: 'violated',
    });
  });
});
