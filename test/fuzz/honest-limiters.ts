import fc from 'fast-check';
import type { AlgorithmName, LimiterSettings } from '../../src/reference/settings.ts';
import { type Limited, OPERATIONS, type Request } from './limited.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const DAY_MS = 86_400_000;

const ALGORITHMS: readonly AlgorithmName[] = [
  'fixed-window',
  'offset-window',
  'first-request-window',
  'sliding-log',
  'sliding-counter',
  'token-bucket',
  'gcra',
];

const limiter: fc.Arbitrary<Partial<LimiterSettings>> = fc.record({
  algorithm: fc.constantFrom(...ALGORITHMS),
  windows: fc.constantFrom('minute', 'both'),
  describes: fc.constantFrom('minute', 'tightest'),
  resetMeans: fc.constantFrom('full', 'next'),
  rounding: fc.constantFrom('up', 'down', 'second-longer'),
  remainingRounded: fc.constantFrom('down', 'up'),
  retryAfter: fc.constantFrom('seconds', 'http-date'),
  scope: fc.constantFrom('key', 'key-and-operation'),
  counts401: fc.boolean(),
  counts4xx: fc.boolean(),
  messages: fc.constantFrom('separate', 'shared'),
  used: fc.nat(30),
});

const weight = fc.constantFrom(1, 1, 1, 2, 5);

/** What else an honest limiter may do, one at a time. */
export const LIBERTIES: Readonly<Record<string, fc.Arbitrary<Partial<LimiterSettings>>>> = {
  'a request counts as one, or not at all': fc.constant({}),
  'some operations cost several': fc.record({
    weights: fc.record(Object.fromEntries(OPERATIONS.map((operation) => [operation, weight]))),
  }),
  'a bucket is refilled in lots': fc.record({
    algorithm: fc.constant('token-bucket-in-lots'),
    windows: fc.constant('minute'),
    remainingRounded: fc.constant('down'),
  }),
  'requests are counted in segments': fc.record({
    algorithm: fc.constant('sliding-segments'),
    windows: fc.constant('minute'),
    remainingRounded: fc.constant('down'),
  }),
  'a 4xx counts until it is answered': fc.record({
    givenBack: fc.constant('4xx'),
    algorithm: fc.constantFrom('fixed-window', 'first-request-window', 'sliding-log'),
  }),
  'a burst beyond the limit is announced': fc.record({
    // A bucket would be refilled faster than its limit allows.
    algorithm: fc.constantFrom('fixed-window', 'offset-window', 'first-request-window', 'sliding-log'),
    leeway: fc.integer({ min: 1, max: 10 }),
    windows: fc.constant('minute'),
  }),
};

const request: fc.Arbitrary<Request> = fc.record({
  operation: fc.constantFrom(...OPERATIONS),
  pause: fc.oneof({ weight: 9, arbitrary: fc.nat(50) }, { weight: 1, arbitrary: fc.nat(40_000) }),
  takes: fc.oneof({ weight: 4, arbitrary: fc.nat(30) }, { weight: 1, arbitrary: fc.nat(2_000) }),
  decided: fc.double({ min: 0, max: 1, noNaN: true }),
  isWrong: fc.boolean(),
  isWithoutKey: fc.constantFrom(false, false, false, true),
});

/**
 * An honest limiter with any parameters, and requests at any times.
 * @param inFlight so many at a time at most
 * @param liberty one of those above
 */
export const limited = (
  inFlight: number,
  liberty: fc.Arbitrary<Partial<LimiterSettings>>,
): fc.Arbitrary<Limited> =>
  fc
    .record({
      plan: fc.record({ minute: fc.integer({ min: 2, max: 60 }), day: fc.integer({ min: 61, max: 1_000 }) }),
      limiter: fc.tuple(limiter, liberty).map(([any, taken]) => ({ ...any, ...taken })),
      skew: fc.integer({ min: -200, max: 200 }),
      isDated: fc.boolean(),
      inFlight: fc.integer({ min: 1, max: inFlight }),
      start: fc.nat(DAY_MS).map((ms) => NOON + ms),
      isStated: fc.boolean(),
      requests: fc.array(request, { minLength: 1, maxLength: 60, size: 'max' }),
    })
    // Without a Date and a plan, a clock that is off makes a minute look like a day.
    .map((each) => ({ ...each, isStated: each.isStated || !each.isDated }));

