import { describe, expect, test } from 'vitest';
import { observed, type Seen, statesAfter } from '../../../../../test/limiters/limiter-states.ts';
import type { Exchange } from '../../../../model/exchange.ts';
import { fixedWindow } from '../models/fixed-window.ts';
import type { Figures, Model, Observation, State } from '../models/model.ts';
import { twoNodes } from '../models/nodes.ts';
import { tokenBuckets } from '../models/token-bucket.ts';
import { type Costs, Weights, weightsOf } from './weights.ts';

const FIGURES: Figures = { limit: 60, windowMs: 60_000, burst: 0 };
const EXHAUSTING = { stage: 'exhaust' } as const;
const LOST = { outcome: 'unknown' } as const;
const REFUSED = { outcome: 'refused' } as const;
const REPEATED = { isRepeated: true } as const;
const VARIED = { variation: 'query' as never };
const ANY = Number.POSITIVE_INFINITY;

/** A request of a kind. What is known are weights by kind; 20 requests are left, unless `left` says otherwise. */
interface Request {
  kind?: string;
  known?: Readonly<Record<string, number>>;
  exchange?: Partial<Exchange>;
  left?: Seen;
  model?: Model;
  dearest?: number;
  fallen?: number;
  seemsCounted?: boolean;
}

const twenty: Seen = { at: 0, remaining: 20, reset: [50, 50] };

function tried(seen: Partial<Seen>, request: Request = {}): number[] {
  const { kind = 'read, 200', known = {}, exchange = {}, left = twenty, model = fixedWindow } = request;
  const { dearest = ANY, fallen = ANY } = request;
  const [operation = '', status] = kind.replace(/^a \w+ key, /, '').split(', ');
  const plain = observed({ at: 5, ...(Number(status) ? { status: Number(status) } : {}), ...seen });
  const key = kind.startsWith('a ') ? 'absent' : 'valid';
  const observation: Observation = {
    ...plain,
    kind,
    exchange: { ...plain.exchange, operation, key, ...exchange },
  };
  const [state] = statesAfter(model, [left], FIGURES) as readonly [State];
  let weights = Weights.unknown([]);
  for (const [each, weight] of Object.entries(known)) weights = weights.with(each, weight);
  const costs: Costs = {
    model,
    figures: FIGURES,
    dearest: () => dearest,
    fallen: () => fallen,
    seemsCounted: () => request.seemsCounted ?? false,
  };
  const { likely, others } = weightsOf(observation, { weights, state }, costs);
  return [...likely, ...(others?.() ?? [])];
}

const fromTo = (least: number, most: number) =>
  Array.from({ length: most - least + 1 }, (_, index) => least + index);

describe('a request of a kind that is not known yet takes', () => {
  test.each<[what: string, seen: Partial<Seen>, request: Request, expected: number[]]>([
    ['one, nothing, or what Remaining falls by', { remaining: 15 }, {}, [1, 0, 5]],
    ['one or nothing if it falls by one', { remaining: 19 }, {}, [1, 0]],
    ['one, nothing, or several if it takes all that is left', { remaining: 1 }, {}, [1, 0, ...fromTo(2, 10)]],
    ['at most what requests of its operation may', {}, { dearest: 4 }, [1, 0, 2, 3, 4]],
    ['one or nothing if Remaining is not told, and says nothing of any', {}, {}, [1, 0]],
    ['what others may not have used', { remaining: 15, others: 2 }, {}, [1, 0, 3, 4, 5]],
    [
      'something, if it uses up the limit',
      { remaining: 15, others: 2 },
      { exchange: EXHAUSTING },
      [1, 3, 4, 5],
    ],
    [
      'even nothing, if Remaining stays the same',
      { remaining: 20, others: 2 },
      { exchange: EXHAUSTING },
      [1, 0],
    ],
    ['even nothing, if no others use the limit', { remaining: 15 }, { exchange: EXHAUSTING }, [1, 0, 5]],
    [
      'something, if none is left',
      { remaining: 0, others: 2 },
      { exchange: EXHAUSTING, left: { ...twenty, remaining: 0 } },
      fromTo(1, 10),
    ],
    ['something, if it does not tell Remaining', { others: 2 }, { exchange: EXHAUSTING }, [1]],
    [
      'any number up to the dearest if little is known',
      { remaining: 8, others: 10 },
      {},
      [1, 0, ...fromTo(2, 10)],
    ],
    ['what is known, even more', { remaining: 8, others: 9 }, {}, [1, 0, ...fromTo(3, 12)]],
    [
      'any number up to the dearest if nothing is known',
      { remaining: 15 },
      { left: { at: 0 } },
      [1, 0, ...fromTo(2, 10)],
    ],
    // Five come back within five seconds, maybe after it was counted.
    [
      'what was left before some came back',
      { remaining: 18 },
      { model: tokenBuckets[0] as Model, left: { at: 0, remaining: 20 } },
      [1, 0, ...fromTo(2, 7)],
    ],
  ])('%s', (_what, seen, request, expected) => {
    expect(tried(seen, request)).toEqual(expected);
  });
});

