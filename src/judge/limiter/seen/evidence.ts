import { pairs } from 'd3-array';
import { valueRequirement } from '../../../contract/requirements.ts';
import { sharingShown } from '../../../limiter/others.ts';
import type { Operation } from '../../../model/contract.ts';
import { type Exchange, headerValue } from '../../../model/exchange.ts';
import { type Deviation, type Finding, notTested, violated } from '../../../model/finding.ts';
import { usesUpLimit } from '../../../model/probe.ts';
import { quote } from '../../../model/visible.ts';
import { type Evidence, idsOf } from '../../evidence/check.ts';
import type { Judged } from '../../evidence/judged.ts';

/** Seconds that rounding in both directions, and one second more, can explain. */
export const ROUNDING_S = 3;

/** Exchanges whose status is right, with any key, in the order in which they were sent; varied ones may count apart. */
export function answeredWithAnyKey({ judged }: Evidence): Judged[] {
  return judged.filter(
    ({ exchange, deviations, isRevealed = false }) =>
      exchange.response &&
      !exchange.variation &&
      (isRevealed || !deviations.some(({ kind }) => kind === 'status')),
  );
}

/** Exchanges with the key whose status is right. */
export function answered(evidence: Evidence): Judged[] {
  return answeredWithAnyKey(evidence).filter(({ probe }) => probe.key === 'valid');
}

/** The finding if no response has one of these headers: they are absent, or every response is wrong. */
export function nothingToJudge({ judged }: Evidence, ...headers: string[]): Finding {
  const deviations = judged.flatMap((result) => result.deviations);
  const isAbout = ({ requirement }: Deviation) => headers.some((name) => isOfHeader(requirement, name));
  const wrong = deviations.find(isAbout) ?? deviations[0];
  if (wrong) return notTested('blocked', `cannot be judged: ${wrong.reason}`, wrong.requirement);
  return notTested('not-planned', 'no request of this run tests it');
}

/** A rate limit header as it came: a number may not hold all of its digits. */
export function receivedHeader({ response }: Exchange, name: string): string {
  return `${name}: ${quote(headerValue(response?.headers ?? [], name) ?? 'absent')}`;
}

export function operationName({ method, path }: Operation): string {
  return `${method} ${path}`;
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
  const isOwned = (deviation: Deviation) => deviation.requirement === requirement;
  const owned = judged.filter(({ deviations }) => deviations.some(isOwned));
  const deviation = owned[0]?.deviations.find(isOwned);
  return deviation && violated(deviation, idsOf(owned.slice(0, most)));
}

/** Requests with the key that the rate limit refused. */
export function refusals({ judged }: Evidence): Judged[] {
  return judged.filter(({ exchange, probe }) => probe.key === 'valid' && exchange.response?.status === 429);
}

/** Whether others use the key: the user says so, or requests one at a time showed it before this one. */
export function isShared(
  { judged, sharedKey }: Evidence,
  before: Pick<Exchange, 'id'> = { id: Number.POSITIVE_INFINITY },
): boolean {
  if (sharedKey) return true;
  const earlier = judged.map(({ exchange }) => exchange).filter(({ id }) => id < before.id);
  return [...new Set(earlier.map(({ address }) => address))].some(
    (address) => sharingShown(earlier, (exchange) => exchange.address === address) !== undefined,
  );
}

/**
 * How many requests are left, if the last one lowered Remaining. If it did not, and some are left, earlier requests may have lowered
 * Remaining: nothing says which requests a limit covers (interface: Rate limit headers).
 */
export function leftOver(sent: readonly Judged[], { judged }: Evidence): number | undefined {
  const remaining = remainingIn(sent);
  const [before = 0, last = 0] = [remaining.at(-2), remaining.at(-1)];
  if (last < before) return last;
  const otherRequests = judged.filter(({ probe: { key, stage }, exchange: { address } }) => {
    return key === 'valid' && address === 'baseUrl' && !usesUpLimit(stage);
  });
  return last > 0 && (isFalling(sent) || isFalling(otherRequests)) ? last : undefined;
}

/** Whether the requests lowered Remaining to 0. */
export function isUsedUp(sent: readonly Judged[]): boolean {
  return remainingIn(sent).at(-1) === 0 && isFalling(sent);
}

function isFalling(judged: readonly Judged[]): boolean {
  const remaining = remainingIn(judged);
  return remaining.some((left, index) => left < (remaining[index - 1] ?? left));
}

function isCounting({ key, address, rate }: Exchange): boolean {
  return key === 'valid' && address === 'baseUrl' && rate.remaining !== undefined;
}

/** Whether requests that use up the limit came back with a later Reset. */
export function isRenewed({ judged }: Evidence): boolean {
  const using = judged.filter(({ probe, exchange }) => usesUpLimit(probe.stage) && isCounting(exchange));
  return pairs(using).some(
    ([{ exchange: before }, { exchange: after }]) =>
      Number(after.rate.remaining) > Number(before.rate.remaining) &&
      Number(after.rate.reset) > Number(before.rate.reset),
  );
}

/** The Remaining of each response that has one. */
function remainingIn(judged: readonly Judged[]): number[] {
  return judged.flatMap(({ exchange }) => exchange.rate.remaining ?? []);
}
