import { describe, expect, test } from 'vitest';
import { exchange } from '../../../test/exchanges/exchange.ts';
import {
  contractOf,
  creation,
  operation,
  requirement,
  response,
} from '../../../test/operations/operations.ts';
import {
  type Change,
  create,
  evidenceOf,
  OAK,
  OPERATIONS,
  read,
  SOUND,
} from '../../../test/operations/written-things.ts';
import type { Operation } from '../../model/contract.ts';
import { probe } from '../../probes/probe.ts';
import type { Evidence } from '../evidence/check.ts';
import { leftOver, semanticChecks } from './semantic-checks.ts';

type Level = 'must' | 'should';

function findingOf(id: string, level: Level, change: Change = {}) {
  const requirements = ['other', id].map((each) => ({
    ...requirement(each),
    level: each === id ? level : ('open' as const),
  }));
  const contract = contractOf(OPERATIONS, { requirements });
  const check = semanticChecks(contract).find((each) => each.requirement === id);
  if (!check) throw new Error(`no check ${id}`);
  return check.judge(evidenceOf(contract, change));
}

/** A finding in short: what is wrong, or which exchanges show that nothing is. */
function shownBy(id: string, level: Level, change?: Change): string {
  const { status, exercised, reason, expected, received, evidence } = findingOf(id, level, change);
  if (status === 'violated') return `${reason}: ${expected}; ${received}`;
  return exercised ? `${status} by ${evidence}` : 'nothing';
}

test('a wrong body that is refused is no reason why nothing is judged', () => {
  const requirements = [requirement('getThing.removed')];
  const [removed] = semanticChecks(contractOf(OPERATIONS, { requirements })).filter(
    (each) => each.requirement === 'getThing.removed',
  );
  const right = probe(create, 'first', 'create', { title: 'first', isWriting: true });
  expect(removed?.probes(right)).toBe(true);
  expect(removed?.probes({ ...right, validity: 'invalid' })).toBe(false);
});

const silent = { status: 0 };
const failed = { status: 500, body: { code: 'x', message: 'y' } };
const pine = { id: 1, name: 'Pine', kind: 'wood' };
const named = (sent: string, shown: string) => `name is not what was sent: name: "${sent}"; name: "${shown}"`;

