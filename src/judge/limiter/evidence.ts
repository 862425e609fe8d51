import { type Finding, notTested } from '../../model/finding.ts';
import type { Evidence } from '../check.ts';
import type { Judged } from '../judged.ts';

/** Seconds that rounding in either direction, and a second more than needed, can explain. */
export const ROUNDING = 3;

/** Requests that a 429 may come before Remaining is used up: counters that estimate are off by a few. */
export const slack = (limit: number) => Math.max(2, Math.ceil(limit / 20));

/** Exchanges that were answered and whose status is right, with whatever key, in the order in which they were sent. */
export function answeredWithAnyKey({ judged }: Evidence): Judged[] {
  return judged.filter(
    ({ exchange, deviations, isRevealed = false }) =>
      exchange.response && (isRevealed || !deviations.some(({ kind }) => kind === 'status')),
  );
}

/** Those of them that were sent with the key. */
export function answered(evidence: Evidence): Judged[] {
  return answeredWithAnyKey(evidence).filter(({ probe }) => probe.key === 'valid');
}

/** Why nothing is there to be judged: the header is absent, or every answer is wrong. */
export function nothingToJudge(evidence: Evidence, header: string): Finding {
  const absent = evidence.judged
    .flatMap(({ deviations }) => deviations)
    .find(({ requirement }) => requirement.startsWith(header));
  if (absent) return notTested(`cannot be judged: ${absent.reason}`, absent.requirement);
  const wrong = evidence.judged.flatMap(({ deviations }) => deviations)[0];
  if (wrong) return notTested(`cannot be judged: ${wrong.reason}`, wrong.requirement);
  return notTested('no request of this run tests it');
}

/** Requests with the key that the rate limit refused. */
export function refusals({ judged }: Evidence): Judged[] {
  return judged.filter(({ exchange, probe }) => probe.key === 'valid' && exchange.response?.status === 429);
}

/** Remaining may fall by so many more than was sent before somebody else must be using the key: counters estimate. */
const STRANGERS = 2;

/**
 * Whether others use the key: the user says so, or Remaining fell by more than was sent between two answers that came
 * while nothing else was under way.
 */
export function isShared(evidence: Evidence): boolean {
  if (evidence.sharedKey) return true;
  return ['baseUrl', 'apiUrl'].some((address) => {
    // Exchanges of a long exhaustion that were not kept have left their numbers.
    const inTurn = evidence.judged
      .map(({ exchange }, index) => ({ ...exchange, dropped: exchange.id - index }))
      .filter((each) => each.address === address);
    let from: { remaining: number; sent: number } | undefined;
    return inTurn.some((each, index) => {
      const sent = index + each.dropped;
      const next = inTurn[index + 1];
      const isAlone = each.inFlight === 1 && (next === undefined || next.sentAt >= each.receivedAt);
      const { remaining } = each.rate;
      if (!isAlone || each.key !== 'valid' || remaining === undefined) return false;
      // A stretch begins anew where Remaining rises: a window ended, or something was refilled.
      if (from === undefined || remaining > from.remaining) from = { remaining, sent };
      return from.remaining - remaining > sent - from.sent + STRANGERS;
    });
  });
}
