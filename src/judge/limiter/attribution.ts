import { type Exchange, headerValue, isServerError } from '../../model/exchange.ts';
import { quote } from '../../model/visible.ts';
import { type Circumstances, inconclusiveOf, isAnswered, isSound, type Judged } from '../evidence/judged.ts';
import { headersFor } from '../exchange/headers.ts';
import { RECOVERY } from './recovery.ts';
import { refusedBySpeed } from './refused-by-speed.ts';
import { operationName } from './seen/evidence.ts';

/** If Remaining is at most this, rounding may explain why the next request is over the limit. */
const USED_UP = 2;

/**
 * Attributes failures over the limit to the limit, and failures after the wait to the recovery, unless the operation itself failed: a
 * service that breaks now and then may break there, too.
 */
export function attributeToLimiter(
  judged: readonly Judged[],
  exchanges: readonly Exchange[],
  circumstances: Circumstances,
): Judged[] {
  const bySpeed = refusedBySpeed(judged);
  const overLimit = exchangesOverLimit(exchanges, circumstances);
  const underLimit = exchanges.filter(
    ({ id, key, stage }) => key === 'valid' && stage !== 'recover' && !overLimit.has(id),
  );
  // A limiter that sent a 429 works, so a 5xx is not its refusal.
  const isEnforced = exchanges.some(
    ({ key, stage, response }) => key === 'valid' && stage === 'exhaust' && response?.status === 429,
  );
  const attributed = judged.map((result) => {
    const { exchange, probe } = result;
    if (bySpeed.has(exchange.id)) return attributeToLimit(result);
    const isOver = overLimit.has(exchange.id) && !isSound(result);
    const isAfter = probe.stage === 'recover' && !isAnswered(result);
    if (!(isOver || isAfter) || underLimit.some((request) => isSameBreakdown(exchange, request)))
      return result;
    if (isOver && isEnforced && isServerError(exchange)) return result;
    return isOver ? attributeToLimit(result) : attributeToRecovery(result, exchanges);
  });
  return attributed.map((result) => withControlOverLimit(result, bySpeed));
}

/** Whether two requests of an operation got the same 5xx, or failed in the same way. */
function isSameBreakdown(left: Exchange, right: Exchange): boolean {
  if (left.operation !== right.operation) return false;
  if (!left.response) return left.failure !== undefined && left.failure.kind === right.failure?.kind;
  return isServerError(left) && left.response.status === right.response?.status;
}

/** Requests of the exhaustion that did not get a 429 although, by the Remaining before them, they were over the limit. */
export function exchangesOverLimit(
  exchanges: readonly Exchange[],
  { limits }: Circumstances,
): ReadonlySet<number> {
  const withKey = exchanges.filter(({ key, stage }) => key === 'valid' && stage !== 'recover');
  const last = lastRequests(withKey.filter((exchange) => exchange.stage === 'exhaust'));
  const isCounted = limits?.minute !== undefined && withKey.length > limits.minute;
  const lefts = remainingBeforeEach(withKey);
  const over = withKey.filter((exchange, index) => {
    const left = lefts[index];
    const { stage, response } = exchange;
    if (stage !== 'exhaust' || response?.status === 429 || lowersRemaining(exchange, left)) return false;
    return left === 0 || (last.has(exchange) && (isCounted || (left !== undefined && left <= USED_UP)));
  });
  return new Set(over.map(({ id }) => id));
}

/** The last request of an exhaustion; if it got a 5xx, also the requests directly before it that did. */
function lastRequests(exhausting: readonly Exchange[]): ReadonlySet<Exchange> {
  const begin = exhausting.findLastIndex((exchange) => !isServerError(exchange)) + 1;
  return new Set(exhausting.slice(Math.min(begin, exhausting.length - 1)));
}

/** The last Remaining before each request; a 5xx may have none. */
function remainingBeforeEach(exchanges: readonly Exchange[]): (number | undefined)[] {
  let left: number | undefined;
  return exchanges.map((exchange) => {
    const before = left;
    if (exchange.rate.remaining !== undefined || !isServerError(exchange)) left = exchange.rate.remaining;
    return before;
  });
}

/** Whether the request lowered Remaining, so that the limiter let it through. */
function lowersRemaining({ rate }: Exchange, left = 0): boolean {
  return (rate.remaining ?? left) < left && rate.retryAfter === undefined;
}

/**
 * If the request after the wait does not get its response, the limit did not recover, unless requests that used up the limit got the
 * same status. A 5xx does not say that the limit still applies, unless its headers do.
 */
function attributeToRecovery(judged: Judged, exchanges: readonly Exchange[]): Judged {
  const [first] = judged.deviations;
  if (!first) return judged;
  const { operation, response, rate } = judged.exchange;
  const isStillLimited = rate.remaining === 0 || rate.retryAfter !== undefined;
  if (isServerError(judged.exchange) && !isStillLimited) return judged;
  const isUsual = exchanges.some(
    (earlier) =>
      earlier.stage === 'exhaust' &&
      earlier.operation === operation &&
      earlier.response?.status === response?.status,
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

/** Over the limit a 429 was due, so the response says nothing else about its operation. */
function attributeToLimit(judged: Judged): Judged {
  const requirement = limitOf(judged);
  const deviations = [...judged.deviations, ...judged.hidden];
  if (requirement === undefined || deviations.length === 0) return judged;
  const { exchange, probe, operation } = judged;
  const { response, failure } = exchange;
  const received = response ? `status ${response.status}` : quote(failure?.message ?? 'no response');
  const missing = headersMissingIn(judged);
  const without = missing.length === 0 ? '' : `, without ${missing.join(', ')}`;
  const reason = `${operationName(operation)} got ${response?.status ?? 'no response'} over the limit, in place of 429${without}`;
  return {
    exchange,
    probe,
    operation,
    met: [],
    hidden: deviations,
    deviations: [{ requirement, kind: 'status', reason, expected: 'status 429', received }],
    outcome: 'deviant',
  };
}

/** The requirement of a refusal by the limit, if the operation has one. */
function limitOf({ operation: { responses } }: Judged): string | undefined {
  return responses.find(({ status }) => status === '429')?.requirement;
}

/** If the control of an exchange was over the limit, the limit explains why the exchange is inconclusive. */
function withControlOverLimit(judged: Judged, over: ReadonlySet<number>): Judged {
  const inconclusive = inconclusiveOf(judged);
  const cause = limitOf(judged);
  if (inconclusive?.control === undefined || cause === undefined || !over.has(inconclusive.control))
    return judged;
  return { ...judged, inconclusive: { ...inconclusive, cause } } as Judged;
}

/** The headers of a 429 that a response in its place does not have. */
function headersMissingIn({ operation, exchange: { response } }: Judged): string[] {
  if (!response) return [];
  return headersFor(operation, '429')
    .filter(({ name, required }) => required && headerValue(response.headers, name) === undefined)
    .map(({ name }) => name);
}