describe('what the answers show', () => {
  test.each<[what: string, change: Change, shown: string]>([
    ['each has its own', {}, 'met by 1,2'],
    [
      'both have the same',
      { 'createThing:second': { body: { id: 1 } } },
      'two creations got one id: an id of its own; id 1 again',
    ],
    ['the first shows none', { 'createThing:first': { body: {} } }, 'nothing'],
    ['the second shows none', { 'createThing:second': { body: {} } }, 'nothing'],
    [
      'neither shows one',
      { 'createThing:first': { body: {} }, 'createThing:second': { body: {} } },
      'nothing',
    ],
    ['the second was not sent', { 'createThing:second': undefined }, 'nothing'],
  ])('of ids, where %s', (_what, change, shown) => {
    expect(shownBy('createThing.id', 'must', change)).toBe(shown);
  });

  test.each<[what: string, level: Level, change: Change, shown: string]>([
    ['both are read as they were sent', 'must', {}, 'met by 3,4'],
    [
      'the first is not found',
      'should',
      { 'getThing:created': { status: 404 } },
      'what was created is not found: what was created; status 404',
    ],
    [
      'the second is not found',
      'should',
      { 'getThing:created-second': { status: 410 } },
      'what was created is not found: what was created; status 410',
    ],
    ['one has another name', 'must', { 'getThing:created': { body: pine } }, named('Oak', 'Pine')],
    [
      'one has another name than was sent and answered',
      'should',
      { 'getThing:created': { body: pine } },
      named('Oak', 'Pine'),
    ],
    [
      'one has another name, as was answered',
      'should',
      { 'createThing:first': { body: pine }, 'getThing:created': { body: pine } },
      'met by 3,4',
    ],
    [
      'one has another name, and what was answered does not tell it',
      'should',
      { 'createThing:first': { body: { id: 1, kind: 'wood' } }, 'getThing:created': { body: pine } },
      'met by 3,4',
    ],
    ['one read fails', 'must', { 'getThing:created': failed }, 'met by 4'],
    ['another one was read', 'must', { 'getThing:created': { body: pine, of: 3 } }, 'met by 4'],
    ['what was sent has no fields', 'must', { 'createThing:first': { sent: 'Oak' } }, 'met by 4'],
    ['what is read has no fields', 'must', { 'getThing:created': { body: 'Oak' } }, 'met by 4'],
    ['no read tells', 'must', { 'getThing:created': failed, 'getThing:created-second': failed }, 'nothing'],
    ['both have one id', 'must', { 'createThing:second': { body: { id: 1 } } }, 'nothing'],
  ])('of what was created, where %s (%s)', (_what, level, change, shown) => {
    expect(shownBy('getThing.created', level, change)).toBe(shown);
  });

  const unchanged = { body: { id: 1, ...OAK } };
  const both = { sent: { name: 'Ash', kind: 'steel' }, body: { name: 'Ash', kind: 'steel' } };
  // The second change makes the name Oak again, which it is then.
  const half = { body: { id: 1, name: 'Oak', kind: 'steel' } };
  test.each<[what: string, level: Level, change: Change, shown: string]>([
    ['each change is read', 'must', {}, 'met by 6,8'],
    ['each change is read', 'should', {}, 'met by 6,8'],
    ['a change is lost', 'must', { 'getThing:changed-put': unchanged }, named('Ash', 'Oak')],
    [
      'a change that was answered is lost',
      'should',
      { 'getThing:changed-put': unchanged },
      named('Ash', 'Oak'),
    ],
    [
      'one of two changes that were answered is lost',
      'should',
      { 'putThing:changed': both, 'getThing:changed-put': half },
      named('Ash', 'Oak'),
    ],
    [
      'one of two changes is lost, and the answer tells neither',
      'should',
      { 'putThing:changed': { ...both, body: undefined }, 'getThing:changed-put': half },
      'met by 6',
    ],
    [
      'one of two changes is lost, as was answered',
      'should',
      { 'putThing:changed': { ...both, ...half }, 'getThing:changed-put': half },
      'met by 6',
    ],
    [
      'all changes are lost, and the answer tells none',
      'should',
      { 'putThing:changed': { ...both, body: undefined }, 'getThing:changed-put': unchanged },
      named('Ash', 'Oak'),
    ],
    [
      'a change comes later',
      'must',
      {
        'putThing:changed': { status: 202 },
        'getThing:changed-put': unchanged,
        'patchThing:changed': failed,
      },
      'nothing',
    ],
    ['nothing was changed', 'must', { 'putThing:changed': { sent: OAK } }, 'met by 8'],
    [
      'there was no read between two changes, and the second changes nothing',
      'must',
      { 'getThing:changed-put': undefined },
      'nothing',
    ],
    [
      'there was no read between two changes',
      'must',
      { 'getThing:changed-put': undefined, 'patchThing:changed': { sent: { name: 'Ash' } } },
      named('Ash', 'Oak'),
    ],
    ['what was sent has no fields', 'must', { 'putThing:changed': { sent: 'Ash' } }, 'met by 8'],
    ['there was no response to the read before', 'must', { 'getThing:created': silent }, 'met by 8'],
    ['what was read before has no fields', 'must', { 'getThing:created': { body: 'Oak' } }, 'met by 8'],
    ['what is read has no fields', 'must', { 'getThing:changed-patch': { body: 'Oak' } }, 'met by 6'],
    [
      'a thing was created with another name, which is another matter',
      'must',
      {
        'createThing:first': { body: { ...pine } },
        'getThing:created': { body: pine },
      },
      'met by 6,8',
    ],
    ['a thing that was created is not found', 'must', { 'getThing:created': { status: 404 } }, 'nothing'],
  ])('of changes, where %s (%s)', (_what, level, change, shown) => {
    expect(shownBy('getThing.replaced', level, change)).toBe(shown);
  });

  const still = { status: 200, body: { id: 1, ...OAK } };
  const gone = 'what was removed can still be read: status 404 or 410; status 200';
  test.each<[what: string, level: Level, change: Change, shown: string]>([
    ['it is gone', 'must', {}, 'met by 9,10'],
    ['it can be read', 'must', { 'getThing:removed': still }, gone],
    ['it can be read unchanged', 'should', { 'getThing:removed': still }, gone],
    [
      'it is shown as removed',
      'should',
      { 'getThing:removed': { ...still, body: { id: 1, ...OAK, removed: true } } },
      'nothing',
    ],
    [
      'it is shown as removed',
      'must',
      { 'getThing:removed': { ...still, body: { id: 1, ...OAK, removed: true } } },
      gone,
    ],
    [
      'it can be read as it was last read, which was not after the last change',
      'should',
      {
        'getThing:changed-patch': failed,
        'getThing:removed': { status: 200, body: SOUND['getThing:changed-put'].body },
      },
      gone,
    ],
    [
      'it can be read as it was last read, and there was no read after the last change',
      'should',
      {
        'getThing:changed-patch': undefined,
        'getThing:removed': { status: 200, body: SOUND['getThing:changed-put'].body },
      },
      gone,
    ],
    [
      'what is read is not JSON',
      'should',
      { 'getThing:changed-patch': { body: 'Oak' }, 'getThing:removed': { status: 200, body: 'Elm' } },
      'nothing',
    ],
    [
      'nothing was read before',
      'must',
      {
        'getThing:created': undefined,
        'getThing:changed-put': undefined,
        'getThing:changed-patch': undefined,
        'getThing:removed': still,
      },
      gone,
    ],
    ['no response says so', 'must', { 'getThing:removed': silent }, 'nothing'],
    [
      'it is removed later',
      'must',
      { 'removeThing:removal': { status: 202 }, 'getThing:removed': still },
      'nothing',
    ],
    ['the read fails', 'must', { 'getThing:removed': failed }, 'nothing'],
  ])('of what was removed, where %s (%s)', (_what, level, change, shown) => {
    expect(shownBy('getThing.removed', level, change)).toBe(shown);
  });
});

