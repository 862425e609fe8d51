import { type CandidateFamily, candidatesOf } from '../../../limiter/candidates.ts';
import type { Partition } from '../../../limiter/counts.ts';
import { type Explanation, explanationOf } from '../../../limiter/explanation.ts';
import type { Span } from '../../../limiter/models/span.ts';
import type { Traffic } from '../../../limiter/observations.ts';
import type { Contract } from '../../../model/contract.ts';
import type { Exchange } from '../../../model/exchange.ts';
import { secondsToReset } from '../../../model/limits/rate-plan.ts';
import { range, requests } from '../seen/seen.ts';
import { type ProfileExchange, type ProfileStatement, type RuledOut, untold } from './statement.ts';

export type Operations = Pick<Contract, 'operations' | 'ratePlans'>;

/** If the possible lengths differ by more than this factor, the length of the window is unknown. */
const MOST_VARIED = 3;

/** The statements about the kind and the window, and the possible lengths (ms) of the window. */
export interface LimiterKind {
  statements: ProfileStatement[];
  windowMs?: Span;
}

/**
 * Which honest limiters explain all exchanges, and with which lengths of their window; or why that is unknown.
 * @param limits the possible limits, the likeliest first
 */
export function kindOf(
  sent: readonly ProfileExchange[],
  contract: Operations,
  limits: readonly number[],
  refused: Exchange | undefined,
): LimiterKind {
  const { judged, origins } = withWaits(sent.map((request) => withLimit(request, limits[0])));
  const explained = limits.map((minute) => {
    const traffic: Traffic = { judged, contract, limits: { minute }, sharedKey: false };
    return { traffic, explanation: explanationOf(traffic) };
  });
  const cannot = (why: string, shownBy: readonly number[] = []) => ({
    statements: [untold('kind', why, shownBy), untold('window', why, shownBy)],
  });
  const possibleLimits = explained.filter(({ explanation }) => !explanation.excluded);
  const excluded = explained[0]?.explanation.excluded;
  if (possibleLimits.length === 0 && excluded) {
    const { observation, nearest } = excluded;
    const id = idOf(observation.exchange, origins);
    const words = wordsOf(excluded, origins);
    return cannot(
      `no honest limiter sends what exchange ${id} has (${words}); the nearest is a ${nearest.name}`,
      [id],
    );
  }
  const isPresumed = ({ explanation: { accounts } }: (typeof explained)[number]) =>
    accounts.length === 0 || accounts.some(({ attempt }) => attempt.isPresumed);
  if (possibleLimits.every(isPresumed)) return cannot('the exchanges leave too much open');
  const candidates = mergedCandidates(
    possibleLimits.map(({ traffic, explanation }) => candidatesOf(traffic, partitionOf(explanation))),
  );
  const ruledOut = candidates.flatMap((candidate) => excludedKind(candidate, origins));
  const possible = candidates.filter(({ explainsWith }) => explainsWith.length > 0);
  const shownBy = refused ? [refused.id] : [];
  if (possible.length === 0) {
    const untoldKind = cannot('only a rarer kind of limiter explains what was seen', shownBy);
    return {
      statements: untoldKind.statements.map((statement) => ({ ...statement, ruledOut })),
    };
  }
  return possibleKinds(possible, ruledOut, shownBy, longestWindowMs(sent, possible));
}

/** Adds the limit to a Remaining whose headers state none. */
function withLimit(request: ProfileExchange, limit: number | undefined): ProfileExchange {
  const { rate } = request.exchange;
  if (limit === undefined || rate.remaining === undefined || rate.limit !== undefined) return request;
  return { ...request, exchange: { ...request.exchange, rate: { ...rate, limit } } };
}

/** The candidates of several limits: a family is ruled out if it is for each of them. */
function mergedCandidates(byLimit: readonly (readonly CandidateFamily[])[]): CandidateFamily[] {
  const [first = [], ...others] = byLimit;
  return first.map((candidate, index) => {
    const families = [candidate, ...others.flatMap((candidates) => candidates[index] ?? [])];
    return { ...candidate, explainsWith: families.flatMap(({ explainsWith }) => explainsWith) };
  });
}

/** The longest possible fixed window (ms), by the Resets: the next window begins when it ends, or later. */
function longestWindowMs(sent: readonly ProfileExchange[], possible: readonly CandidateFamily[]): number {
  if (possible.some(({ family }) => family !== 'fixed window')) return Number.POSITIVE_INFINITY;
  const resets = sent.flatMap(({ exchange: { rate, key } }) =>
    key === 'valid' && rate.reset !== undefined ? [rate.reset] : [],
  );
  const steps = resets
    .flatMap((reset, index) => reset - (resets[index - 1] ?? reset))
    .filter((step) => step > 1);
  return steps.length === 0 ? Number.POSITIVE_INFINITY : (Math.min(...steps) + 1) * 1_000;
}

function possibleKinds(
  possible: readonly CandidateFamily[],
  ruledOut: readonly RuledOut[],
  shownBy: readonly number[],
  longestMs: number,
): LimiterKind {
  const [only] = possible;
  const names = possible.map(({ family }) => shownName(family));
  const kind: ProfileStatement =
    possible.length === 1 && only
      ? { about: 'kind', value: only.family, text: shownName(only.family), shownBy, ruledOut }
      : {
          ...untold('kind', `${names.join(', ')} all explain what was seen`, shownBy),
          ruledOut,
        };
  const lengths = possible
    .flatMap(({ explainsWith }) => explainsWith)
    .filter((length) => length <= longestMs)
    .sort((left, right) => left - right);
  const [lo = 0, hi = 0] = [lengths[0], lengths.at(-1)];
  const span = lo === hi ? `${lo / 1_000} s` : `${lo / 1_000} to ${hi / 1_000} s`;
  if (hi > MOST_VARIED * lo)
    return { statements: [kind, untold('window', 'windows of many lengths explain what was seen', shownBy)] };
  const middle = lengths[Math.floor(lengths.length / 2)] ?? lo;
  const window: ProfileStatement =
    hi - lo <= Math.max(1_000, lo / 10)
      ? { about: 'window', value: middle / 1_000, text: span, shownBy }
      : untold('window', `windows of ${span} explain what was seen`, shownBy);
  return { statements: [kind, window], windowMs: { lo, hi } };
}