const plainLimiter = fc.record({
  algorithm: fc.constantFrom(...ALGORITHMS),
  windows: fc.constant('minute' as const),
  resetMeans: fc.constantFrom('full' as const, 'next' as const),
  rounding: fc.constantFrom('up' as const, 'down' as const),
  remainingRounded: fc.constantFrom('down' as const, 'up' as const),
});

const read = request.map(
  (each): Request => ({ ...each, operation: 'listPets', isWrong: false, isWithoutKey: false }),
);

/**
 * A larger limit that a run uses up in bursts, of a service that takes its time: many requests come back meanwhile. A run sends no burst that
 * the limit would not let through.
 */
export const filled: fc.Arbitrary<Limited> = fc
  .record({
    plan: fc.record({ minute: fc.integer({ min: 60, max: 1_000 }), day: fc.constant(100_000) }),
    limiter: plainLimiter,
    skew: fc.constant(0),
    isDated: fc.constant(true),
    inFlight: fc.constant(1),
    start: fc.nat(60_000).map((ms) => NOON + ms),
    isStated: fc.constant(true),
    requests: fc.array(read, { minLength: 6, maxLength: 30, size: 'max' }),
    filling: fc.record({
      sizes: fc.array(fc.integer({ min: 2, max: 64 }), { minLength: 1, maxLength: 12, size: 'max' }),
      burst: fc.constant('fill' as const),
      workers: fc.integer({ min: 1, max: 8 }),
      takes: fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 5, maxLength: 50, size: 'max' }),
      picks: fc.oneof(fc.constant([0]), fc.array(fc.nat(63), { minLength: 5, maxLength: 50, size: 'max' })),
    }),
  })
  .map((each) => {
    const all = each.requests.length + each.filling.sizes.reduce((sum, size) => sum + size, 0);
    return { ...each, plan: { ...each.plan, minute: Math.max(each.plan.minute, all) } };
  });

/** The same with the one burst of a run that shows races: it tells what remains, and a service may take its requests in any order. */
export const raced: fc.Arbitrary<Limited> = fc
  .tuple(filled, fc.integer({ min: 4, max: 7 }))
  .map(([each, size]) => ({
    ...each,
    ...(each.filling ? { filling: { ...each.filling, burst: 'beside', sizes: [size] } } : {}),
  }));

/** How far the server's clock is ahead in plain runs: so far that no Reset is right by ours, which Date may not tell. */
export const SKEW_MS = 600_000;

/** Where it is clear what a limiter may say: a fresh key, one request at a time, one kind of request, a few seconds. */
export const plain: fc.Arbitrary<Limited> = fc.record({
  plan: fc.record({ minute: fc.integer({ min: 8, max: 60 }), day: fc.constant(1_000) }),
  limiter: plainLimiter,
  skew: fc.constant(SKEW_MS / 1_000),
  isDated: fc.constant(true),
  inFlight: fc.constant(1),
  // All in the middle of a window.
  start: fc.integer({ min: 10_000, max: 20_000 }).map((ms) => NOON + ms),
  isStated: fc.constant(true),
  requests: fc.array(
    fc.record({
      operation: fc.constant('createPet' as const),
      pause: fc.nat(50),
      takes: fc.nat(10),
      decided: fc.constant(0.5),
      isWrong: fc.constant(false),
      isWithoutKey: fc.constant(false),
    }),
    { minLength: 6, maxLength: 70, size: 'max' },
  ),
});

/**
 * The same of fixed windows that began a second ago: by its Reset, no window of another length did, and none begins with each request.
 */
export const begun = plain.map(
  (each): Limited => ({
    ...each,
    limiter: { ...each.limiter, algorithm: 'fixed-window' },
    start: NOON + 1_200 + (each.start % 200),
  }),
);
