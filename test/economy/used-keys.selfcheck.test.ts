import { describe, expect, test } from 'vitest';
import type { LimiterSettings, Plan } from '../../src/reference/index.ts';
import type { RunOptions } from '../../src/run/options.ts';
import { isNightly, sampled } from '../nightly/sampled.ts';
import { intoClosedWindows, loggedRun } from './logged-run.ts';

const FREE = { minute: 60, day: 1_000 };
const TEN = { minute: 10, day: 1_000 };
const FIVE = { minute: 5, day: 1_000 };
const BUSINESS = { minute: 1_000, day: 100_000 };

interface Case {
  plan?: Plan;
  limiter?: Partial<LimiterSettings>;
  options?: Partial<RunOptions>;
  start?: number;
  /** What every reason of a requirement that was not tested says; without it all were. */
  because?: RegExp;
  /** Nothing foretells the 429: as many as are under way may arrive after it. */
  unforeseen?: true;
}

const stated = (limits: Plan) => ({ plan: limits, options: { limits } });
const TOO_LONG = /longer than --max-wait|the rate limit refused the request|was not created/;
const OTHERS = /other users|others|the rate limit refused the request|longer than --max-wait/;

const SMALL: Record<string, Case> = {
  '10 a minute': stated(TEN),
  '5 a minute': stated(FIVE),
  '10 a minute, the minute alone': {
    plan: TEN,
    options: { limits: { minute: 10 } },
    limiter: { windows: 'minute' },
  },
  '10 a minute, not stated': { plan: TEN },
  '10 a minute, in a sliding log': { ...stated(TEN), limiter: { algorithm: 'sliding-log' } },
  '5 a minute, in a sliding log': { ...stated(FIVE), limiter: { algorithm: 'sliding-log' } },
  '10 a minute, in a bucket': { ...stated(TEN), limiter: { algorithm: 'token-bucket' } },
  '10 a minute, GCRA, Reset is when the next one comes back': {
    ...stated(TEN),
    limiter: { algorithm: 'gcra', resetMeans: 'next' },
  },
  '10 a minute, in a sliding counter': { ...stated(TEN), limiter: { algorithm: 'sliding-counter' } },
  '10 a minute, from the first request on': {
    ...stated(TEN),
    limiter: { algorithm: 'first-request-window' },
  },
  '10 a minute, rounded down': { ...stated(TEN), limiter: { rounding: 'down' } },
  '10 a minute, headers of the day': { ...stated(TEN), limiter: { describes: 'day' } },
  '10 a minute, by operation': { ...stated(TEN), limiter: { scope: 'key-and-operation' } },
  // Whether wrong keys count is not told, and they go out side by side.
  '10 a minute, 401s count': { ...stated(TEN), limiter: { counts401: true }, unforeseen: true },
  '10 a minute, both addresses together': { ...stated(TEN), limiter: { messages: 'shared' } },
  '10 a minute, 5 left': { ...stated(TEN), limiter: { used: { left: 5 } } },
  '10 a minute, 40 a day': { ...stated({ minute: 10, day: 40 }), because: TOO_LONG },
};

/** Plans that nobody stated and no header tells. */
const UNKNOWN: Record<string, Case> = {
  '30 a minute, headers of the day': {
    plan: { minute: 30, day: 5_000 },
    limiter: { describes: 'day' },
    unforeseen: true,
  },
  '30 a minute in a bucket, headers of the day': {
    plan: { minute: 30, day: 5_000 },
    limiter: { describes: 'day', algorithm: 'token-bucket' },
    unforeseen: true,
  },
  '77 a minute, headers of the day': {
    plan: { minute: 77, day: 5_000 },
    limiter: { describes: 'day' },
    because: /is unknown/,
  },
  '77 a minute, headers of the minute': { plan: { minute: 77, day: 5_000 } },
  'Free, not stated': { options: {} },
  'Free, not stated, headers of the day': { options: {}, limiter: { describes: 'day' } },
  'Business, not stated': { plan: BUSINESS },
  'Business, not stated, headers of the day': { plan: BUSINESS, limiter: { describes: 'day' } },
  'Business, not stated, in a sliding counter': {
    plan: BUSINESS,
    limiter: { algorithm: 'sliding-counter' },
    because: /is unknown/,
  },
  'Free, not stated, headers of a day that ends': {
    options: {},
    limiter: { describes: 'day' },
    start: Date.UTC(2026, 10, 21, 23, 59, 20),
    unforeseen: true,
  },
};

const DAYS: Record<string, Case> = {
  'ten left of the day': { limiter: { usedToday: { left: 10 } }, because: TOO_LONG },
  'ten left of the day, headers of the minute': {
    limiter: { usedToday: { left: 10 }, describes: 'minute' },
    because: TOO_LONG,
    unforeseen: true,
  },
  'ten left of the day, headers of the day': {
    limiter: { usedToday: { left: 10 }, describes: 'day' },
    because: TOO_LONG,
  },
  'none left of the day': { limiter: { usedToday: { left: 0 } }, because: TOO_LONG },
  'as many left of the day as of the minute': { limiter: { usedToday: { left: 60 } }, because: TOO_LONG },
  'one more left of the day than of the minute': { limiter: { usedToday: { left: 61 } } },
  'the day ends during the run': { start: Date.UTC(2026, 10, 21, 23, 59, 40) },
  'the day ends during the run, headers of the day': {
    start: Date.UTC(2026, 10, 21, 23, 59, 40),
    limiter: { describes: 'day' },
  },
};

