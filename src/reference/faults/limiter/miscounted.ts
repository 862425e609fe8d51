import type { Change } from '../../changes/change.ts';
import { onVerdict } from '../../changes/changes.ts';
import { all, countedBy, countOf, enforcedBy } from '../../changes/counting.ts';
import type { Call } from '../../http/call.ts';
import { NEEDLESS_ESCAPE } from '../../http/call.ts';
import type { AlgorithmName } from '../../settings.ts';
import { type Fault, violating } from '../fault.ts';

const ENFORCED = 'TooManyRequests';
const COUNT = 'rate-limit.count';

const ALGORITHMS: readonly [AlgorithmName, name: string][] = [
  ['sliding-log', 'a sliding window'],
  ['sliding-counter', 'a sliding counter'],
  ['token-bucket', 'a token bucket'],
  ['token-bucket-in-lots', 'a token bucket that is refilled in lots'],
  ['gcra', 'GCRA'],
];

const byAFew: readonly Fault[] = violating(ENFORCED, {
  ...Object.fromEntries(
    ALGORITHMS.map(([algorithm, name]) => [
      `late-by-one-${algorithm}`,
      [
        `one more request than Limit is accepted, with ${name}`,
        { settings: { limiter: { leeway: 1, algorithm } } },
      ] as const,
    ]),
  ),
  'late-by-two': [
    'two more requests than Limit are accepted, after Remaining is 0',
    { settings: { limiter: { leeway: 2 } } },
  ],
  'late-by-three': [
    'three more requests than Limit are accepted, after Remaining is 0',
    { settings: { limiter: { leeway: 3 } } },
  ],
});

/** The value of a header that any client can send, as one that a proxy adds. */
const forwarded = ({ listener, headers }: Call) =>
  `${listener}, for ${headers['x-forwarded-for'] ?? 'nobody'}`;
const target = ({ listener, target }: Call) => `${listener} ${target}`;
const spelling = ({ listener, target }: Call) =>
  NEEDLESS_ESCAPE.test(target) ? `${listener} ${target}` : listener;

/** Why either of two requirements may show requests that are counted apart. */
const ANOTHER_COUNT =
  'it shows by Remaining, or by what is let through beyond the limit, whichever is plainer in a run';

const evaded: readonly Fault[] = [
  ...violating(ENFORCED, {
    'late-per-forwarded': ['each value of X-Forwarded-For has a count of its own', countedBy(forwarded)],
  }),
  {
    id: 'late-per-forwarded-together',
    summary: 'each value of X-Forwarded-For has a count of its own, in which both addresses are together',
    violates: [ENFORCED, COUNT],
    because: ANOTHER_COUNT,
    isAfterRecovery: true,
    ...countedBy(({ headers }) => `${headers['x-forwarded-for']}`),
  },
  {
    id: 'late-per-target',
    summary: 'requests are counted per target, as it is spelled',
    violates: [COUNT, ENFORCED],
    because: ANOTHER_COUNT,
    ...countedBy(target),
  },
  {
    id: 'late-per-target-told-by-key',
    summary: 'Remaining counts per key, but the limit is enforced per target, as it is spelled',
    violates: [ENFORCED],
    ...enforcedBy(target),
  },
  {
    id: 'late-per-spelling',
    summary: 'a target with a needless escape, such as %6Cimit for limit, has a count of its own',
    violates: [ENFORCED, COUNT],
    because: ANOTHER_COUNT,
    ...countedBy(spelling),
  },
];

const uncounted: readonly Fault[] = [
  ...violating(ENFORCED, {
    'late-first-three': [
      'the first three requests of a window do not count',
      countedBy(all, (count) => Math.max(0, count - 3)),
    ],
  }),
  // Remaining says that no more than the limit were let through.
  ...violating(COUNT, {
    'late-every-tenth': [
      'of the first sixty requests of a window, every tenth does not count, and Remaining stays',
      countedBy(all, (count) => count - Math.floor(Math.min(count, 60) / 10)),
    ],
  }),
  ...violating(ENFORCED, {
    'late-refund': [
      'after thirty requests of a window, ten are given back; Remaining says so',
      countedBy(all, (count) => (count <= 30 ? count : count - 10)),
    ],
    'late-additions': [
      'additions are subtracted from Remaining but not counted',
      onVerdict({ key: 'valid' }, (verdict, call) => ({
        ...verdict,
        allowed:
          call.operation === 'createPet' || countOf(call, `others at ${call.listener}`) <= verdict.limit,
      })),
    ],
    'late-limit-plus-one': [
      'one more request than Limit is accepted, and Remaining counts it from the start',
      countedBy(all, (count) => count - 1),
    ],
  }),
];

/** Every request counts as several, whatever its operation. */
const weighing = (weight: number, algorithm: AlgorithmName): Change => ({
  settings: {
    limiter: {
      algorithm,
      weights: {
        listPets: weight,
        createPet: weight,
        getPet: weight,
        getStoreOrders: weight,
        sendMessage: weight,
      },
    },
  },
});

const weighed: readonly Fault[] = violating(COUNT, {
  'counted-twice': ['every request counts as two: 30 pass where 60 are stated', weighing(2, 'fixed-window')],
  'counted-three-times': ['every request counts as three', weighing(3, 'first-request-window')],
  'counted-twice-sliding': ['every request counts as two, with a sliding window', weighing(2, 'sliding-log')],
  'counted-twice-bucket': ['every request takes two tokens of a bucket', weighing(2, 'token-bucket')],
  'given-back-additions': [
    'an added animal counts only until it is answered: the next Remaining is as if it was not sent',
    { settings: { limiter: { givenBack: 'additions' } } },
  ],
});

/** Requests beyond the limit that get through because others are not counted, or are counted apart. */
export const miscountedFaults: readonly Fault[] = [...byAFew, ...evaded, ...uncounted, ...weighed];
