import { describe, expect, test } from 'vitest';
import type { Json } from '../src/suite.ts';
import { probeNamed } from '../test/exchanges/exchanges.ts';
import { findingOf, probesFor, type Sent } from '../test/exchanges/suite-evidence.ts';

const REX = { name: 'Rex', categoryId: 1 };
const MO = { name: 'Mo', categoryId: 2 };
const REFUSED = { status: 400, body: { code: 'c', message: 'm', status: 400 } };

const addition = (sent: Json, body: Json, more: Partial<Sent> = {}): Sent => ({
  probe: 'createPet:minimal',
  sent,
  body,
  ...more,
});
/** With the request before it. */
const atTheSameTime = { change: { sentAt: 2, inFlight: 2 } };

const ADDITIONS = [
  'minimal',
  'full-1',
  'full-2',
  'full-3',
  'maximum',
  'beyond-2-53',
  'long',
  'minimum',
  'unknown-field',
];

test('each valid addition shows what comes back, and whether its id is new', () => {
  const additions = ADDITIONS.map((name) => `createPet:${name}`);
  expect(probesFor('createPet.echo')).toEqual(additions);
  expect(probesFor('createPet.id')).toEqual(additions);
});

describe('an animal comes back as it was sent', () => {
  test.each<[what: string, sent: Sent, expected: object]>([
    ['with nothing but an id', addition(REX, { id: 1, ...REX }), { status: 'met', exercised: true }],
    [
      'and with a status that was not sent',
      addition(REX, { id: 1, ...REX, status: 'available' }),
      { status: 'met', exercised: true },
    ],
    [
      'without a field that the schema does not list',
      addition({ ...REX, petspecUnknown: 1 }, { id: 1, ...REX }),
      { status: 'met', exercised: true },
    ],
    [
      'unless it was rejected',
      addition(REX, {}, { probe: 'createPet:long', ...REFUSED }),
      { exercised: false },
    ],
    [
      'but for its name',
      addition(REX, { id: 1, ...REX, name: 'REX' }),
      {
        status: 'violated',
        expected: 'name: "Rex"',
        received: 'name: "REX"',
        pointer: '/name',
        reason: 'name comes back changed',
      },
    ],
    [
      'but for its status',
      addition({ ...REX, status: 'sold' }, { id: 1, ...REX }),
      {
        status: 'violated',
        reason: 'status is missing',
        expected: 'status: "sold"',
        received: 'no status',
        pointer: '/status',
      },
    ],
  ])('%s', (_what, sent, expected) => {
    expect(findingOf('createPet.echo', [sent])).toMatchObject(expected);
  });
});

describe('an animal comes back as another one that was sent', () => {
  const wrong = addition(
    REX,
    { id: 2, ...MO, status: 'sold' },
    { probe: 'createPet:full-1', ...atTheSameTime },
  );

  test.each<[what: string, sent: Sent[], repetition: object | undefined]>([
    ['at the same time', [addition(MO, { id: 1, ...MO }), wrong], { kind: 'together', exchanges: [1, 2] }],
    ['before it', [addition(MO, { id: 1, ...MO }), { ...wrong, change: {} }], undefined],
    ['in part', [addition({ ...MO, name: 'Mia' }, { id: 1, ...MO, name: 'Mia' }), wrong], undefined],
    [
      'with another status',
      [addition({ ...MO, status: 'pending' }, { id: 1, ...MO, status: 'pending' }), wrong],
      undefined,
    ],
    ['while a list was asked for', [{ probe: 'listPets:plain', body: [{ id: 1, ...MO }] }, wrong], undefined],
  ])('%s', (_what, sent, repetition) => {
    const finding = findingOf('createPet.echo', sent);
    expect(finding).toMatchObject({ status: 'violated', pointer: '/name', evidence: [2] });
    expect(finding.repetition).toEqual(repetition);
  });
});