test.each<[id: string, change: Change, by: number[], pointer?: string]>([
  ['createThing.id', { 'createThing:second': { body: { id: 1 } } }, [1, 2]],
  ['getThing.created', { 'getThing:created-second': { status: 404 } }, [2, 4]],
  ['getThing.created', { 'getThing:created': { body: pine } }, [1, 3], '/name'],
  ['getThing.replaced', { 'getThing:changed-put': { body: { id: 1, ...OAK } } }, [5, 6], '/name'],
  ['getThing.removed', { 'getThing:removed': { status: 200 } }, [9, 10]],
])(
  '%s: the last of what shows it comes first, and all of it is repeated in turn',
  (id, change, by, pointer) => {
    const finding = findingOf(id, 'must', change);
    expect(finding).toMatchObject({
      ...{ status: 'violated', kind: 'sequence', evidence: [by.at(-1), ...by] },
      repetition: { kind: 'in-turn', exchanges: by },
    });
    expect(finding.pointer).toBe(pointer);
  },
);

describe('the checks of an interface', () => {
  const requirementsOf = (operations: readonly Operation[]) =>
    semanticChecks(contractOf(operations)).map((each) => each.requirement);

  test('two ways to create the same things are followed by one check of what is read', () => {
    const links = [{ operation: 'getThing', parameter: 'thingId', pointer: '/thing' }];
    const other = creation(
      {},
      { id: 'importThing', path: '/imports', responses: [response('201', { links })] },
    );
    expect(requirementsOf([create, other, read])).toEqual(
      expect.arrayContaining(['createThing.id', 'importThing.id', 'getThing.created', 'open.left-over']),
    );
    expect(requirementsOf([create, other, read])).toHaveLength(4);
    expect(requirementsOf([read])).toEqual([]);
  });

  test('each is about single operations, and looks at the writing requests of its own', () => {
    const [check] = semanticChecks(contractOf(OPERATIONS));
    expect(check?.phase).toBe('functional');
    const isSeen = (of: Operation, fields: object) =>
      check?.probes(probe(of, 'first', 'create', { title: '', ...fields }));
    expect(OPERATIONS.map((each) => isSeen(each, { isWriting: true }))).toEqual(OPERATIONS.map(() => true));
    expect(isSeen(create, {})).toBe(false);
    expect(isSeen(operation(), { isWriting: true })).toBe(false);
  });
});

