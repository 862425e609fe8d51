import type { Exchange } from '../../model/exchange.ts';
import { type Circumstances, isAnswered, type Judged } from '../judged.ts';
import { quote } from '../quote.ts';
import { RECOVERY } from './recovery.ts';

/** If Remaining is at most this, rounding may explain why the next request is over the limit. */
const USED_UP = 2;

/** Requests of the exhaustion that did not get a 429 although, by the Remaining before them, they were over the limit. */
export function exchangesOverLimit(
  exchanges: readonly Exchange[],
  { limits }: Circumstances,
): ReadonlySet<number> {
  const withKey = exchanges.filter((each) => each.key === 'valid' && each.stage !== 'recover');
  const last = withKey.findLast((each) => each.stage === 'exhaust');
  const isCounted = limits?.minute !== undefined && withKey.length > limits.minute;
  const over = withKey.filter((each, index) => {
    const left = withKey[index - 1]?.rate.remaining;
    if (each.stage !== 'exhaust' || each.response?.status === 429) return false;
    return left === 0 || (each === last && (isCounted || (left !== undefined && left <= USED_UP)));
  });
  return new Set(over.map(({ id }) => id));
}

/**
 * If the request after the wait does not get its response, the limit did not recover; unless the requests that used up the
 * limit got the same one.
 */
export function attributeToRecovery(judged: Judged, exchanges: readonly Exchange[]): Judged {
  const [first] = judged.deviations;
  if (judged.probe.stage !== 'recover' || isAnswered(judged) || !first) return judged;
  const { operation, response } = judged.exchange;
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

/** Whatever is wrong with a request over the limit, a 429 was due. */
export function attributeToLimit(judged: Judged): Judged {
  const limited = judged.operation.responses.find(({ status }) => status === '429');
  const [first] = judged.deviations;
  if (!limited || !first) return judged;
  const { response, failure } = judged.exchange;
  const received = response ? `status ${response.status}` : quote(failure?.message ?? 'no response');
  const reason = 'a request over the limit was not refused with 429';
  return {
    ...judged,
    hidden: [...judged.deviations, ...judged.hidden],
    deviations: [
      { requirement: limited.requirement, kind: 'status', reason, expected: 'status 429', received },
    ],
  };
}
