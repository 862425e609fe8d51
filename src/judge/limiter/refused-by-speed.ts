import { areTogether, type Exchange, isSuccess } from '../../model/exchange.ts';
import { isExpected } from '../../model/http/expectation.ts';
import type { Judged } from '../evidence/judged.ts';
import { mediaTypeOf } from '../evidence/same-failure.ts';

/** Fewer failures, or fewer stretches of failures, may have any reason. */
const MIN_REFUSED = 5;
const MIN_STRETCHES = 2;

/** A failure that strikes so many operations belongs to none of them. */
const MIN_OPERATIONS = 3;

/** Inexact clocks may confuse this share of the refused requests, or of the others. */
const HIDDEN = 0.2;

/** Requests beyond these show nothing more, and are not examined. */
const MAX_LOOKED_AT = 500;

/** Requests per second that a bucket gives back, and seconds that a window lasts. */
const RATES = geometric(0.2, 100, 1.01);
const WINDOWS_S = geometric(0.2, 120, 1.05);

/**
 * The requests that a limiter refused with another status than 429 and no header that shows it: they fail alike on any operation, and a
 * bucket or a window of some size predicts which requests fail. A service that breaks now and then does not depend on their speed.
 */
export function refusedBySpeed(judged: readonly Judged[]): ReadonlySet<number> {
  const groups = new Map<string, Judged[]>();
  for (const result of judged) {
    const manner = mayBeRefused(result) ? mannerOf(result.exchange) : undefined;
    if (manner !== undefined) groups.set(manner, [...(groups.get(manner) ?? []), result]);
  }
  const operations = new Set(judged.map(({ operation }) => operation.id)).size;
  for (const [manner, deviant] of groups) {
    // Inconclusive exchanges count, too: their controls may have been refused.
    const alike = judged.filter(
      (result) =>
        mannerOf(result.exchange) === manner && (result.outcome !== 'answered' || mayBeRefused(result)),
    );
    const struck = new Set(deviant.map(({ operation }) => operation.id)).size;
    if (deviant.length < MIN_REFUSED || struck < Math.min(MIN_OPERATIONS, operations)) continue;
    const refused = new Set(alike.map(({ exchange }) => exchange.id));
    const exchanges = judged.map(({ exchange }) => exchange).sort((a, b) => a.sentAt - b.sentAt);
    const selections = [exchanges.filter(({ key }) => key === 'valid'), exchanges];
    const limited = selections.find((selection) => isLimited(selection.slice(0, MAX_LOOKED_AT), refused));
    if (limited) return new Set(limited.map(({ id }) => id).filter((id) => refused.has(id)));
  }
  return new Set();
}

/**
 * Whether a response may be a refusal by a limiter. A rejection with the due status is none, whatever else is wrong with it, nor is a
 * success for a wrong key.
 */
function mayBeRefused({ deviations, exchange, probe }: Judged): boolean {
  const { expectation } = probe;
  const isConforming = isExpected(expectation, String(exchange.response?.status));
  const isDue = expectation.kind === 'due' && isConforming && !isSuccess(exchange);
  const isAccepted = exchange.key !== 'valid' && isSuccess(exchange);
  return deviations.length > 0 && !isDue && !isAccepted;
}

/** How an exchange fails; undefined for a 429. Refusals that look like a success all have the same body. */
function mannerOf({ response, failure }: Exchange): string | undefined {
  if (!response) return failure?.kind;
  if (response.status === 429) return undefined;
  const body = response.status < 400 ? response.body : '';
  return `${response.status} ${mediaTypeOf(response) ?? ''} ${body}`;
}