const contract = contractOf(OPERATIONS);
const check = leftOver(contract);

/** The first of two things is removed in the end, the second is not. */
const sound = evidenceOf(contract, {});
const [first] = sound.judged;

const leftBy = (judged: Evidence['judged']) => check.judge({ ...sound, judged }).observed;
const SECOND = '/v1/things/2';
const BOTH = `/v1/things/1, ${SECOND}`;

test.each<[what: string, change: Change, left: string]>([
  ['one was removed', {}, SECOND],
  ['one was not found when it was to be removed', { 'removeThing:removal': { status: 404 } }, SECOND],
  ['a removal failed', { 'removeThing:removal': { status: 500 } }, BOTH],
  ['a removal is not allowed', { 'removeThing:removal': { status: 405 } }, BOTH],
  ['no response came to a removal', { 'removeThing:removal': { status: 0 } }, BOTH],
  ['one was not found, and not removed', { 'removeThing:removal': undefined }, BOTH],
  ['one can still be read', { 'getThing:removed': { status: 200 } }, BOTH],
  [
    'one creation failed',
    { 'createThing:second': { status: 400 }, 'removeThing:removal': undefined },
    '/v1/things/1',
  ],
])('what is left is named, where %s', (_what, change, left) => {
  expect(leftBy(evidenceOf(contract, change).judged)).toBe(`created and still there: ${left}`);
});

test('where all was removed, nothing is left', () => {
  const { judged } = evidenceOf(contract, { 'createThing:second': { status: 400 } });
  expect(leftBy(judged)).toBe('everything that was created was removed');
});

test('it counts what was sent last, in whichever order the exchanges are listed', () => {
  expect(leftBy(sound.judged.toReversed())).toBe(`created and still there: ${SECOND}`);
  const { judged } = evidenceOf(contract, { 'getThing:removed': { status: 200 } });
  expect(leftBy(judged.toReversed())).toBe(`created and still there: ${BOTH}`);
});

test('a path has no slash more for one at the end of the address of the creation', () => {
  const judged = sound.judged.map((each) =>
    each.operation === create
      ? { ...each, exchange: { ...each.exchange, url: `${each.exchange.url}/` } }
      : each,
  );
  expect(leftBy(judged)).toBe(`created and still there: ${SECOND}`);
});

test.each<[count: number, rest: string]>([
  [9, ''],
  [10, ''],
  [11, ' and 1 more'],
  [12, ' and 2 more'],
])('of %i things that are left, ten are named at most', (count, rest) => {
  const ids = Array.from({ length: count }, (_, index) => index + 1);
  const judged = ids.flatMap((id) => {
    const response = { status: 201, headers: [], body: `{"id":${id}}` };
    const sent = { operation: create.id, method: 'POST', url: 'http://127.0.0.1/v1/things' };
    return first ? [{ ...first, exchange: exchange({ id, ...sent, response }) }] : [];
  });
  const named = ids.slice(0, 10).map((id) => `/v1/things/${id}`);
  expect(leftBy(judged)).toBe(`created and still there: ${named.join(', ')}${rest}`);
});

test('only requests that write are looked at', () => {
  const isSeen = (fields: object) => check.probes(probe(create, 'first', 'create', { title: '', ...fields }));
  expect([isSeen({ isWriting: true }), isSeen({})]).toEqual([true, false]);
});
