import { expect, test } from 'vitest';
import { isNightly } from '../nightly/sampled.ts';
import { isSlow, type LimiterCell, limiterCells, type SubjectCell, subjectCells } from './cells.ts';
import { problemsOf, titleOf } from './run-cell.ts';

/** `npm run matrix` tries all, of several seeds. */
const CELLS = { limiters: 10, subjects: 5 };

const USUAL = { plan: 'free', describes: 'tightest', others: 'nobody', seed: 2, beside: 'nothing' } as const;

/** What was accused once. */
const HARD: readonly LimiterCell[] = [
  // It covers messages, which come back at once.
  {
    ...USUAL,
    ...{
      algorithm: 'token-bucket',
      counted: 'messages alone',
      window: 5,
      resetMeans: 'full',
      rounding: 'up',
    },
    ...{ retryAfter: 'http-date', size: 4, latency: 1_000, clockSkew: -240, connections: 'memory' },
  },
  // Only one operation shows how fast it refills.
  {
    ...USUAL,
    ...{
      algorithm: 'gcra',
      counted: 'one operation apart',
      window: 10,
      resetMeans: 'next',
      rounding: 'down',
    },
    ...{ retryAfter: 'seconds', size: 1, latency: 0, clockSkew: -240, connections: 'sockets' },
  },
];

/** No search finds what explains it in time, and it takes that long. */
const HARDEST: LimiterCell = {
  ...USUAL,
  ...{ algorithm: 'sliding-counter', counted: 'one operation apart', window: 20, describes: 'minute' },
  ...{ resetMeans: 'full', rounding: 'up', retryAfter: 'http-date', size: 16, latency: 300 },
  ...{ clockSkew: 3_600, connections: 'memory' },
};

/** Windows longer than a minute. */
const LONG = [
  {
    ...HARDEST,
    algorithm: 'fixed-window',
    counted: 'each address',
    window: 120,
    size: 4,
    latency: 0,
    clockSkew: 0,
  },
  {
    ...HARDEST,
    algorithm: 'sliding-log',
    counted: 'each address',
    window: 3_600,
    size: 4,
    latency: 0,
    clockSkew: 0,
  },
] as const;

/** What only such a run shows, or what several requirements could report. */
const NAMED: readonly [id: string, Partial<SubjectCell>][] = [
  ['reopened-half', { size: 16 }],
  ['reads-and-writes-sliding-counter-next', { size: 16 }],
  ['remaining-by-two', { size: 1 }],
  ['reads-and-writes-bucket', { plan: 'pro', size: 16 }],
  ['remaining-at-least-one', { plan: 'pro', size: 16 }],
  ['remaining-jumps', { plan: 'pro', size: 16 }],
  ['remaining-of-response-quick', { plan: 'pro', size: 16 }],
  // Whether a block is over shows in the second window.
  ['blocked-after-limit', { budget: 120 }],
  // What else a run sends may make it look as if its pages had no gaps.
  ['pages-short-but-largest', { size: 16 }],
  ['retry-after-half', { seed: 1, size: 1 }],
  ['never-reopens', { seed: 3, size: 2 }],
  ['late-limit-plus-one', { seed: 4, size: 1 }],
  ['late-refund', { seed: 5, size: 2 }],
  ['given-back-additions', { seed: 1, size: 2 }],
  ['refused-503-front', { seed: 3, size: 1 }],
];
/** Runs on Pro take long. */
const named = NAMED.filter(([, { plan }]) => isNightly || plan !== 'pro');
const namedCells = named.map(
  ([id, change]): SubjectCell => ({
    ...{
      subject: 'a variant',
      id,
      plan: 'free',
      size: 4,
      latency: 0,
      clockSkew: 0,
      connections: 'memory',
      seed: 2,
    },
    ...change,
  }),
);

const all = limiterCells(1);
const cells = [
  ...(isNightly ? all : all.slice(0, CELLS.limiters).filter((each) => !isSlow(each))),
  ...(isNightly
    ? subjectCells(1)
    : subjectCells(1)
        .filter(({ plan }) => plan === 'free')
        .slice(0, CELLS.subjects)),
  ...namedCells,
  ...[...(isNightly ? [...HARD, HARDEST] : HARD.slice(0, 1)), ...LONG],
];

test.each(cells.map((cell) => [titleOf(cell), cell] as const))(
  '%s',
  async (_, cell) => {
    expect(await problemsOf(cell)).toEqual([]);
  },
  120_000,
);