describe('a request takes what is known of others', () => {
  const AGAIN = 'read, 200, again';
  test.each<[what: string, seen: Partial<Seen>, request: Request, expected: number[]]>([
    ['of its kind', { remaining: 15 }, { known: { 'read, 200': 3 } }, [3]],
    [
      'of its kind, twice if it was sent twice, or nothing if only the first counts, before others',
      {},
      { known: { 'read, 200': 3 }, exchange: REPEATED },
      [3, 6, 0],
    ],
    ['no more than the first read', { remaining: 15 }, { kind: AGAIN, known: { 'read, 200': 3 } }, [1, 0]],
    ['as much as the first read', { remaining: 15 }, { kind: AGAIN, known: { 'read, 200': 5 } }, [1, 0, 5]],
    ['of any, if there is no first read', { remaining: 15 }, { kind: AGAIN }, [1, 0, 5]],
    [
      'as much as a rejected one',
      { remaining: 15 },
      { kind: 'add, 201', known: { 'a rejected key, add': 5 } },
      [5],
    ],
    [
      'not what a rejected one took, if that is one',
      { remaining: 15 },
      { kind: 'add, 201', known: { 'a rejected key, add': 1 } },
      [1, 0, 5],
    ],
    [
      'nothing, or as much as a rejected one, if it fails',
      { remaining: 15 },
      { kind: 'add, 400', known: { 'a rejected key, add': 5 } },
      [0, 5],
    ],
    [
      'nothing, or as much, if a cache may have it',
      { remaining: 15 },
      { kind: AGAIN, known: { 'a rejected key, read': 5 } },
      [0, 5],
    ],
    [
      'of another operation tells nothing',
      { remaining: 15 },
      { kind: 'add, 201', known: { 'a rejected key, read': 4 } },
      [1, 0, 5],
    ],
  ])('%s', (_what, seen, request, expected) => {
    expect(tried(seen, request)).toEqual(expected);
  });
});

describe('where every request counts', () => {
  test.each<[what: string, request: Request, expected: number[]]>([
    ['it takes one', {}, [1]],
    ['it takes two if it was sent twice', { exchange: REPEATED }, [1, 2]],
    ['it takes nothing without the key', { kind: 'a wrong key, read' }, [0]],
  ])('%s', (_what, request, expected) => {
    expect(tried({ remaining: 15 }, { ...request, model: twoNodes, left: { at: 0 } })).toEqual(expected);
  });
});

describe('without a response, or varied', () => {
  const known = { 'read, 200': 3, 'read, 200, again': 1, 'add, 201': 5 };
  test.each<[what: string, seen: Partial<Seen>, request: Request, expected: number[]]>([
    ['it may not have been counted', LOST, {}, [0, 1]],
    ['nor either of two', LOST, { exchange: REPEATED }, [0, 1, 2]],
    ['a varied one takes one', {}, { exchange: VARIED }, [1]],
    ['a varied one takes what others of its kind did', {}, { exchange: VARIED, known }, [3, 1]],
    ['each only once', {}, { exchange: VARIED, known: { ...known, 'read, 200, again': 3 } }, [3]],
    ['twice if it was sent twice', {}, { exchange: { ...VARIED, ...REPEATED }, known }, [3, 1, 6, 2]],
    ['a varied one may not have been counted', LOST, { exchange: VARIED, known }, [0, 1]],
    [
      'a varied one that is refused is like any',
      REFUSED,
      { exchange: VARIED, kind: 'read, 429', known },
      [3],
    ],
  ])('%s', (_what, seen, request, expected) => {
    expect(tried(seen, request)).toEqual(expected);
  });
});

