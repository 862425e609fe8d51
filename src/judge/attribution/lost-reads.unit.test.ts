import { describe, expect, test } from 'vitest';
import {
  contract,
  exchangeOf,
  JSON_HEADERS,
  judgedOf,
  probeNamed,
  probes,
  responseTo,
} from '../../../test/exchanges/exchanges.ts';
import type { Exchange } from '../../model/exchange.ts';
import { expecting } from '../../model/http/expectation.ts';
import type { Probe } from '../../model/probe.ts';
import type { Judged } from '../evidence/judged.ts';
import { judgeExchanges } from '../judge-exchanges.ts';
import { attributeLostReads } from './failed-reads.ts';

const NOT_FOUND = { code: 'not_found', message: 'no such animal', status: 404 };
const READ = 'getPet:listPets:plain';
const FIRST = 9_007_199_254_740_993n;

type Answer = readonly [probe: string, status: number, body: unknown, inFlight?: number];

const listOf = (...ids: bigint[]) => ids.map((id) => ({ id, name: 'Rex', categoryId: 1n }));
const json = (body: unknown) =>
  JSON.stringify(body, (_, value) => (typeof value === 'bigint' ? `#${value}` : value)).replace(
    /"#(-?\d+)"/g,
    '$1',
  );

/** The read of the first listed animal, among these answers in this order. */
function readAmong(answers: readonly Answer[], today = 0): Judged | undefined {
  const exchanges = answers.map(([name, status, body, inFlight = 1], index): Exchange => {
    const response = { status, headers: JSON_HEADERS, body: json(body) };
    const times = { id: index + 1, sentAt: index, receivedAt: index, inFlight };
    return exchangeOf(probeNamed(name), { ...times, response });
  });
  return judgeExchanges(exchanges, { contract, probes, today, referencesKnown: true }).find(
    ({ probe }) => probe.id === READ,
  );
}

/** What is held against it. */
const heldAgainstRead = (answers: readonly Answer[], today?: number) =>
  readAmong(answers, today)?.deviations.map(({ requirement }) => requirement);

const first: Answer = ['listPets:plain', 200, listOf(FIRST, 7n)];
const absent: Answer = [READ, 404, NOT_FOUND];
const largest = (...ids: bigint[]): Answer => ['listPets:limit=maximum', 200, listOf(...ids)];

describe('the first animal of the listing is not found', () => {
  test.each<[what: string, answers: Answer[], held: string[]]>([
    ['a later list shows it', [first, absent, largest(7n, FIRST)], ['getPet.200']],
    ['no later list shows it: somebody deleted it', [first, absent, largest(7n)], []],
    ['its neighbour is shown, which a double cannot tell from it', [first, absent, largest(FIRST - 1n)], []],
    ['no list comes later', [first, absent], []],
    [
      'a list that was under way at the same time shows it',
      [first, absent, ['listPets:status=sold', 200, listOf(FIRST), 2]],
      [],
    ],
    [
      'a list of the same stage shows it that was sent later',
      [first, absent, ['listPets:status=sold', 200, listOf(FIRST)]],
      ['getPet.200'],
    ],
    ['the list that shows it was sent before', [first, largest(FIRST), absent], []],
    [
      'another list came first, with another animal',
      [['listPets:status=sold', 200, listOf(7n)], first, absent, largest(FIRST)],
      ['getPet.200'],
    ],
    [
      'the first list is no list of animals',
      [['listPets:plain', 200, [{ id: FIRST }]], absent, largest(FIRST)],
      [],
    ],
    [
      'the later list is no list of animals',
      [first, absent, ['listPets:limit=maximum', 200, [{ id: FIRST }]]],
      [],
    ],
    ['the later list is a refusal', [first, absent, ['listPets:limit=maximum', 400, NOT_FOUND]], []],
  ])('%s', (_what, answers, held) => {
    expect(heldAgainstRead(answers)).toEqual(held);
  });

  test('the operation is gone, as announced', () => {
    expect(heldAgainstRead([first, absent, largest(FIRST)], Date.UTC(2030, 11, 5))).toEqual([]);
  });
});

test('the success was due, and the finding names the list and how to see it again', () => {
  const read = readAmong([first, absent, largest(FIRST)]);
  expect(read).toMatchObject({ outcome: 'deviant', met: [] });
  expect(read?.deviations).toEqual([
    {
      requirement: 'getPet.200',
      kind: 'status',
      reason: `${probeNamed(READ).title}: not found, although a later list shows it`,
      expected: 'status 200, as exchange 3 lists it',
      received: 'status 404',
      repetition: { kind: 'record', exchanges: [1, 2, 3], field: 'id', value: String(FIRST) },
    },
  ]);
});

describe('only a later list of the same operation shows what a path took from an earlier one', () => {
  const ID = { late: 'response', sources: [{ probe: 'listPets:plain', pointer: '/0/id' }] } as const;
  const list = (id: number) =>
    judgedOf(
      probeNamed('listPets:plain'),
      exchangeOf(probeNamed('listPets:plain'), { id, sentAt: id, receivedAt: id }),
      { value: [{ id: FIRST }] },
    );
  const readWith = (path: Probe['path'], change: Partial<Probe> = {}) => {
    const probe = { ...probeNamed(READ), path, ...change };
    const response = responseTo('getPet', { status: 404 });
    return judgedOf(probe, exchangeOf(probe, { id: 2, sentAt: 2, receivedAt: 2, response }));
  };

  test.each<[what: string, path: Probe['path'], isLost: boolean]>([
    ['its id', { petId: ID }, true],
    ['its id, after another part of the path', { store: '5', petId: ID }, true],
    ['nothing', {}, false],
    ['a random id', { petId: { late: 'random', format: 'int64', like: [] } }, false],
    ['an id of nowhere', { petId: { late: 'response', sources: [] } }, false],
  ])('%s', (_what, path, isLost) => {
    const [, read] = attributeLostReads([list(1), readWith(path), list(3)]);
    expect(read?.outcome).toBe(isLost ? 'deviant' : 'answered');
  });

  test.each<[what: string, change: Partial<Probe>]>([
    ['only a 404 is right', { validity: 'invalid', expectation: expecting([], ['404']) }],
    ['a valid request may only get a 404', { expectation: expecting([], ['404']) }],
    ['the request is wrong', { validity: 'invalid' }],
    ['a 404 is wrong in any case', { expectation: expecting(['200'], ['400']) }],
  ])('not where %s', (_what, change) => {
    const [, read] = attributeLostReads([list(1), readWith({ petId: ID }, change), list(3)]);
    expect(read?.outcome).toBe('answered');
  });

  test('not where the earlier list was empty, so that the id is from elsewhere', () => {
    const empty = { ...list(1), value: [] };
    const later = { ...list(3), value: [{ name: 'Rex' }] };
    const [, read] = attributeLostReads([empty, readWith({ petId: ID }), later]);
    expect(read?.outcome).toBe('answered');
  });

  test('a list of another operation', () => {
    const other = list(3);
    const elsewhere = { ...other, operation: { ...other.operation, id: 'getStoreOrders' } };
    const [, read] = attributeLostReads([list(1), readWith({ petId: ID }), elsewhere]);
    expect(read?.outcome).toBe('answered');
  });
});
