import type { Change } from '../../changes/change.ts';
import { combined, delayed, onVerdict } from '../../changes/changes.ts';
import { windowOf } from '../../changes/counting.ts';
import { withHeaderOf } from '../../http/answer.ts';
import type { Call } from '../../http/call.ts';
import type { AlgorithmName, LimiterSettings } from '../../settings.ts';
import { HEADERS, REMAINING, variant, WAITING } from '../freedoms.ts';
import { allowedBy, type Variant, variantOf } from '../variant.ts';

const SECOND_MS = 1_000;

const bucket = { settings: { limiter: { algorithm: 'token-bucket' } } } as const;

/** A part of a request counts as one in Remaining. */
function roundedUp(id: string, algorithm: AlgorithmName): Variant {
  const summary = 'Remaining is rounded up if part of another request is available';
  return variant(id, summary, REMAINING, { algorithm, remainingRounded: 'up' });
}

/** A 429 says that no requests are left, also if part of a request is. */
const noneIfRefused = onVerdict({ key: 'valid' }, (verdict) =>
  verdict.allowed ? verdict : { ...verdict, remaining: 0 },
);

/** Retry-After is 20 s longer than needed. */
const longer = onVerdict({}, (verdict) =>
  verdict.allowed ? verdict : { ...verdict, retryAt: verdict.retryAt + 20 * SECOND_MS },
);

/** How long (ms) a key is blocked that exceeds the limit. */
const BLOCK_MS = 75 * SECOND_MS;

/** Requests over the limit block the key for longer than the window lasts. */
const blocking = onVerdict({ key: 'valid' }, (verdict, call) => {
  const block = call.recall(`block of ${call.listener}`, () => ({ end: 0 }));
  if (!verdict.allowed && block.end <= call.now) block.end = call.now + BLOCK_MS;
  if (block.end <= call.now) return verdict;
  return { ...verdict, allowed: false, remaining: 0, resetAt: block.end, retryAt: block.end };
});

/** Remaining is read once a second and when a window begins. A 429 shows the present Remaining. */
const snapshots = onVerdict({ key: 'valid' }, (verdict, call) => {
  const name = `snapshot of ${call.listener}`;
  const taken = call.recall(name, () => ({ at: 0, window: 0, remaining: 0 }));
  if (windowOf(call) !== taken.window || call.now - taken.at >= SECOND_MS)
    Object.assign(taken, { at: call.now, window: windowOf(call), remaining: verdict.remaining });
  return verdict.allowed ? { ...verdict, remaining: taken.remaining } : verdict;
});

/** Reset is the end of the window. */
const windowEnd = onVerdict({}, (verdict, call) => ({
  ...verdict,
  resetAt: (windowOf(call) + 1) * call.minute,
}));

/** Figures in the headers that are not exact, or say more or less than those of the reference. */
export const limiterFigureVariants: readonly Variant[] = [
  roundedUp('remaining-up-bucket', 'token-bucket'),
  roundedUp('remaining-up-gcra', 'gcra'),
  roundedUp('remaining-up-sliding-counter', 'sliding-counter'),
  ...allowedBy(REMAINING, {
    'remaining-up-bucket-none': [
      'Remaining of a token bucket is rounded up, but a 429 says that none are left',
      { settings: { limiter: { algorithm: 'token-bucket', remainingRounded: 'up' } } },
      noneIfRefused,
    ],
    'remaining-frozen': ['Remaining is up to a second old', snapshots],
    'remaining-frozen-slow': [
      'Remaining is up to a second old; each request takes 30 ms',
      combined(snapshots, delayed({}, 30)),
    ],
  }),
  ...allowedBy(WAITING, {
    'retry-after-longer': ['Retry-After is 20 seconds longer than needed', longer],
    'retry-after-longer-bucket': [
      'Retry-After is 20 seconds longer than a token bucket needs for the next token',
      bucket,
      longer,
    ],
    'blocked-after-limit': [
      'a key that exceeds the limit is blocked for 75 seconds; Retry-After and Reset of the 429 say so',
      blocking,
    ],
    'blocked-after-limit-bucket': [
      'a key that empties a token bucket is blocked for 75 seconds; Retry-After and Reset of the 429 say so',
      bucket,
      blocking,
    ],
  }),
  ...allowedBy(HEADERS, {
    'reset-in-a-minute-bucket': [
      'Reset is always a minute ahead, with a token bucket',
      bucket,
      onVerdict({}, (verdict, { now, minute }) => ({ ...verdict, resetAt: now + minute })),
    ],
    'reset-full-minute-sliding-counter': [
      'Reset is the next full minute, with a sliding counter',
      { settings: { limiter: { algorithm: 'sliding-counter' } } },
      windowEnd,
    ],
  }),
  {
    ...variantOf(
      'reset-full-minute-whole-sliding-counter',
      'Reset is the next full minute, with a sliding counter of whole numbers; each request takes 300 ms',
      HEADERS,
      { settings: { limiter: { algorithm: 'whole-sliding-counter' } } },
      combined(windowEnd, delayed({}, 300)),
    ),
    // The first requests are of the window before.
    start: '2026-11-21T12:00:59.900Z',
  },
  {
    ...variantOf(
      'reset-full-whole-sliding-counter',
      'Reset is the time when all requests are back, with a sliding counter of whole numbers; each request takes 250 ms',
      HEADERS,
      { settings: { limiter: { algorithm: 'whole-sliding-counter' } } },
      delayed({}, 250),
    ),
    start: '2026-11-21T12:00:58Z',
  },
  {
    ...variantOf(
      'reset-next-whole-sliding-counter',
      'Reset is the time when one request comes back, with a sliding counter of whole numbers; each request takes 300 ms',
      HEADERS,
      { settings: { limiter: { algorithm: 'whole-sliding-counter', resetMeans: 'next' } } },
      delayed({}, 300),
    ),
    start: '2026-11-21T12:00:59.900Z',
  },
];

