import { delayed } from '../../changes/changes.ts';
import type { AlgorithmName } from '../../settings.ts';
import { COUNTING, HEADERS, variant } from '../freedoms.ts';
import type { Variant } from '../variant.ts';

const ALGORITHMS: readonly [AlgorithmName, how: string][] = [
  ['fixed-window', 'windows start at the full minute and at UTC midnight'],
  ['offset-window', 'windows start 17 seconds after the full minute and after UTC midnight'],
  ['first-request-window', 'a window starts with the first request after the last window ended'],
  ['sliding-log', 'each request counts for the length of one window'],
  ['sliding-counter', 'the last window counts in proportion to its overlap with the sliding window'],
  ['token-bucket', 'a token bucket refills evenly'],
  ['token-bucket-in-lots', 'a sixth of a token bucket comes back at a time'],
  ['gcra', 'requests are due at even intervals and may be early by up to one window (GCRA)'],
];

const algorithms = ALGORITHMS.flatMap(([algorithm, how]) => [
  variant(`${algorithm}-minute`, `${how}; only the minute is limited`, COUNTING, {
    algorithm,
    windows: 'minute',
  }),
  variant(`${algorithm}-both`, `${how}; minute and day are limited`, COUNTING, {
    algorithm,
    windows: 'both',
  }),
]);

const resets = (
  ['sliding-log', 'sliding-counter', 'token-bucket', 'token-bucket-in-lots', 'gcra'] as const
).map((algorithm) =>
  variant(`${algorithm}-reset-next`, 'Reset is the time when the next request becomes available', HEADERS, {
    algorithm,
    resetMeans: 'next',
  }),
);

/** A run that goes on when a segment begins: all that is counted in one comes back as in a fixed window. */
const segments = (['full', 'next'] as const).map(
  (resetMeans): Variant => ({
    id: `sliding-segments-reset-${resetMeans}`,
    summary: `what ten seconds have counted comes back together, a minute after they began; Reset is the time when ${
      resetMeans === 'full' ? 'all have come back' : 'the first do'
    }`,
    freedom: COUNTING,
    start: '2026-11-21T12:00:28Z',
    ...delayed({}, 150),
    settings: { limiter: { algorithm: 'sliding-segments', resetMeans } },
  }),
);

/** How requests are counted, and when they become available again. */
export const algorithmVariants: readonly Variant[] = [...algorithms, ...resets, ...segments];
