import { valueRequirement } from '../../contract/requirements.ts';
import { type Deviation, type Finding, notTested, violated } from '../../model/finding.ts';
import { type Evidence, idsOf } from '../check.ts';
import type { Judged } from '../judged.ts';

/** Seconds that rounding in both directions, and one second more, can explain. */
export const ROUNDING_S = 3;

/** The requests by which a counter that estimates may be off: a 429 may come so much early or late. */
export const slack = (limit: number) => Math.max(2, Math.ceil(limit / 20));

/** Exchanges whose status is right, with any key, in the order in which they were sent. */
export function answeredWithAnyKey({ judged }: Evidence): Judged[] {
  return judged.filter(
    ({ exchange, deviations, isRevealed = false }) =>
      exchange.response && (isRevealed || !deviations.some(({ kind }) => kind === 'status')),
  );
}

/** Exchanges with the key whose status is right. */
export function answered(evidence: Evidence): Judged[] {
  return answeredWithAnyKey(evidence).filter(({ probe }) => probe.key === 'valid');
}

/** The finding if no response has one of these headers: they are absent, or every response is wrong. */
export function nothingToJudge({ judged }: Evidence, ...headers: string[]): Finding {
  const deviations = judged.flatMap((each) => each.deviations);
  const isAbout = ({ requirement }: Deviation) => headers.some((name) => isOfHeader(requirement, name));
  const wrong = deviations.find(isAbout) ?? deviations[0];
  if (wrong) return notTested('blocked', `cannot be judged: ${wrong.reason}`, wrong.requirement);
  return notTested('not-planned', 'no request of this run tests it');
}

/** Whether a requirement is that a header is present, or that it has the documented value. */
export function isOfHeader(requirement: string, name: string): boolean {
  return requirement === name || requirement === valueRequirement({ name });
}

/** The violation of a requirement that exchanges show by themselves; the evidence has at most `most` of them. */
export function violatedByExchange(
  { judged }: Evidence,
  requirement: string,
  most?: number,
): Finding | undefined {
  const isOwned = (each: Deviation) => each.requirement === requirement;
  const owned = judged.filter(({ deviations }) => deviations.some(isOwned));
  const deviation = owned[0]?.deviations.find(isOwned);
  return deviation && violated(deviation, idsOf(owned.slice(0, most)));
}

/** Requests with the key that the rate limit refused. */
export function refusals({ judged }: Evidence): Judged[] {
  return judged.filter(({ exchange, probe }) => probe.key === 'valid' && exchange.response?.status === 429);
}

/** Remaining may fall by this many requests more than were sent, as counters estimate. Beyond it, others use the key. */
const ESTIMATE = 2;

/**
 * Whether others use the key: the user says so, or Remaining fell by more than was sent between two responses, with
 * nothing else under way.
 */
export function isShared(evidence: Evidence): boolean {
  if (evidence.sharedKey) return true;
  return ['baseUrl', 'apiUrl'].some((address) => {
    // A long exhaustion does not keep all of its exchanges; the ids count those that are left out.
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
      // Start again when Remaining rises: a window ended, or the limit was refilled.
      if (from === undefined || remaining > from.remaining) from = { remaining, sent };
      return from.remaining - remaining > sent - from.sent + ESTIMATE;
    });
  });
}