function shownName(family: CandidateFamily['family']): string {
  return family === 'token bucket' ? 'token bucket (or GCRA, which lets through the same)' : family;
}

/** Groups exchanges by the accounts of an explanation. */
function partitionOf({ accounts }: Explanation): Partition {
  const places = new Map<number, number>();
  for (const [place, { track }] of accounts.entries())
    for (const { exchange } of track.observations)
      if (!places.has(exchange.id)) places.set(exchange.id, place);
  return ({ id }) => String(places.get(id) ?? 'none');
}

function idOf(exchange: Exchange, origins: Origins): number {
  return origins.get(exchange)?.exchange.id ?? exchange.id;
}

function excludedKind({ family, ruledOutBy }: CandidateFamily, origins: Origins): RuledOut[] {
  if (!ruledOutBy) return [];
  const exchange = idOf(ruledOutBy.observation.exchange, origins);
  return [{ model: shownName(family), exchange, because: wordsOf(ruledOutBy, origins) }];
}

/** What an observation shows, and what the limiter would have sent. */
function wordsOf(
  { kind, expected, observation: { exchange } }: NonNullable<CandidateFamily['ruledOutBy']>,
  origins: Origins,
): string {
  const { remaining, reset } = exchange.rate;
  const seconds = { lo: Math.floor(expected.lo / 1_000), hi: Math.ceil(expected.hi / 1_000) };
  switch (kind) {
    case 'let-through':
      return `it was let through, with ${requests(expected)} left by this model`;
    case 'refused':
      return origins.get(exchange)?.exchange.sentAt === exchange.sentAt
        ? `it was refused, with ${requests(expected)} left by this model`
        : `its Retry-After asks to wait on, with ${requests(expected)} left by this model`;
    case 'remaining':
      return `Remaining is ${remaining}, by this model ${range(expected)}`;
    case 'reset':
      return `Reset is ${reset}, by this model ${range(seconds)}`;
  }
}

/** A Retry-After is rounded up to seconds, and may be a second later (s). */
const ROUNDED_S = 2;

/** A shorter Retry-After (s) leaves no time before its end in which a request would surely be refused. */
const TELLING_S = 5;

/** The exchange of the profile behind each exchange of the traffic, where a copy may stand for a Retry-After. */
type Origins = ReadonlyMap<Exchange, ProfileExchange>;

/**
 * The exchanges of a profile, and one more for each Retry-After that is the end of the window: petspec sends nothing in a closed
 * window, so it believes the service that a request right before the end would be refused.
 */
function withWaits(sent: readonly ProfileExchange[]): {
  judged: ProfileExchange[];
  origins: Origins;
} {
  const judged: ProfileExchange[] = [];
  const origins = new Map<Exchange, ProfileExchange>();
  const add = (origin: ProfileExchange, exchange: Exchange) => {
    const copy = { ...exchange, id: judged.length + 1 };
    judged.push({ ...origin, exchange: copy });
    origins.set(copy, origin);
  };
  const exchanges = sent.map(({ exchange }) => exchange);
  for (const request of sent) {
    const { exchange } = request;
    add(request, exchange);
    const { retryAfter = 0 } = exchange.rate;
    if (exchange.response?.status !== 429 || retryAfter < TELLING_S) continue;
    if (!isEndOfWindow(exchange, exchanges)) continue;
    const at = exchange.receivedAt + (retryAfter - ROUNDED_S) * 1_000;
    add(request, { ...exchange, sentAt: at, receivedAt: at, rate: { retryAfter: ROUNDED_S } });
  }
  return { judged, origins };
}

/**
 * Whether Retry-After says when requests come back. Some services ask for a longer wait than their limiter needs: they block clients over
 * the limit, or always state a whole window. So Retry-After has to end at the Reset of its window; without Resets, it has to differ
 * between refusals, as the rest of a window does.
 */
function isEndOfWindow(refused: Exchange, exchanges: readonly Exchange[]): boolean {
  const { rate, receivedAt, operation } = refused;
  const ofOperation = exchanges.filter((sent) => sent.operation === operation && sent.key === 'valid');
  const resets = ofOperation.filter(({ id }) => id < refused.id).flatMap(resetOf);
  if (resets.length === 0) {
    const waits = ofOperation.flatMap(({ response, rate: { retryAfter = [] } }) =>
      response?.status === 429 ? retryAfter : [],
    );
    return Math.max(...waits) - Math.min(...waits) >= ROUNDED_S;
  }
  const ofWindow = resets.filter((reset) => reset >= receivedAt / 1_000);
  if (ofWindow.length === 0) return false;
  return receivedAt / 1_000 + (rate.retryAfter ?? 0) - Math.min(...ofWindow) <= ROUNDED_S;
}

/** When a response says that its window resets, by our clock (s). */
function resetOf(exchange: Exchange): number[] {
  const away = secondsToReset(exchange);
  return away === undefined ? [] : [exchange.receivedAt / 1_000 + away];
}