describe('a refused request would have taken', () => {
  const known = { 'read, 200': 3, 'read, 200, again': 2, 'reads, 200': 9, 'add, 201': 5 };
  test.each<[what: string, seen: Partial<Seen>, request: Request, expected: number[]]>([
    ['one', {}, {}, [1]],
    ['what the first of its operation took', {}, { known }, [3]],
    ['what the later ones took, if it is one', {}, { kind: 'read, 429, again', known }, [2]],
    [
      'what the first took, if no later one is known',
      {},
      { kind: 'read, 429, again', known: { 'read, 200': 3 } },
      [3],
    ],
    ['the most that any took', {}, { known: { 'read, 200': 2, 'read, 404': 4 } }, [4]],
    ['at least one', {}, { known: { 'read, 200': 0 } }, [1]],
    [
      'one, or the least that Remaining fell by, if others use any number',
      { others: ANY },
      { known, fallen: 4 },
      [1, 4],
    ],
    ['one, if it fell by one', { others: ANY }, { known, fallen: 1 }, [1]],
  ])('%s', (_what, seen, request, expected) => {
    expect(tried({ ...REFUSED, ...seen }, { kind: 'read, 429', ...request })).toEqual(expected);
  });
});

describe('a request that is rejected for its key takes', () => {
  test.each<[what: string, request: Request, expected: number[]]>([
    ['nothing, one, or any number', {}, [0, 1, ...fromTo(2, 10)]],
    ['no more than its operation may', { dearest: 3 }, [0, 1, 2, 3]],
    ['nothing if another one took nothing', { known: { 'a rejected key, read': 0 } }, [0]],
    ['something if another one did', { known: { 'a rejected key, read': 1 }, dearest: 2 }, [1, 2]],
    ['nothing, one, or as much as its operation', { known: { 'add, 201': 5 } }, [0, 1, 5]],
    [
      'as much as any kind of it, each once',
      { known: { 'add, 201': 5, 'add, 200': 5, 'add, 404': 3 } },
      [0, 1, 5, 3],
    ],
    ['nothing or one, as its operation does', { known: { 'add, 201': 1 } }, [0, 1]],
    ['nothing or one, if its operation takes nothing', { known: { 'add, 201': 0 }, dearest: 2 }, [0, 1]],
    ['any number, if only what failed took nothing', { known: { 'add, 400': 0 }, dearest: 2 }, [0, 1, 2]],
    [
      'any number, if only what a cache may have took nothing',
      { known: { 'add, 200, again': 0 }, dearest: 2 },
      [0, 1, 2],
    ],
    ['any number, whatever another operation takes', { known: { 'adds, 201': 5 }, dearest: 2 }, [0, 1, 2]],
  ])('%s', (_what, request, expected) => {
    expect(tried({}, { kind: 'a rejected key, add', ...request })).toEqual(expected);
  });

  test('a wrong key that is accepted takes nothing or one', () => {
    expect(tried({}, { kind: 'a wrong key, add', dearest: 3 })).toEqual([0, 1]);
  });

  test.each(['a wrong key, add', 'a rejected key, add'])('%s: rather one, if they seem to count', (kind) => {
    expect(tried({}, { kind, dearest: 1, seemsCounted: true })).toEqual([1, 0]);
  });
});

test('weights are the same however they were learned', () => {
  const observations: Observation[] = [];
  const none = Weights.unknown(observations);
  const one = none.with('read', 1);
  const both = one.with('add', 2);
  expect(none.with('add', 2).with('read', 1)).toBe(both);
  expect(none.with('read', 1)).toBe(one);
  expect(Weights.unknown(observations)).toBe(none);
  expect(Weights.unknown([])).not.toBe(none);
  const other = one.with('add', 3);
  expect([none, one, both, other].map(({ of }) => of)).toEqual([
    {},
    { read: 1 },
    { read: 1, add: 2 },
    { read: 1, add: 3 },
  ]);
  expect(new Set([none, one, both, other]).size).toBe(4);
});
