import type { Evidence } from './check.ts';
import { type Finding, notTested } from './finding.ts';
import type { Judged } from './judged.ts';

/** Seconds that rounding in either direction, and a second more than needed, can explain. */
export const ROUNDING = 3;

/** Exchanges with the key that were answered and whose status is right, in the order in which they were sent. */
export function answered({ judged }: Evidence): Judged[] {
  return judged.filter(
    ({ exchange, probe, deviations }) =>
      probe.key === 'valid' &&
      exchange.response &&
      !deviations.some(({ expected }) => expected.startsWith('status ')),
  );
}

/** Why nothing is there to be judged: the header is absent, or every answer is wrong. */
export function nothingToJudge(evidence: Evidence, header: string): Finding {
  const absent = evidence.judged
    .flatMap(({ deviations }) => deviations)
    .find(({ requirement }) => requirement.startsWith(header));
  if (absent) return notTested(`cannot be judged: ${absent.reason}`, absent.requirement);
  const wrong = evidence.judged.flatMap(({ deviations }) => deviations)[0];
  if (wrong) return notTested(`cannot be judged: ${wrong.reason}`, wrong.requirement);
  return notTested('no request of this run looks at it');
}

/** Requests with the key that the rate limit refused. */
export function refusals({ judged }: Evidence): Judged[] {
  return judged.filter(({ exchange, probe }) => probe.key === 'valid' && exchange.response?.status === 429);
}

/** Requests by which Remaining may fall more than was sent before somebody else must be using the key. */
const STRANGERS = 3;

/**
 * Whether others use the key: the user says so, or Remaining fell by more than was sent, however the answers to
 * requests that were under way together are ordered.
 */
export function isShared(evidence: Evidence): boolean {
  if (evidence.sharedKey) return true;
  // Requests under way together may be counted, and answered, in any order.
  const disorder = 2 * Math.max(0, ...evidence.judged.map(({ exchange }) => exchange.inFlight));
  return ['baseUrl', 'apiUrl'].some((address) => {
    const inTurn = evidence.judged
      .map(({ exchange }) => exchange)
      .filter((each) => each.address === address && each.response?.status !== 429);
    let from: { remaining: number; index: number } | undefined;
    return inTurn.some((each, index) => {
      const { remaining } = each.rate;
      if (each.key !== 'valid' || remaining === undefined) return false;
      if (!from || remaining > from.remaining) from = { remaining, index };
      const sent = index - from.index + disorder;
      return from.remaining - remaining > sent + STRANGERS && from.remaining - remaining > 1.5 * sent;
    });
  });
}
