import type { Change } from '../../changes/change.ts';
import { withHeaderOf } from '../../http/answer.ts';
import type { Call } from '../../http/call.ts';
import type { LimiterSettings } from '../../settings.ts';
import { type Variant, variantOf } from '../variant.ts';
import { REMAINING } from './freedoms.ts';

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
      const told = withHeaderOf(answer, 'X-RateLimit-Remaining', String(left));
      return withHeaderOf(told, 'X-RateLimit-Reset', String(Math.ceil(resetAt / 1_000)));
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
