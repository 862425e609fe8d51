import { type Exchange, isSuccess } from '../../model/exchange.ts';
import { isExpected } from '../../model/http/expectation.ts';
import type { Judged } from '../evidence/judged.ts';
import { mediaTypeOf } from '../evidence/same-failure.ts';

/** Fewer requests that fail alike, in fewer stretches, may fail for any reason. */
const MIN_REFUSED = 5;
const MIN_STRETCHES = 2;

/** A failure that strikes so many operations belongs to none of them. */
const MIN_OPERATIONS = 3;

/** Of the requests that are refused, or of those that are not, clocks may hide this share of which was which. */
const HIDDEN = 0.2;

/** So many requests show it, or none do. */
const MAX_LOOKED_AT = 500;

/** Requests per second that a bucket gives back, and seconds that a window lasts. */
const RATES = geometric(0.2, 100, 1.01);
const WINDOWS_S = geometric(0.2, 120, 1.05);

/**
 * The requests that a limiter refused otherwise than with 429, without a figure that shows it: they fail alike, whatever the
 * operation, and a bucket or a window of some size tells which fail and which do not. A service that breaks now and then does
 * not break by how fast it was asked.
 */
export function refusedBySpeed(judged: readonly Judged[]): ReadonlySet<number> {
  const groups = new Map<string, Judged[]>();
  for (const each of judged) {
    const manner = mayBeRefused(each) ? mannerOf(each.exchange) : undefined;
    if (manner !== undefined) groups.set(manner, [...(groups.get(manner) ?? []), each]);
  }
  const operations = new Set(judged.map(({ operation }) => operation.id)).size;
  for (const [manner, deviant] of groups) {
    // Also those that say nothing because of another that failed.
    const alike = judged.filter(
      (each) => mannerOf(each.exchange) === manner && (each.outcome !== 'answered' || mayBeRefused(each)),
    );
    const struck = new Set(deviant.map(({ operation }) => operation.id)).size;
    if (deviant.length < MIN_REFUSED || struck < Math.min(MIN_OPERATIONS, operations)) continue;
    const refused = new Set(alike.map(({ exchange }) => exchange.id));
    const all = judged.map(({ exchange }) => exchange).sort((one, other) => one.sentAt - other.sentAt);
    const ways = [all.filter(({ key }) => key === 'valid'), all];
    const own = ways.find((each) => isLimited(each.slice(0, MAX_LOOKED_AT), refused));
    if (own) return new Set(own.map(({ id }) => id).filter((id) => refused.has(id)));
  }
  return new Set();
}

/**
 * Whether a response may refuse a request. A rejection with the status that is due does not, whatever else is wrong with it, nor a
 * success for a wrong key, which is accepted.
 */
function mayBeRefused({ deviations, exchange, probe }: Judged): boolean {
  const { expectation } = probe;
  const isConforming = isExpected(expectation, String(exchange.response?.status));
  const isDue = expectation.kind === 'due' && isConforming && !isSuccess(exchange);
  const isAccepted = exchange.key !== 'valid' && isSuccess(exchange);
  return deviations.length > 0 && !isDue && !isAccepted;
}

/** How an exchange fails. What was let through may be wrong in many ways; a refusal that looks like a success has one body. */
function mannerOf({ response, failure }: Exchange): string | undefined {
  if (!response) return failure?.kind;
  if (response.status === 429) return undefined;
  const body = response.status < 400 ? response.body : '';
  return `${response.status} ${mediaTypeOf(response) ?? ''} ${body}`;
}

/** Whether some limiter lets through exactly the others of these requests. */
function isLimited(exchanges: readonly Exchange[], refused: ReadonlySet<number>): boolean {
  const passed = exchanges.filter(({ id }) => !refused.has(id));
  const asked = exchanges.map((each): TimedRequest => {
    const isRefused = refused.has(each.id);
    const beside = passed.filter((other) => other !== each && areTogether(each, other));
    // Which of several came first is not known: a refused one may be the last, and one that was let through the first.
    const isBefore = (other: Exchange) =>
      other.sentAt < each.sentAt || (other.sentAt === each.sentAt && other.id < each.id);
    const more = isRefused
      ? beside.filter((other) => !isBefore(other)).length
      : -beside.filter(isBefore).length;
    return { at: each.sentAt / 1_000, isRefused, more };
  });
  const runs = runsOf(asked).slice(1, -1);
  const refusals = runs.filter(({ isRefused }) => isRefused).map(({ length }) => length);
  const passes = runs.filter(({ isRefused }) => !isRefused).map(({ length }) => length);
  // What fails in turn, such as one node of several, fails whenever it is asked.
  const isInTurn = new Set(refusals).size === 1 && new Set(passes).size <= 1;
  if (refusals.length < MIN_STRETCHES || isInTurn || refusals.every((length) => length === 1)) return false;
  const isToldBy = (filling: Filling) => areTold(asked, filling);
  return (
    [...ratesOf(asked), ...RATES].some((rate) => isToldBy(bucket(rate))) ||
    WINDOWS_S.some((each) => isToldBy(window(each)))
  );
}

/** So many rates are tried between those that one request fewer and one more show. */
const TRIED = 100;

/** The rates that a bucket may have that was full at the first refusal and at the last, and never empty in between. */
function ratesOf(asked: readonly TimedRequest[]): number[] {
  const from = asked.findIndex(({ isRefused }) => isRefused);
  const until = asked.findLastIndex(({ isRefused }) => isRefused);
  const seconds = (asked[until]?.at ?? 0) - (asked[from]?.at ?? 0);
  const passed = asked.slice(from, until).filter(({ isRefused }) => !isRefused).length;
  if (seconds <= 0) return [];
  return Array.from({ length: TRIED }, (_, index) => (passed - 1 + (2 * index) / TRIED) / seconds);
}

function areTogether(one: Exchange, other: Exchange): boolean {
  return one.sentAt < other.receivedAt && other.sentAt < one.receivedAt;
}

/** How many requests in a row were refused, or were not. */
function runsOf(all: readonly TimedRequest[]): { isRefused: boolean; length: number }[] {
  const runs: { isRefused: boolean; length: number }[] = [];
  for (const { isRefused } of all) {
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
  /** How many requests more, or fewer, may have been let through before it than were sent before. */
  more: number;
}

/** How full a limiter is when a request comes, by those that it let through before. */
type Filling = (asked: TimedRequest) => number;

/** Whether requests are refused if a limiter is fuller than for any that it lets through, but for a few. */
function areTold(all: readonly TimedRequest[], filling: Filling): boolean {
  const levels = all
    .map((asked) => ({ level: filling(asked) + asked.more, isRefused: asked.isRefused }))
    .sort((one, other) => one.level - other.level || Number(other.isRefused) - Number(one.isRefused));
  const refused = all.filter(({ isRefused }) => isRefused).length;
  const most = Math.floor(HIDDEN * Math.min(refused, all.length - refused));
  // If the limiter were full for each of them; then not for the emptiest, and so on.
  let wrong = all.length - refused;
  return levels.some(({ isRefused }) => {
    wrong += isRefused ? 1 : -1;
    return wrong <= most;
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

/** A window that begins with its first request, or at any time after one was refused. */
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

/** Numbers each of which is so many times the one before. */
function geometric(from: number, to: number, times: number): number[] {
  const count = Math.ceil(Math.log(to / from) / Math.log(times)) + 1;
  return Array.from({ length: count }, (_, index) => from * times ** index);
}
