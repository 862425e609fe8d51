import { type CandidateFamily, candidatesOf } from '../../../limiter/candidates.ts';
import type { Partition } from '../../../limiter/counts.ts';
import { type Explanation, explanationOf } from '../../../limiter/explanation.ts';
import type { Span } from '../../../limiter/models/span.ts';
import type { Traffic } from '../../../limiter/observations.ts';
import type { Contract } from '../../../model/contract.ts';
import type { Exchange } from '../../../model/exchange.ts';
import { range, requests } from '../seen/seen.ts';
import { type ProfileExchange, type ProfileStatement, type RuledOut, untold } from './statement.ts';
import { type Origins, withWaits } from './waits.ts';

export type Operations = Pick<Contract, 'operations' | 'ratePlans'>;

/** Lengths that differ by more than this show nothing of how long a window lasts. */
const MOST_VARIED = 3;

/** What is told of the kind and the window, and between which lengths (ms) it lasts. */
export interface LimiterKind {
  statements: ProfileStatement[];
  windowMs?: Span;
}

/**
 * Which honest limiters explain everything, and with which lengths of their window; or why that cannot be told.
 * @param limits what the limit may be, the likeliest first
 */
export function kindOf(
  sent: readonly ProfileExchange[],
  contract: Operations,
  limits: readonly number[],
  refused: Exchange | undefined,
): LimiterKind {
  const { judged, origins } = withWaits(sent.map((each) => withLimit(each, limits[0])));
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
  const candidates = merged(
    possibleLimits.map(({ traffic, explanation }) => candidatesOf(traffic, partitionOf(explanation))),
  );
  const out = candidates.flatMap((each) => ruledOut(each, origins));
  const possible = candidates.filter(({ explainsWith }) => explainsWith.length > 0);
  const shownBy = refused ? [refused.id] : [];
  if (possible.length === 0) {
    const untoldKind = cannot('only a rarer kind of limiter explains what was seen', shownBy);
    return { statements: untoldKind.statements.map((each) => ({ ...each, ruledOut: out })) };
  }
  return possibleKinds(possible, out, shownBy, longestBy(sent, possible));
}

/** A Remaining is read by the limit that it belongs to, also where no header states one. */
function withLimit(each: ProfileExchange, limit: number | undefined): ProfileExchange {
  const { rate } = each.exchange;
  if (limit === undefined || rate.remaining === undefined || rate.limit !== undefined) return each;
  return { ...each, exchange: { ...each.exchange, rate: { ...rate, limit } } };
}

/** The candidates of several limits: a family is ruled out if it is for each of them. */
function merged(byLimit: readonly (readonly CandidateFamily[])[]): CandidateFamily[] {
  const [first = [], ...others] = byLimit;
  return first.map((candidate, index) => {
    const all = [candidate, ...others.flatMap((each) => each[index] ?? [])];
    return { ...candidate, explainsWith: all.flatMap(({ explainsWith }) => explainsWith) };
  });
}

/** The longest window (ms) that the Resets leave possible if it is a fixed one: the next begins when it ends, or later. */
function longestBy(sent: readonly ProfileExchange[], possible: readonly CandidateFamily[]): number {
  if (possible.some(({ family }) => family !== 'fixed window')) return Number.POSITIVE_INFINITY;
  const resets = sent.flatMap(({ exchange: { rate, key } }) =>
    key === 'valid' && rate.reset !== undefined ? [rate.reset] : [],
  );
  const steps = resets
    .flatMap((reset, index) => reset - (resets[index - 1] ?? reset))
    .filter((each) => each > 1);
  return steps.length === 0 ? Number.POSITIVE_INFINITY : (Math.min(...steps) + 1) * 1_000;
}

function possibleKinds(
  possible: readonly CandidateFamily[],
  out: readonly RuledOut[],
  shownBy: readonly number[],
  longestMs: number,
): LimiterKind {
  const [only] = possible;
  const names = possible.map(({ family }) => shownName(family));
  const kind: ProfileStatement =
    possible.length === 1 && only
      ? { about: 'kind', value: only.family, text: shownName(only.family), shownBy, ruledOut: out }
      : { ...untold('kind', `${names.join(', ')} all explain what was seen`, shownBy), ruledOut: out };
  const lengths = possible
    .flatMap(({ explainsWith }) => explainsWith)
    .filter((each) => each <= longestMs)
    .sort((one, other) => one - other);
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

/** Requests are counted together as the explanation has it. */
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

function ruledOut({ family, ruledOutBy }: CandidateFamily, origins: Origins): RuledOut[] {
  if (!ruledOutBy) return [];
  const exchange = idOf(ruledOutBy.observation.exchange, origins);
  return [{ model: shownName(family), exchange, because: wordsOf(ruledOutBy, origins) }];
}

/** What an observation has that a limiter would not send, and what that would be. */
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
