import { type Candidate, candidatesOf } from '../../../limiter/candidates.ts';
import type { Partition } from '../../../limiter/counts.ts';
import { type Explanation, explanationOf } from '../../../limiter/explanation.ts';
import type { Contract } from '../../../model/contract.ts';
import type { Exchange } from '../../../model/exchange.ts';
import { range, requests } from '../seen/seen.ts';
import { type ProfileExchange, type RuledOut, type Statement, untold } from './statement.ts';

export type Operations = Pick<Contract, 'operations' | 'ratePlans'>;

/** A Retry-After is rounded up to seconds, and may be a second later (s). */
const ROUNDED_S = 2;

/** A Retry-After of so many seconds or more is taken at its word: right before its end a request would be refused. */
const TELLING_S = 5;

/** What each exchange of the traffic is in the profile: a copy may stand for what a Retry-After says. */
type Origins = ReadonlyMap<Exchange, ProfileExchange>;

/**
 * The exchanges of a profile, and one more for each Retry-After: petspec sends nothing in a closed window, so it takes the word of the
 * service that a request right before the end would be refused.
 */
function withWaits(sent: readonly ProfileExchange[]): { judged: ProfileExchange[]; origins: Origins } {
  const judged: ProfileExchange[] = [];
  const origins = new Map<Exchange, ProfileExchange>();
  const add = (origin: ProfileExchange, exchange: Exchange) => {
    const copy = { ...exchange, id: judged.length + 1 };
    judged.push({ ...origin, exchange: copy });
    origins.set(copy, origin);
  };
  for (const each of sent) {
    const { exchange } = each;
    add(each, exchange);
    const { retryAfter = 0 } = exchange.rate;
    if (exchange.response?.status !== 429 || retryAfter < TELLING_S) continue;
    const at = exchange.receivedAt + (retryAfter - ROUNDED_S) * 1_000;
    add(each, { ...exchange, sentAt: at, receivedAt: at, rate: { retryAfter: ROUNDED_S } });
  }
  return { judged, origins };
}

/** Which honest limiter explains everything, and with which length of its window; or why that cannot be told. */
export function kindOf(
  sent: readonly ProfileExchange[],
  contract: Operations,
  limit: number,
  refused: Exchange | undefined,
): { statements: Statement[]; windowMs?: number } {
  const { judged, origins } = withWaits(sent);
  const traffic = { judged, contract, limits: { minute: limit }, sharedKey: false };
  const explanation = explanationOf(traffic);
  const { excluded, accounts } = explanation;
  const cannot = (why: string, shownBy: readonly number[] = []) => ({
    statements: [untold('kind', why, shownBy), untold('window', why, shownBy)],
  });
  if (excluded) {
    const { observation, nearest } = excluded;
    const id = idOf(observation.exchange, origins);
    const words = wordsOf(excluded, origins);
    return cannot(
      `no honest limiter sends what exchange ${id} has (${words}); the nearest is a ${nearest.name}`,
      [id],
    );
  }
  if (accounts.length === 0 || accounts.some(({ attempt }) => attempt.isPresumed))
    return cannot('the exchanges leave too much open');
  const candidates = candidatesOf(traffic, partitionOf(explanation));
  const out = candidates.flatMap((each) => ruledOut(each, origins));
  const possible = candidates.filter(({ explainsWith }) => explainsWith.length > 0);
  const shownBy = refused ? [refused.id] : [];
  if (possible.length === 0) {
    const account = accounts[0];
    const name = account?.attempt.model.name ?? '';
    const windowMs = account?.figures.windowMs ?? 0;
    return {
      windowMs,
      statements: [
        { about: 'kind', value: name, text: name, shownBy, ruledOut: out },
        { about: 'window', value: windowMs / 1_000, text: `${windowMs / 1_000} s`, shownBy },
      ],
    };
  }
  return possibleKinds(possible, out, shownBy, longestBy(sent, possible));
}

/** The longest window (ms) that the Resets leave possible if it is a fixed one: the next begins when it ends, or later. */
function longestBy(sent: readonly ProfileExchange[], possible: readonly Candidate[]): number {
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
  possible: readonly Candidate[],
  out: readonly RuledOut[],
  shownBy: readonly number[],
  longestMs: number,
): { statements: Statement[]; windowMs?: number } {
  const [only] = possible;
  const names = possible.map(({ family }) => shownName(family));
  const kind: Statement =
    possible.length === 1 && only
      ? { about: 'kind', value: only.family, text: shownName(only.family), shownBy, ruledOut: out }
      : { ...untold('kind', `${names.join(', ')} all explain what was seen`, shownBy), ruledOut: out };
  const lengths = possible
    .flatMap(({ explainsWith }) => explainsWith)
    .filter((each) => each <= longestMs)
    .sort((one, other) => one - other);
  const [shortest = 0, longest = 0] = [lengths[0], lengths.at(-1)];
  const isKnown = longest - shortest <= Math.max(1_000, shortest / 10);
  const middle = lengths[Math.floor(lengths.length / 2)] ?? shortest;
  const span = shortest === longest ? `${shortest / 1_000} s` : `${shortest / 1_000} to ${longest / 1_000} s`;
  const window: Statement = isKnown
    ? { about: 'window', value: middle / 1_000, text: span, shownBy }
    : untold('window', `windows of ${span} explain what was seen`, shownBy);
  return { statements: [kind, window], ...(isKnown ? { windowMs: middle } : {}) };
}

function shownName(family: Candidate['family']): string {
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

function ruledOut({ family, ruledOutBy }: Candidate, origins: Origins): RuledOut[] {
  if (!ruledOutBy) return [];
  const exchange = idOf(ruledOutBy.observation.exchange, origins);
  return [{ model: shownName(family), exchange, because: wordsOf(ruledOutBy, origins) }];
}

/** What an observation has that a limiter would not send, and what that would be. */
function wordsOf(
  { kind, expected, observation: { exchange } }: NonNullable<Candidate['ruledOutBy']>,
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