/** Whether some limiter refuses exactly these requests and lets the others through. */
function isLimited(exchanges: readonly Exchange[], refused: ReadonlySet<number>): boolean {
  const passed = exchanges.filter(({ id }) => !refused.has(id));
  const asked = exchanges.map((exchange): TimedRequest => {
    const isRefused = refused.has(exchange.id);
    const beside = passed.filter((neighbor) => neighbor !== exchange && areTogether(exchange, neighbor));
    // The order of simultaneous requests is unknown: a refused one may have come last, an accepted one first.
    const isBefore = (neighbor: Exchange) =>
      neighbor.sentAt < exchange.sentAt || (neighbor.sentAt === exchange.sentAt && neighbor.id < exchange.id);
    const orderDoubt = isRefused
      ? beside.filter((neighbor) => !isBefore(neighbor)).length
      : -beside.filter(isBefore).length;
    return { at: exchange.sentAt / 1_000, isRefused, more: orderDoubt };
  });
  const runs = runsOf(asked).slice(1, -1);
  const refusals = runs.filter(({ isRefused }) => isRefused).map(({ length }) => length);
  const passes = runs.filter(({ isRefused }) => !isRefused).map(({ length }) => length);
  // Failures in turn, as by one broken node of several, do not depend on the speed.
  const isInTurn = new Set(refusals).size === 1 && new Set(passes).size <= 1;
  if (refusals.length < MIN_STRETCHES || isInTurn || refusals.every((length) => length === 1)) return false;
  const isPredictedBy = (filling: Filling) => predicts(asked, filling);
  return (
    [...ratesOf(asked), ...RATES].some((rate) => isPredictedBy(bucket(rate))) ||
    WINDOWS_S.some((seconds) => isPredictedBy(window(seconds)))
  );
}

/** So many rates are tried between the rates with one request fewer and one more. */
const TRIED = 100;

/** The possible rates of a bucket that was full at the first and the last refusal, and never empty in between. */
function ratesOf(asked: readonly TimedRequest[]): number[] {
  const from = asked.findIndex(({ isRefused }) => isRefused);
  const until = asked.findLastIndex(({ isRefused }) => isRefused);
  const seconds = (asked[until]?.at ?? 0) - (asked[from]?.at ?? 0);
  const passed = asked.slice(from, until).filter(({ isRefused }) => !isRefused).length;
  if (seconds <= 0) return [];
  return Array.from({ length: TRIED }, (_, index) => (passed - 1 + (2 * index) / TRIED) / seconds);
}

/** How many requests in a row were refused, or were not. */
function runsOf(requests: readonly TimedRequest[]): { isRefused: boolean; length: number }[] {
  const runs: { isRefused: boolean; length: number }[] = [];
  for (const { isRefused } of requests) {
    const last = runs.at(-1);
    if (last?.isRefused === isRefused) last.length += 1;
    else runs.push({ isRefused, length: 1 });
  }
  return runs;
}

interface TimedRequest {
  /** In s. */
  at: number;
  isRefused: boolean;
  /** How many more, or fewer, requests may have been let through before it than were sent before it. */
  more: number;
}

/** The level of a limiter when a request arrives, after the requests that it let through. */
type Filling = (asked: TimedRequest) => number;

/** Whether, with few exceptions, the limiter refuses exactly the requests above some level. */
function predicts(requests: readonly TimedRequest[], filling: Filling): boolean {
  const levels = requests
    .map((asked) => ({ level: filling(asked) + asked.more, isRefused: asked.isRefused }))
    .sort((left, right) => left.level - right.level || Number(right.isRefused) - Number(left.isRefused));
  const refused = requests.filter(({ isRefused }) => isRefused).length;
  const tolerated = Math.floor(HIDDEN * Math.min(refused, requests.length - refused));
  // First as if every request were refused, then every request but the one at the lowest level, and so on.
  let wrong = requests.length - refused;
  return levels.some(({ isRefused }) => {
    wrong += isRefused ? 1 : -1;
    return wrong <= tolerated;
  });
}

/** A leaky bucket, as of nginx. */
function bucket(rate: number): Filling {
  let [level, since] = [0, 0];
  return ({ at, isRefused }) => {
    level = Math.max(0, level - rate * (at - since));
    since = at;
    const before = level;
    if (!isRefused) level += 1;
    return before;
  };
}

/** A window that begins with its first request, or at any time after a refusal. */
function window(seconds: number): Filling {
  let [count, since, isClosed] = [0, 0, false];
  return ({ at, isRefused }) => {
    if (at >= since + seconds || (isClosed && !isRefused)) [count, since] = [0, at];
    isClosed = isRefused;
    const before = count;
    if (!isRefused) count += 1;
    return before;
  };
}

function geometric(from: number, to: number, times: number): number[] {
  const count = Math.ceil(Math.log(to / from) / Math.log(times)) + 1;
  return Array.from({ length: count }, (_, index) => from * times ** index);
}
