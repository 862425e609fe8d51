import { pairs } from 'd3-array';
import type { Exclusion } from '../../../limiter/explain-track.ts';
import type { Span } from '../../../limiter/models/span.ts';
import type { Exchange } from '../../../model/exchange.ts';

/**
 * What was seen of an observation that no honest limiter explains, in words.
 * @param before the exchange before it, at its address and with the key
 * @param name of the request
 * @param place of the request among those of the minute, if it is beyond the limit
 */
export function seenIn(
  { kind, shownBy, expected, observation: { exchange } }: Exclusion,
  before: Exchange | undefined,
  name: string,
  place: number | undefined,
): string {
  const got = `${name} got ${statusOf(exchange)}`;
  const { remaining } = exchange.rate;
  const was = before?.rate.remaining;
  if (kind === 'refused')
    return was === 0 && remaining !== undefined && remaining > 0
      ? `${got} with Remaining at ${remaining}`
      : `${got} while Remaining was ${was ?? remaining ?? range(expected)}`;
  if (kind === 'reset' && shownBy !== 'reset') return `${got} before the Reset of an earlier response`;
  if (kind === 'let-through' && place !== undefined)
    return `${got} as the ${ordinal(place)} request of the minute${was === 0 ? ', after Remaining was 0' : ''}`;
  if (shownBy === 'let-through')
    return `${got} ${was === 0 ? 'after Remaining was 0' : `with ${requests(expected)} left`}`;
  return kind === 'reset'
    ? `Reset ${changeOf(before?.rate.reset, exchange.rate.reset)} with ${name}`
    : `Remaining ${changeOf(was, remaining)} with ${name}`;
}

/**
 * What an honest limiter would have sent in place of an observation.
 * @param before the exchange before it, at its address and with the key
 */
export function expectedOf({ kind, shownBy, expected }: Exclusion, before: Exchange | undefined): string {
  // A request that costs several is due a 429 although some are left.
  const refusal = `status 429: ${requests(expected)} left`;
  if (shownBy === 'let-through')
    return kind === 'remaining' && before?.rate.remaining === 0
      ? 'no request is let through after X-RateLimit-Remaining: 0'
      : refusal;
  if (kind === 'refused' && shownBy === 'remaining') return 'X-RateLimit-Remaining: 0 in a 429';
  switch (kind) {
    case 'let-through':
      return refusal;
    case 'refused':
      return `no 429: ${requests(expected)} left`;
    case 'remaining':
      return `X-RateLimit-Remaining: ${range(expected)}`;
    case 'reset':
      return `X-RateLimit-Reset: ${range({ lo: Math.floor(expected.lo / 1_000), hi: Math.ceil(expected.hi / 1_000) })}`;
  }
}

export function receivedOf({ kind, shownBy, observation: { exchange } }: Exclusion): string {
  const { remaining = 'absent', reset = 'absent' } = exchange.rate;
  if (shownBy === kind && kind === 'remaining') return `X-RateLimit-Remaining: ${remaining}`;
  if (shownBy === kind && kind === 'reset') return `X-RateLimit-Reset: ${reset}`;
  return receivedWith(exchange);
}

export function receivedWith(exchange: Exchange): string {
  return `status ${statusOf(exchange)} with X-RateLimit-Remaining: ${exchange.rate.remaining ?? 'absent'}`;
}

export interface ResponsePair {
  before: Exchange;
  after: Exchange;
}

/**
 * The only rise of Remaining in the window of the last response, if Remaining then fell as it should. A search may explain a rise
 * until too many requests come after it.
 * @param responses all with the key and at one address
 */
export function riseBefore(responses: readonly Exchange[]): ResponsePair | undefined {
  const last = responses.at(-1)?.rate;
  const ofWindow = responses.filter(
    ({ rate, response }) => rate.reset === last?.reset && response?.status !== 429,
  );
  const steps = pairs(ofWindow).map(([before, after]): ResponsePair => ({ before, after }));
  const fallOf = ({ before, after }: ResponsePair) =>
    (before.rate.remaining ?? 0) - (after.rate.remaining ?? 0);
  const rises = steps.filter((step) => fallOf(step) < 0);
  const final = steps.at(-1);
  return final && fallOf(final) === 1 && rises.length === 1 ? rises[0] : undefined;
}

/** How a figure of one response differs from that of the one before. */
function changeOf(before: number | undefined, after: number | undefined): string {
  if (before === undefined || after === undefined) return `was ${after ?? 'absent'}`;
  if (before === after) return `stayed at ${after}`;
  return `${after > before ? 'rose' : 'fell'} from ${before} to ${after}`;
}

export function statusOf({ response }: Exchange): string {
  return String(response?.status ?? 'no response');
}

export function requests(span: Span): string {
  return `${range(span)} ${span.lo === 1 && span.hi === 1 ? 'request' : 'requests'}`;
}

export function range({ lo, hi }: Span): string {
  return lo === hi ? String(lo) : `${lo} to ${hi}`;
}

const SUFFIXES = new Map([
  ['one', 'st'],
  ['two', 'nd'],
  ['few', 'rd'],
]);

/** A number as the place of a request: 61st. */
export function ordinal(place: number): string {
  return `${place}${SUFFIXES.get(new Intl.PluralRules('en', { type: 'ordinal' }).select(place)) ?? 'th'}`;
}
