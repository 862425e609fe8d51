import { expect, test } from 'vitest';
import { exchange } from '../../../test/exchanges/exchange.ts';
import { contractOf } from '../../../test/operations/operations.ts';
import { type Change, create, evidenceOf, OPERATIONS } from '../../../test/operations/written-things.ts';
import { probe } from '../../probes/probe.ts';
import type { Evidence } from '../check.ts';
import { leftOver } from './left-over.ts';

const contract = contractOf(OPERATIONS);
const check = leftOver(contract);

/** The first of two things is removed in the end, the second is not. */
const sound = evidenceOf(contract, {});
const [creation] = sound.judged;

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
    return creation ? [{ ...creation, exchange: exchange({ id, ...sent, response }) }] : [];
  });
  const named = ids.slice(0, 10).map((id) => `/v1/things/${id}`);
  expect(leftBy(judged)).toBe(`created and still there: ${named.join(', ')}${rest}`);
});

test('only requests that write are looked at', () => {
  const isSeen = (fields: object) => check.probes(probe(create, 'first', 'create', { title: '', ...fields }));
  expect([isSeen({ isWriting: true }), isSeen({})]).toEqual([true, false]);
});
