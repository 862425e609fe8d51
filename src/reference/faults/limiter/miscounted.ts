import { onVerdict } from '../../changes/changes.ts';
import { all, counting, countOf } from '../../changes/counting.ts';
import type { Call } from '../../http/call.ts';
import { NEEDLESS_ESCAPE } from '../../http/call.ts';
import type { AlgorithmName, LimiterSettings } from '../../settings.ts';
import type { Fault } from '../fault.ts';

const ENFORCED = 'TooManyRequests';
const COUNT = 'rate-limit.count';

/** More requests than the headers say, by any algorithm. */
function late(id: string, summary: string, limiter: Partial<LimiterSettings>): Fault {
  return { id, summary, violates: [ENFORCED], settings: { limiter } };
}

const ALGORITHMS: readonly [AlgorithmName, name: string][] = [
  ['sliding-log', 'a sliding window'],
  ['sliding-counter', 'a sliding counter'],
  ['token-bucket', 'a token bucket'],
  ['token-bucket-in-lots', 'a token bucket that is refilled in lots'],
  ['gcra', 'GCRA'],
];

const byAFew: readonly Fault[] = [
  ...ALGORITHMS.map(([algorithm, name]) =>
    late(`late-by-one-${algorithm}`, `one more request than Limit is accepted, with ${name}`, {
      leeway: 1,
      algorithm,
    }),
  ),
  late('late-by-two', 'two more requests than Limit are accepted, after Remaining is 0', { leeway: 2 }),
  late('late-by-three', 'three more requests than Limit are accepted, after Remaining is 0', { leeway: 3 }),
];

/** The value of a header that any client can send, as one that a proxy adds. */
const forwarded = ({ listener, headers }: Call) =>
  `${listener}, for ${headers['x-forwarded-for'] ?? 'nobody'}`;
const target = ({ listener, target }: Call) => `${listener} ${target}`;
const spelling = ({ listener, target }: Call) =>
  NEEDLESS_ESCAPE.test(target) ? `${listener} ${target}` : listener;

/** Why two requirements may show a count of its own. */
const ANOTHER_COUNT =
  'it shows by Remaining, or by what is let through beyond the limit, whichever is plainer in a run';

/** Requests with another `kind` have another count. */
const separately = (kind: (call: Call) => string) =>
  counting(kind, (count, { limit }) => ({ remaining: Math.max(0, limit - count), allowed: count <= limit }));
/** The same, but Remaining tells the count of the key. */
const separatelyUntold = (kind: (call: Call) => string) =>
  counting(kind, (count, { limit }) => ({ allowed: count <= limit }));

const evaded: readonly Fault[] = [
  {
    id: 'late-per-forwarded',
    summary: 'each value of X-Forwarded-For has a count of its own',
    violates: [ENFORCED],
    ...separately(forwarded),
  },
  {
    id: 'late-per-forwarded-together',
    summary: 'each value of X-Forwarded-For has a count of its own, in which both addresses are together',
    violates: [ENFORCED],
    isAfterRecovery: true,
    ...separately(({ headers }) => `${headers['x-forwarded-for']}`),
  },
  {
    id: 'late-per-target',
    summary: 'requests are counted per target, as it is spelled',
    violates: [COUNT, ENFORCED],
    because: ANOTHER_COUNT,
    ...separately(target),
  },
  {
    id: 'late-per-target-told-by-key',
    summary: 'Remaining counts per key, but the limit is enforced per target, as it is spelled',
    violates: [ENFORCED],
    ...separatelyUntold(target),
  },
  {
    id: 'late-per-spelling',
    summary: 'a target with a needless escape, such as %6Cimit for limit, has a count of its own',
    violates: [ENFORCED, COUNT],
    because: ANOTHER_COUNT,
    ...separately(spelling),
  },
];

/** Only some requests count: `counted` of the first `count`. */
function partly(
  id: string,
  summary: string,
  counted: (count: number) => number,
  violates: Fault['violates'] = [ENFORCED],
): Fault {
  return {
    id,
    summary,
    violates,
    ...counting(all, (count, { limit }) => ({
      remaining: Math.max(0, limit - counted(count)),
      allowed: counted(count) <= limit,
    })),
  };
}

const uncounted: readonly Fault[] = [
  partly('late-first-three', 'the first three requests of a window do not count', (count) =>
    Math.max(0, count - 3),
  ),
  // Remaining says that no more than the limit were let through.
  partly(
    'late-every-tenth',
    'of the first sixty requests of a window, every tenth does not count, and Remaining stays',
    (count) => count - Math.floor(Math.min(count, 60) / 10),
    [COUNT],
  ),
  {
    id: 'late-refund',
    summary: 'after thirty requests of a window, ten are given back; Remaining says so',
    violates: [ENFORCED],
    ...counting(all, (count, { limit }) => {
      const used = count <= 30 ? count : count - 10;
      return { remaining: Math.max(0, limit - used), allowed: used <= limit };
    }),
  },
  {
    id: 'late-additions',
    summary: 'additions are subtracted from Remaining but not counted',
    violates: [ENFORCED],
    ...onVerdict({ key: 'valid' }, (verdict, call) => ({
      ...verdict,
      allowed: call.operation === 'createPet' || countOf(call, `others at ${call.listener}`) <= verdict.limit,
    })),
  },
  {
    id: 'late-limit-plus-one',
    summary: 'one more request than Limit is accepted, and Remaining counts it from the start',
    violates: [ENFORCED],
    ...counting(all, (count, { limit }) => ({
      remaining: Math.max(0, limit + 1 - count),
      allowed: count <= limit + 1,
    })),
  },
];

/** What each request takes off, whatever it asks for. */
const several = (id: string, summary: string, weight: number, algorithm: AlgorithmName): Fault => ({
  id,
  summary,
  violates: [COUNT],
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

const dear: readonly Fault[] = [
  several('counted-twice', 'every request counts as two: 30 pass where 60 are stated', 2, 'fixed-window'),
  several('counted-three-times', 'every request counts as three', 3, 'first-request-window'),
  several('counted-twice-sliding', 'every request counts as two, with a sliding window', 2, 'sliding-log'),
  several('counted-twice-bucket', 'every request takes two tokens of a bucket', 2, 'token-bucket'),
];

const givenBack: Fault = {
  id: 'given-back-additions',
  summary: 'an added animal counts only until it is answered: the next Remaining is as if it was not sent',
  violates: [COUNT],
  settings: { limiter: { givenBack: 'additions' } },
};

/** Requests beyond the limit that get through because others are not counted, or are counted apart. */
export const miscountedFaults: readonly Fault[] = [...byAFew, ...evaded, ...uncounted, ...dear, givenBack];