const SHARED: Record<string, Case> = {
  'three requests for every two of ours': { limiter: { background: { perSecond: 0, perRequest: 1.5 } } },
  'five requests for every two of ours': { limiter: { background: { perSecond: 0, perRequest: 2.5 } } },
  'three for every two of ours, headers of the day': {
    limiter: { background: { perSecond: 0, perRequest: 1.5 }, describes: 'day' },
  },
  'twenty a second': { limiter: { background: { perSecond: 20, perRequest: 0 } } },
  'two a second, in a sliding log': {
    limiter: { background: { perSecond: 2, perRequest: 0 }, algorithm: 'sliding-log' },
  },
  'thirty a second, in a sliding counter': {
    limiter: { background: { perSecond: 30, perRequest: 0 }, algorithm: 'sliding-counter' },
  },
  'ten a second, in a bucket': {
    limiter: { background: { perSecond: 10, perRequest: 0 }, algorithm: 'token-bucket' },
  },
  'fifteen a second, GCRA': {
    limiter: { background: { perSecond: 15, perRequest: 0 }, algorithm: 'gcra' },
  },
  'one a second and one before each of ours, GCRA': {
    limiter: { background: { perSecond: 0.9, perRequest: 1 }, algorithm: 'gcra' },
    because: OTHERS,
  },
  'more than a bucket refills': {
    limiter: { background: { perSecond: 2, perRequest: 1 }, algorithm: 'token-bucket' },
    because: OTHERS,
  },
};

/** Where hardly a request of ours gets through, only the user can tell whose fault that is. */
const SATURATED: Record<string, Case> = {
  'all that there is': { limiter: { background: { perSecond: 200, perRequest: 0 } }, because: OTHERS },
};

const IMPATIENT: Record<string, Case> = {
  'no time to wait': { options: { plan: 'free', maxWait: 0 }, because: TOO_LONG },
  'not the time to recover': { options: { plan: 'free', maxWait: 5 }, because: TOO_LONG },
  'not the time for the next window, 5 left': {
    options: { plan: 'free', maxWait: 5 },
    limiter: { used: { left: 5 } },
    // Reads that go out together are not sent where the limit would refuse some of them.
    because: new RegExp(`${TOO_LONG.source}|too few for \\d+ requests at once`),
  },
  'not the time for the next window, none left': {
    options: { plan: 'free', maxWait: 5 },
    limiter: { used: { left: 0 } },
    because: TOO_LONG,
  },
  'not the time for the next window, 10 a minute': {
    plan: TEN,
    options: { maxWait: 10, limits: TEN },
    because: TOO_LONG,
  },
};

const AT_ONCE = isNightly ? [1, 4, 16] : [1, 16];
const tried = (cases: Record<string, Case>) => {
  const all = Object.entries(cases);
  return sampled(all, Math.ceil(all.length / 6), ([name]) => name, 'used keys');
};

/** Nothing is held against the service, what was not tested says why, and closed windows are left alone. */
async function expectRightVerdict(
  { plan = FREE, limiter = {}, options, start, because, unforeseen }: Case,
  change: Partial<RunOptions> = {},
): Promise<void> {
  const plain: Partial<RunOptions> = plan === FREE && options === undefined ? { plan: 'free' } : {};
  for (const concurrency of AT_ONCE) {
    const run = await loggedRun({
      plan,
      limiter,
      options: { ...plain, ...options, ...change, concurrency },
      ...(start === undefined ? {} : { start }),
    });
    expect(run.violated).toEqual([]);
    const others = Object.entries(run.untested).filter(([, reason]) => !because?.test(reason));
    expect(others).toEqual([]);
    expect(Object.keys(run.untested).length > 0).toBe(because !== undefined);
    const isForeseen = unforeseen === undefined && limiter.background === undefined;
    expect(intoClosedWindows(run.log)).toBeLessThanOrEqual(isForeseen ? 0 : concurrency - 1);
  }
}

describe('small plans', () => {
  test.each(tried(SMALL))('%s', (_name, each) => expectRightVerdict(each));
});

describe('plans that are not stated', () => {
  test.each(tried(UNKNOWN))('%s', (_name, each) => expectRightVerdict(each));
});

describe('days that are nearly spent', () => {
  test.each(tried(DAYS))('%s', (_name, each) => expectRightVerdict(each));
});

describe('another client on the same key', () => {
  test.each(tried(SHARED))('%s', (_name, each) => expectRightVerdict(each));
  test.each(tried({ ...SHARED, ...SATURATED }))('%s, and the user says so', (_name, each) =>
    expectRightVerdict(each, { sharedKey: true }),
  );
});

describe('--max-wait too small', () => {
  test.each(tried(IMPATIENT))('%s', (_name, each) => expectRightVerdict(each));
});

test.each([
  ['no violation, if the key is stated as shared', true, []],
  [
    'a limit that does not recover, if it is presumed to be of one user alone',
    false,
    ['rate-limit.recovery: POST /pets got 429 again after the time that Retry-After states'],
  ],
])('a limit of 3 a minute that somebody else uses up twice a second is %s', async (_, sharedKey, found) => {
  const { violated, untested } = await loggedRun({
    plan: { minute: 3, day: 1_000 },
    limiter: { background: { perSecond: 2, perRequest: 0 } },
    options: { plan: 'custom', limits: { minute: 3, day: 1_000 }, sharedKey },
  });
  expect(violated).toEqual(found);
  if (sharedKey) expect(Object.keys(untested)).toContain('rate-limit.recovery');
});