/** The name of what a request is counted together with. */
type CountOf = (call: Call) => string;

const byAddress: CountOf = ({ listener }) => listener;

/** What was left when the last request of a count was counted, and when the limit resets since. */
const lastCounted = (call: Call, countOf: CountOf) =>
  call.recall(`last counted of ${countOf(call)}`, () => ({ left: 0, resetAt: 0 }));

/** Remaining and Reset are read when the response is sent: by then, requests that arrived later are counted as well. */
function readLate(
  pauseOf: (call: Call) => number,
  limiter: Partial<LimiterSettings> = {},
  countOf: CountOf = byAddress,
  arrivalOf: (call: Call) => number = () => 0,
): Change {
  const isCounted = ({ key }: Call) => key === 'valid' || limiter.counts401 === true;
  return {
    settings: { limiter },
    limit: (verdict, call) => {
      const { remaining: left, resetAt } = verdict;
      if (isCounted(call)) Object.assign(lastCounted(call, countOf), { left, resetAt });
      return verdict;
    },
    around: async (call, next) => {
      await call.pause(arrivalOf(call));
      const answer = await next(call);
      await call.pause(pauseOf(call));
      if (!isCounted(call) || answer.status === 429) return answer;
      const { left, resetAt } = lastCounted(call, countOf);
      const withLeft = withHeaderOf(answer, 'X-RateLimit-Remaining', String(left));
      return withHeaderOf(withLeft, 'X-RateLimit-Reset', String(Math.ceil(resetAt / 1_000)));
    },
  };
}

/** How long (ms) a response takes: some take longer than others. */
const slow = ({ number }: Call) => 10 + (number % 3) * 10;
const quick = ({ number }: Call) => 2 + ((3 * number) % 4) * 2;
const uneven = ({ number }: Call) => 5 + ((7 * number) % 19) * 5;

/** How long (ms) a request waits for its turn before it is counted. */
const queued = ({ number }: Call) => ((9 * number) % 18) * 5;

const late = (id: string, summary: string, change: Change): Variant =>
  variantOf(id, `Remaining is read when the response is sent, ${summary}`, REMAINING, change);

/** Limiters whose headers are those of the time of the response. */
export const lateVariants: readonly Variant[] = [
  late('remaining-of-response', 'and so counts requests that arrived meanwhile', readLate(slow)),
  late('remaining-of-response-quick', 'a few milliseconds later', readLate(quick)),
  late(
    'remaining-of-response-sliding',
    'with a sliding window',
    readLate(slow, { algorithm: 'sliding-log' }),
  ),
  late(
    'remaining-of-response-sliding-counter',
    'with a sliding counter whose Reset is the next request',
    readLate(quick, { algorithm: 'sliding-counter', resetMeans: 'next' }),
  ),
  late('remaining-of-response-bucket', 'with a token bucket', readLate(quick, { algorithm: 'token-bucket' })),
  late(
    'remaining-of-response-per-operation',
    'and requests are counted per operation',
    readLate(slow, { scope: 'key-and-operation' }, ({ listener, operation }) => `${listener} ${operation}`),
  ),
  late(
    'remaining-of-response-shared',
    'and both addresses share one count',
    readLate(slow, { messages: 'shared' }, () => 'both'),
  ),
  late(
    'remaining-of-response-queued',
    'both addresses share one count, and requests are counted in another order than sent',
    readLate(uneven, { messages: 'shared' }, () => 'both', queued),
  ),
  late(
    'remaining-of-response-401',
    'and requests without a valid key also count',
    readLate(slow, { counts401: true }),
  ),
];
