import { expect, test } from 'vitest';
import { observed, type Seen } from '../../../../../test/limiters/limiter-states.ts';
import type { Observation, State } from '../models/model.ts';
import { isDecided } from './decided.ts';
import type { Node } from './node.ts';
import { Place } from './place.ts';
import { Weights } from './weights.ts';

const READ = 'read, 200';
const WRONG = 'a wrong key, read';
const NO_OBSERVATIONS: Observation[] = [];

const read = (change: Partial<Seen> = {}): Observation =>
  observed({ at: 5, until: 6, kind: READ, remaining: 10, ...change });
const untold = (kind: string): Observation => {
  const { remaining: _, ...each } = read({ kind });
  return each;
};

/** What is known before the observation, and what it leaves possible. Requests come back if `since` is there. */
interface Known {
  weights?: Readonly<Record<string, number>>;
  left?: number;
  since?: number;
  isUntold?: boolean;
  first?: number;
  /** What each possibility takes the request to take off, and when it was counted (s). */
  fitting?: readonly [weight: number, since?: number][];
  /** Besides the observation itself, those that may be next, and all later ones. */
  beside?: readonly Observation[];
  later?: readonly Observation[];
}

function isDecidedBy(observation: Observation, known: Known): boolean {
  const {
    left = 5,
    since,
    isUntold = false,
    first = 0,
    fitting = [[1]],
    beside = [],
    later = beside,
  } = known;
  const state = { left: { lo: left, hi: left }, ...(since === undefined ? {} : { since }) } as State;
  let weights = Weights.unknown(NO_OBSERVATIONS);
  for (const [kind, weight] of Object.entries(known.weights ?? { [READ]: 1 }))
    weights = weights.with(kind, weight);
  let place = Place.start();
  for (let index = 0; index < first; index += 1) place = place.after(index);
  const node: Node = { place, state, weights, count: first, since: 5_000, isUntold };
  return isDecided({
    observation,
    node,
    fitting: fitting.map(([weight, at = 5]) => ({
      ...node,
      weights: weights.with(observation.kind, weight),
      since: at * 1_000,
    })),
    possible: [observation, ...beside],
    inTurn: [observation, ...later],
  });
}

const unknown = { weights: {} };
const many = Array.from({ length: 63 }, (_, index) => read({ remaining: 50 + index }));
const ANY = Number.POSITIVE_INFINITY;

test.each<[what: string, isDecided: boolean, observation: Observation, known: Known]>([
  ['it fits what is known of its kind', true, read(), {}],
  ['it does not fit', false, read(), { fitting: [] }],
  ['others may have used some', false, read({ others: 2 }), {}],
  ['others may have used any', true, read({ others: ANY }), {}],
  ['others may have used some before', false, read(), { isUntold: true }],
  ['some may have come back as none was left', false, read(), { since: 0, left: 0.9 }],
  ['some were left', true, read(), { since: 0, left: 1 }],
  ['none was left, and none comes back one by one', true, read(), { left: 0 }],
  ['some may have come back meanwhile', false, read(), { fitting: [[1], [1, 5.1]] }],
  ['it was counted after those before it', true, read({ at: 4 }), {}],
  ['another response says the same while requests come back', false, read(), { since: 0, beside: [read()] }],
  ['another response says something else', true, read(), { since: 0, beside: [read({ remaining: 9 })] }],
  ['another response says the same', true, read(), { beside: [read()] }],
  ['one that tells nothing may have taken some', true, read(), { beside: [untold(WRONG)] }],
  ['it may have while requests come back', false, read(), { since: 0, beside: [untold(WRONG)] }],
  ['it may have while others use any', false, read({ others: ANY }), { beside: [untold(WRONG)] }],
  [
    'it takes nothing',
    true,
    read(),
    { since: 0, beside: [untold(WRONG)], weights: { [READ]: 1, [WRONG]: 0 } },
  ],
  ['of a new kind, it alone says so', true, read(), unknown],
  [
    'of a new kind, others say something else',
    true,
    read(),
    { ...unknown, beside: [read({ remaining: 9 })] },
  ],
  ['of a new kind, another says the same', false, read(), { ...unknown, beside: [read()] }],
  [
    'of a new kind, a later one says the same',
    false,
    read(),
    { ...unknown, beside: [read({ remaining: 9 })], later: [read({ remaining: 9 }), read()] },
  ],
  [
    'of a new kind, a much later one says the same',
    true,
    read(),
    { ...unknown, beside: [read({ remaining: 9 })], later: [...many, read()] },
  ],
  [
    'of a new kind, an earlier one said the same',
    false,
    read({ remaining: 3 }),
    { ...unknown, first: 1, beside: [read({ remaining: 9 })] },
  ],
  ['of a new kind, only it may be next', true, read(), { ...unknown, later: [read()] }],
  ['of a new kind, it seems to take several', false, read(), { ...unknown, fitting: [[1], [2]] }],
  ['of a new kind, it takes nothing', true, read(), { ...unknown, fitting: [[0]], beside: [read()] }],
  [
    'of a new kind, it may take nothing',
    false,
    read(),
    { ...unknown, fitting: [[0], [1]], beside: [read()] },
  ],
  [
    'of a new kind, one that tells nothing may have taken some',
    false,
    read(),
    { ...unknown, beside: [untold(WRONG)] },
  ],
  ['of a new kind, it tells nothing itself', false, untold(READ), { weights: { [WRONG]: 0 } }],
])('%s: %s', (_what, expected, observation, known) => {
  expect(isDecidedBy(observation, known)).toBe(expected);
});
