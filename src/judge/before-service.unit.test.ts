import { expect, test } from 'vitest';
import { exchange } from '../../test/exchanges/exchange.ts';
import { contractOf, operation } from '../../test/operations/operations.ts';
import type { Exchange } from '../model/exchange.ts';
import { probe } from '../probes/probe.ts';
import { beforeService } from './set-up-problem.ts';

const things = operation({ id: 'listThings', path: '/things' });
const shelves = operation({ id: 'listShelves', path: '/shelves' });
const rooms = operation({ id: 'listRooms', path: '/rooms' });
const operations = [things, shelves, rooms];
const contract = contractOf(operations);
const starting = operations.map((each) => probe(each, 'first', 'first', { title: 'first' }));

/** A status in plain text, with the seconds of a Retry-After. */
type Answer = readonly [status: number, retryAfter?: number];

const DOWN: Answer = [503, 20];
const SILENT: Answer = [503];
const UP: Answer = [200];

/** The exchanges of a run whose first reads got these answers, and those that were sent again these. */
const runWith = (...rounds: (readonly Answer[])[]): Exchange[] =>
  rounds.flatMap((answers, round) =>
    answers.map(([status, retryAfter], index) => {
      const { id = '' } = operations[index] ?? {};
      return exchange({
        id: 10 * round + index,
        operation: id,
        probe: `${id}:first`,
        response: { status, headers: [['Content-Type', 'text/plain']], body: 'starting' },
        rate: retryAfter === undefined ? {} : { retryAfter },
      });
    }),
  );

const idsOf = (exchanges: Iterable<Exchange>) => [...exchanges].map(({ id }) => id);

test.each<[what: string, first: Answer[], again: Answer[], early: number[]]>([
  ['a gateway that said when to come back', [DOWN, DOWN, DOWN], [UP, UP, UP], [0, 1, 2]],
  ['a gateway that said it twice: the first time', [DOWN, DOWN, DOWN], [DOWN, DOWN, DOWN], [0, 1, 2]],
  ['a gateway that did not say when to come back', [SILENT, SILENT, SILENT], [UP, UP, UP], []],
  ['a gateway where only some reads were sent again', [DOWN, DOWN, DOWN], [UP, UP], []],
  ['a gateway where no read was sent again', [DOWN, DOWN, DOWN], [], []],
  ['a service with one operation that was down', [DOWN, UP, UP], [UP, UP, UP], []],
])('what came before the service was up: from %s', (_what, first, again, early) => {
  const others = [90, 91].map((id) => exchange({ id, probe: 'listThings:plain', operation: 'listThings' }));
  const all = [...runWith(first, again), ...others];
  expect(idsOf(beforeService(all, starting, contract, 'http://127.0.0.1'))).toEqual(early);
});

test('requests that petspec did not plan have no first reads', () => {
  const sent = runWith([DOWN, DOWN, DOWN], [UP, UP, UP]);
  expect(idsOf(beforeService(sent, [], contract, 'http://127.0.0.1'))).toEqual([]);
});
