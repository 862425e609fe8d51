import { type Exchange, headerValue, isServerError } from '../../model/exchange.ts';
import { type Circumstances, inconclusiveOf, isAnswered, isSound, type Judged } from '../evidence/judged.ts';
import { quote } from '../evidence/quote.ts';
import { headersFor } from '../exchange/headers.ts';
import { RECOVERY } from './recovery.ts';
import { refusedBySpeed } from './refused-by-speed.ts';
import { operationName } from './seen/evidence.ts';

/** If Remaining is at most this, rounding may explain why the next request is over the limit. */
const USED_UP = 2;

/**
 * Attributes what fails over the limit to the limit, and what fails after the wait to the recovery, unless it was the
 * operation that failed: a service that breaks now and then may do so there, too.
 */
export function attributeToLimiter(
  judged: readonly Judged[],
  exchanges: readonly Exchange[],
  circumstances: Circumstances,
): Judged[] {
  const bySpeed = refusedBySpeed(judged);
  const overLimit = exchangesOverLimit(exchanges, circumstances);
  const others = exchanges.filter(
    ({ id, key, stage }) => key === 'valid' && stage !== 'recover' && !overLimit.has(id),
  );
  // A limiter that refuses another request works, so a 5xx is not its refusal.
  const isEnforced = exchanges.some(
    ({ key, stage, response }) => key === 'valid' && stage === 'exhaust' && response?.status === 429,
  );
  const attributed = judged.map((each) => {
    const { exchange, probe } = each;
    if (bySpeed.has(exchange.id)) return attributeToLimit(each);
    const isOver = overLimit.has(exchange.id) && !isSound(each);
    const isAfter = probe.stage === 'recover' && !isAnswered(each);
    if (!(isOver || isAfter) || others.some((other) => isSameBreakdown(exchange, other))) return each;
    if (isOver && isEnforced && isServerError(exchange)) return each;
    return isOver ? attributeToLimit(each) : attributeToRecovery(each, exchanges);
  });
  return attributed.map((each) => withControlOverLimit(each, bySpeed));
}

/** Whether two requests of an operation got the same 5xx, or failed in the same way. */
function isSameBreakdown(one: Exchange, other: Exchange): boolean {
  if (one.operation !== other.operation) return false;
  if (!one.response) return one.failure !== undefined && one.failure.kind === other.failure?.kind;
  return isServerError(one) && one.response.status === other.response?.status;
}

/** Requests of the exhaustion that did not get a 429 although, by the Remaining before them, they were over the limit. */
export function exchangesOverLimit(
  exchanges: readonly Exchange[],
  { limits }: Circumstances,
): ReadonlySet<number> {
  const withKey = exchanges.filter((each) => each.key === 'valid' && each.stage !== 'recover');
  const last = lastOnes(withKey.filter((each) => each.stage === 'exhaust'));
  const isCounted = limits?.minute !== undefined && withKey.length > limits.minute;
  const lefts = remainingBeforeEach(withKey);
  const over = withKey.filter((each, index) => {
    const left = lefts[index];
    if (each.stage !== 'exhaust' || each.response?.status === 429 || isTakenOff(each, left)) return false;
    return left === 0 || (last.has(each) && (isCounted || (left !== undefined && left <= USED_UP)));
  });
  return new Set(over.map(({ id }) => id));
}

/** The last request of an exhaustion, and those directly before it if they got a 5xx as it did. */
function lastOnes(exhausting: readonly Exchange[]): ReadonlySet<Exchange> {
  const begin = exhausting.findLastIndex((each) => !isServerError(each)) + 1;
  return new Set(exhausting.slice(Math.min(begin, exhausting.length - 1)));
}

/** What Remaining said before each request; a 5xx need not have said anything. */
function remainingBeforeEach(exchanges: readonly Exchange[]): (number | undefined)[] {
  let left: number | undefined;
  return exchanges.map((each) => {
    const before = left;
    if (each.rate.remaining !== undefined || !isServerError(each)) left = each.rate.remaining;
    return before;
  });
}

/** Whether a request was taken off what was left before it: the limiter let it through. */
function isTakenOff({ rate }: Exchange, left = 0): boolean {
  return (rate.remaining ?? left) < left && rate.retryAfter === undefined;
}

/**
 * If the request after the wait does not get its response, the limit did not recover; unless the requests that used up the
 * limit got the same one. A service that breaks does not say that the limit still applies, unless its headers do.
 */
function attributeToRecovery(judged: Judged, exchanges: readonly Exchange[]): Judged {
  const [first] = judged.deviations;
  if (!first) return judged;
  const { operation, response, rate } = judged.exchange;
  const isStillLimited = rate.remaining === 0 || rate.retryAfter !== undefined;
  if (isServerError(judged.exchange) && !isStillLimited) return judged;
  const isUsual = exchanges.some(
    (each) =>
      each.stage === 'exhaust' && each.operation === operation && each.response?.status === response?.status,
  );
  if (response && response.status !== 429 && isUsual) return judged;
  return {
    ...judged,
    hidden: [...judged.deviations, ...judged.hidden],
    deviations: [
      { ...first, requirement: RECOVERY, reason: `after the time that Retry-After states: ${first.reason}` },
    ],
  };
}

/** Whatever is wrong with a request over the limit, a 429 was due. It tells nothing else of what it asks for. */
function attributeToLimit(judged: Judged): Judged {
  const requirement = limitOf(judged);
  const all = [...judged.deviations, ...judged.hidden];
  if (requirement === undefined || all.length === 0) return judged;
  const { exchange, probe, operation } = judged;
  const { response, failure } = exchange;
  const received = response ? `status ${response.status}` : quote(failure?.message ?? 'no response');
  const lacking = lackingIn(judged);
  const without = lacking.length === 0 ? '' : `, without ${lacking.join(', ')}`;
  const reason = `${operationName(operation)} got ${response?.status ?? 'no response'} over the limit, in place of 429${without}`;
  return {
    exchange,
    probe,
    operation,
    met: [],
    hidden: all,
    deviations: [{ requirement, kind: 'status', reason, expected: 'status 429', received }],
    outcome: 'deviant',
  };
}

/** The requirement of a refusal by the limit, if the operation has one. */
function limitOf({ operation: { responses } }: Judged): string | undefined {
  return responses.find(({ status }) => status === '429')?.requirement;
}

/** An exchange whose control got no response because it was over the limit: then the limit is why it says nothing. */
function withControlOverLimit(judged: Judged, over: ReadonlySet<number>): Judged {
  const inconclusive = inconclusiveOf(judged);
  const cause = limitOf(judged);
  if (inconclusive?.control === undefined || cause === undefined || !over.has(inconclusive.control))
    return judged;
  return { ...judged, inconclusive: { ...inconclusive, cause } } as Judged;
}

/** The headers of a 429 that a response in its place does not have. */
function lackingIn({ operation, exchange: { response } }: Judged): string[] {
  if (!response) return [];
  return headersFor(operation, '429')
    .filter(({ name, required }) => required && headerValue(response.headers, name) === undefined)
    .map(({ name }) => name);
}
