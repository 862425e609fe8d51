import { expect, test } from 'vitest';
import { exchange } from '../../../../test/exchanges/exchange.ts';
import { OPEN } from '../../../model/http/expectation.ts';
import type { Probe } from '../../../model/probe.ts';
import { Surplus } from './surplus.ts';

const probeOf = (id: string, operation: string, fields: Partial<Probe> = {}): Probe => ({
  id,
  operation,
  stage: 'surplus',
  title: id,
  validity: 'valid',
  expectation: OPEN,
  controls: [],
  key: 'valid',
  query: [],
  path: {},
  creates: false,
  ...fields,
});

const read = probeOf('read', 'listItems', { stage: 'exhaust' });
const own = (id: string) => probeOf(id, 'listItems');
const wrong = (id: string) => probeOf(id, 'addItem', { validity: 'invalid', creates: true });
const open = (id: string) => probeOf(id, 'listItems', { validity: 'open' });

/** Sends a probe by itself; it leaves so many requests. */
function send(surplus: Surplus, probe: Probe, remaining: number | undefined, status = 200): boolean {
  const rate = remaining === undefined ? {} : { remaining };
  const answer = exchange({ rate, inFlight: 1, response: { status, headers: [], body: '' } });
  return surplus.received(probe, answer, true);
}

const next = (surplus: Surplus) => surplus.next(false, true)?.id;

test('valid reads of the exhausted operation need no proof', () => {
  const surplus = new Surplus('listItems', [wrong('a'), own('b')]);
  expect(next(surplus)).toBe('b');
  expect(next(surplus)).toBeUndefined();
});

test('another kind is tried once, and goes on once a read confirms that it counted', () => {
  const surplus = new Surplus('listItems', [wrong('a'), wrong('b')]);
  send(surplus, read, 10);
  expect(next(surplus)).toBe('a');
  expect(send(surplus, wrong('a'), 9, 400)).toBe(true);
  // Its own Remaining might be the same by chance.
  expect(next(surplus)).toBeUndefined();
  send(surplus, read, 8);
  expect(next(surplus)).toBe('b');
});

test.each([
  ['a refusal is free', 10],
  ['a refusal counts twice', 8],
  ['a refusal states another count', 55],
  ['a refusal states no Remaining', undefined],
])('where %s, no more of its kind are sent', (_, remaining) => {
  const surplus = new Surplus('listItems', [wrong('a'), wrong('b'), own('c')]);
  send(surplus, read, 10);
  const first = surplus.next(false, true) as Probe;
  expect(send(surplus, first, remaining, 400)).toBe(false);
  send(surplus, read, 9);
  expect(next(surplus)).toBe('c');
  expect(next(surplus)).toBeUndefined();
});

test('a kind whose Remaining fits by chance ends with the read after it', () => {
  const surplus = new Surplus('listItems', [wrong('a'), wrong('b')]);
  send(surplus, read, 10);
  send(surplus, surplus.next(false, true) as Probe, 9, 400);
  send(surplus, read, 9);
  expect(next(surplus)).toBeUndefined();
});

test('a refusal that is free ends what is refused, not reads of other operations', () => {
  const surplus = new Surplus('listItems', [wrong('a'), open('b'), probeOf('c', 'getItem')]);
  send(surplus, read, 10);
  send(surplus, surplus.next(false, true) as Probe, 10, 400);
  send(surplus, read, 9);
  expect(next(surplus)).toBe('c');
  expect(next(surplus)).toBeUndefined();
});

test('a read of another operation that is counted apart ends other operations, not wrong requests of the own', () => {
  const surplus = new Surplus('listItems', [probeOf('a', 'getItem'), wrong('b'), open('c')]);
  send(surplus, read, 10);
  send(surplus, surplus.next(false, true) as Probe, 59);
  send(surplus, read, 9);
  expect(next(surplus)).toBe('c');
  expect(next(surplus)).toBeUndefined();
});

test('a refusal of another operation after which more remain than before ends other operations', () => {
  const surplus = new Surplus('listItems', [wrong('a'), probeOf('b', 'getItem'), own('c')]);
  send(surplus, read, 10);
  send(surplus, surplus.next(false, true) as Probe, 59, 400);
  send(surplus, read, 9);
  expect(next(surplus)).toBe('c');
  expect(next(surplus)).toBeUndefined();
});

test('if more remain after a read of the own operation within a window, the count does not show what others use up', () => {
  const surplus = new Surplus('listItems', [open('a'), probeOf('b', 'getItem'), own('c')]);
  send(surplus, read, 10);
  send(surplus, read, 58);
  expect(next(surplus)).toBe('c');
  expect(next(surplus)).toBeUndefined();
});

test('reads with other values end once one gets no response', () => {
  const surplus = new Surplus('listItems', [own('a'), own('b')]);
  const first = surplus.next(false, true) as Probe;
  surplus.received(first, exchange({ inFlight: 1 }), true);
  expect(next(surplus)).toBeUndefined();
});

test('what may be added by mistake is not sent once nothing more may be added', () => {
  const surplus = new Surplus('listItems', [wrong('a')]);
  send(surplus, read, 10);
  expect(surplus.next(false, false)).toBeUndefined();
});

test('where nothing shows which requests count, only reads of the operation are sent', () => {
  const surplus = new Surplus('listItems', [wrong('a'), own('b')]);
  send(surplus, read, 10);
  expect(surplus.next(true, true)?.id).toBe('b');
  expect(surplus.next(true, true)).toBeUndefined();
});

test('reads with other values end once the service rejects one', () => {
  const surplus = new Surplus('listItems', [own('a'), own('b')]);
  send(surplus, surplus.next(false, true) as Probe, 9, 400);
  expect(next(surplus)).toBeUndefined();
});

/** A draw that notes its places; every so many of them, it draws a read of the operation, otherwise a wrong request. */
function drawing(every: number) {
  const places: number[] = [];
  const generate = ([place = 0]: readonly number[]) => {
    places.push(place);
    return place % every === every - 1 ? own(`read-${place}`) : wrong(`wrong-${place}`);
  };
  return { places, surplus: new Surplus('listItems', [], generate) };
}

test('what may not be sent is passed over, one draw after the other', () => {
  const { surplus } = drawing(19);
  expect(Array.from({ length: 50 }, () => next(surplus)).at(-1)).toBe(`read-${50 * 19 - 1}`);
});

test('where no drawn request may be sent, drawing ends: it would take longer than the requests themselves', () => {
  const { surplus, places } = drawing(Number.POSITIVE_INFINITY);
  for (let request = 0; request < 1_000; request += 1) expect(next(surplus)).toBeUndefined();
  expect(places).toHaveLength(200);
});

test('after a burst, the next read shows what is left, and what was tried before it is no longer confirmed by it', () => {
  const surplus = new Surplus('listItems', [wrong('a'), wrong('b')]);
  send(surplus, read, 10);
  send(surplus, surplus.next(false, true) as Probe, 9, 400);
  surplus.skipped();
  send(surplus, read, 3);
  expect(next(surplus)).toBeUndefined();
});