describe('an id is new', () => {
  const listed: Sent = {
    probe: 'listPets:plain',
    body: [
      { id: 5, ...MO },
      { id: 6, ...MO },
    ],
  };
  const earlier = addition(MO, { id: 5, ...MO });
  const later = addition(REX, { id: 5, ...REX }, { probe: 'createPet:full-1' });
  const again = {
    status: 'violated',
    reason: 'the new animal has the id of another animal',
    expected: 'a unique id',
    received: 'id 5 again',
    pointer: '/id',
    evidence: [2],
  };

  test.each<[what: string, sent: Sent[], expected: object]>([
    [
      'if nothing else has it',
      [listed, addition(REX, { id: 7, ...REX })],
      { status: 'met', exercised: true },
    ],
    [
      'unless the addition was rejected',
      [{ ...later, probe: 'createPet:long', ...REFUSED }],
      { exercised: false },
    ],
    [
      'unless an earlier addition got it',
      [earlier, later],
      { ...again, repetition: { kind: 'in-turn', exchanges: [1, 2] } },
    ],
    [
      'unless an addition at the same time got it',
      [earlier, { ...later, ...atTheSameTime }],
      { ...again, repetition: { kind: 'in-turn', exchanges: [1, 2] } },
    ],
    [
      'unless the first list has it',
      [listed, later],
      { ...again, repetition: { kind: 'record', exchanges: [1, 2], field: 'id', value: '5' } },
    ],
    [
      'although the client sent one that an earlier addition got',
      [earlier, addition({ id: 5, ...REX }, { id: 5, ...REX }, { probe: 'createPet:unknown-field' })],
      {
        status: 'violated',
        reason: 'the new animal has the id of another animal, which the client sent',
        received: 'id 5, as sent',
      },
    ],
    [
      'although the client sent one that the service did not take',
      [earlier, { ...later, probe: 'createPet:unknown-field', sent: { id: 6, ...REX } }],
      { ...again, repetition: { kind: 'in-turn', exchanges: [1, 2] } },
    ],
    [
      'although an addition with another fault got it',
      [{ ...earlier, body: { id: 5 } }, later],
      { status: 'met', exercised: true, evidence: [2] },
    ],
    [
      'although a list that may have been under way shows it',
      [{ probe: 'listPets:limit=maximum', body: [{ id: 5, ...REX }] }, later],
      { status: 'met', exercised: true },
    ],
    [
      'although an order has it',
      [{ probe: 'getStoreOrders:plain', body: { id: 5 } }, later],
      { status: 'met', exercised: true },
    ],
  ])('%s', (_what, sent, expected) => {
    expect(findingOf('createPet.id', sent)).toMatchObject(expected);
  });
});

test('an animal with fields that the schema does not list is sent as well', () => {
  expect(probeNamed('createPet:unknown-field')).toMatchObject({
    title: 'fields that the schema does not list',
    // Names are not unique, so a 409 for this one is wrong.
    isDuplicate: true,
    body: {
      json: {
        // That of one of two earlier animals.
        id: {
          late: 'response',
          as: 'value',
          sources: [
            { probe: 'createPet:full-3', pointer: '/id' },
            { probe: 'createPet:minimal', pointer: '/id' },
          ],
        },
        petspecUnknown: 1,
        name: { of: 'createPet:minimal' },
        categoryId: {},
      },
    },
  });
});

describe('what the interface leaves open about additions', () => {
  const unknown = (body: Json, more = {}) =>
    addition({}, body, { probe: 'createPet:unknown-field', ...more });

  test.each<[requirement: string, sent: Sent[], observed: string]>([
    [
      'open.status-default',
      [addition(REX, { id: 1, ...REX })],
      'an animal added without a status has no status',
    ],
    [
      'open.status-default',
      [addition(REX, { id: 1, ...REX, status: 'available' })],
      'an animal added without a status is "available"',
    ],
    ['open.status-default', [addition(REX, { id: 1, status: 'available' })], 'no response showed this'],
    [
      'open.status-default',
      [addition(REX, { id: 1, ...REX }, { probe: 'createPet:full-1' })],
      'no response showed this',
    ],
    ['open.unknown-fields', [unknown({ id: 1, ...REX })], 'an animal with an unknown field gets 201'],
    [
      'open.unknown-fields',
      [unknown({ id: 1, ...REX, petspecUnknown: 1 })],
      'an animal with an unknown field gets 201, and the field is returned',
    ],
    [
      'open.unknown-fields',
      [unknown({ ...REFUSED.body, petspecUnknown: 1 }, { status: 400 })],
      'an animal with an unknown field gets 400',
    ],
    ['open.unknown-fields', [addition(REX, { id: 1, ...REX })], 'no response showed this'],
    [
      'open.name-bounds',
      [addition({}, {}, { probe: 'createPet:long', ...REFUSED })],
      'texts of 1,000 characters: 400',
    ],
  ])('%s: %#', (requirement, sent, observed) => {
    expect(findingOf(requirement, sent)).toMatchObject({ status: 'observed', observed });
  });

  test('which categories exist', () => {
    expect(probesFor('open.category-exists')).toEqual([
      'createPet:maximum',
      'createPet:beyond-2-53',
      'createPet:minimum',
    ]);
  });
});
