import { type Exchange, isSuccess } from '../../../model/exchange.ts';
import { costStatements } from './costs.ts';
import { headerStatements } from './headers.ts';
import { kindOf, type Operations } from './kind.ts';
import { isTold, type ProfileExchange, type ProfileStatement, untold } from './statement.ts';

/** What requests show of a limiter. It is never a verdict. */
export interface LimiterProfile {
  statements: readonly ProfileStatement[];
  /** Whether a request was refused with 429. */
  isReached: boolean;
}

/** Tells from the exchanges of a profile what the limiter is, what counts, and what its headers mean. */
export function profileOf(sent: readonly ProfileExchange[], contract: Operations): LimiterProfile {
  const answered = sent.filter(({ exchange }) => exchange.response);
  const exchanges = answered.map(({ exchange }) => exchange);
  const refused = exchanges.find(({ response, key }) => response?.status === 429 && key === 'valid');
  const { statement: limit, possible } = limitOf(exchanges, refused);
  const kind = possible.length === 0 ? undefined : kindOf(answered, contract, possible, refused);
  const costs = costStatements(answered);
  const statements = [
    ...(kind?.statements ?? [
      untold('kind', 'the limit is not known'),
      untold('window', 'the limit is not known'),
    ]),
    limit,
    ...costs,
    scopeOf(answered, costs),
    ...headerStatements(answered, kind?.windowMs),
  ];
  return { statements, isReached: refused !== undefined };
}

export function tellsSomething({ statements }: LimiterProfile): boolean {
  return statements.some(isTold);
}

/** Whether the limit belongs to the key or to the address of the client, as far as a wrong key shows. */
function scopeOf(sent: readonly ProfileExchange[], costs: readonly ProfileStatement[]): ProfileStatement {
  const wrong = sent.filter(({ role }) => role === 'wrong-key');
  const cost = costs.find(({ about }) => about === 'cost wrong-key');
  if (wrong.length === 0)
    return untold('scope', 'no request with a wrong key was sent between two readings of Remaining');
  if (typeof cost?.value === 'number' && cost.value > 0)
    return {
      about: 'scope',
      value: 'address',
      text: 'a wrong key takes from the limit of the right one: requests are counted before the key is looked at, as by address',
      shownBy: cost.shownBy,
    };
  return untold(
    'scope',
    'one key from one address does not show whether the key or the address is counted',
    cost?.shownBy ?? [],
  );
}

/** A Retry-After (s) is rounded up. */
const ROUNDED_UP_S = 1;

/** The statement about the limit, and its possible values, the likeliest first. */
interface Limit {
  statement: ProfileStatement;
  possible: readonly number[];
}

/** The limit as the headers state it, as Remaining shows it, or by the requests that were let through before a 429. */
function limitOf(exchanges: readonly Exchange[], refused: Exchange | undefined): Limit {
  const withKey = exchanges.filter(({ key }) => key === 'valid');
  return statedLimit(withKey, refused) ?? limitByRemaining(withKey) ?? limitByCount(withKey, refused);
}

function statedLimit(exchanges: readonly Exchange[], refused: Exchange | undefined): Limit | undefined {
  const stated = exchanges.filter(({ rate }) => rate.limit !== undefined);
  const carrier = refused?.rate.limit === undefined ? stated[0] : refused;
  if (!carrier) return undefined;
  const value = Number(carrier.rate.limit);
  const otherLimits = [...new Set(stated.map(({ rate }) => rate.limit))].filter((limit) => limit !== value);
  const also = otherLimits.length > 0 ? ` (the headers also state ${otherLimits.join(', ')})` : '';
  const text = `${value} requests, as the headers state${also}`;
  return { statement: { about: 'limit', value, text, shownBy: [carrier.id] }, possible: [value] };
}

/** A Remaining without a Limit shows the least possible limit: its request took one. */
function limitByRemaining(exchanges: readonly Exchange[]): Limit | undefined {
  const [highest] = exchanges
    .filter((exchange) => isSuccess(exchange) && exchange.rate.remaining !== undefined)
    .toSorted((left, right) => Number(right.rate.remaining) - Number(left.rate.remaining));
  if (!highest) return undefined;
  const remaining = Number(highest.rate.remaining);
  const why = `at least ${remaining + 1} requests: no header states it, and Remaining is ${remaining} after one`;
  return { statement: untold('limit', why, [highest.id]), possible: [remaining + 1] };
}

/** Requests that were let through one after the other, until one was refused. */
interface SeriesUntilRefusal {
  count: number;
  first: Exchange;
  refusal: Exchange;
}

function limitByCount(exchanges: readonly Exchange[], refused: Exchange | undefined): Limit {
  const nothing = (why: string, id?: number): Limit => ({
    statement: untold('limit', why, id === undefined ? [] : [id]),
    possible: [],
  });
  if (!refused) return nothing(...whyNoneRefused(exchanges));
  const runs = runsOf(exchanges)
    .filter(({ count }) => count > 0)
    .sort((left, right) => left.count - right.count);
  const [fewest] = runs;
  if (!fewest) return nothing('the first request was refused already', refused.id);
  const telling = runWithLimit(runs);
  const { count, first, refusal } = telling ?? fewest;
  const text = `${count} requests: as many were let through before the 429`;
  const shownBy = [first.id, refusal.id];
  if (telling) return { statement: { about: 'limit', value: count, text, shownBy }, possible: [count] };
  // Requests may come back during a run, so that more are let through than the limit.
  const possible = [...runs.map((run) => run.count), count - 1, Math.floor(count * 0.8)];
  return {
    statement: untold('limit', `${text}, and some may have come back meanwhile`, shownBy),
    possible: [...new Set(possible)].filter((number) => number > 0),
  };
}

/** The run that shows the limit: a quick run. As a window may end during a run, another run has to have as many requests, if there is one. */
function runWithLimit(runs: readonly SeriesUntilRefusal[]): SeriesUntilRefusal | undefined {
  const highest = runs.at(-1)?.count;
  const alike = runs.filter(({ count }) => count === highest);
  return runs.length === 1 || alike.length > 1 ? alike.find(isQuick) : undefined;
}

/** Why the limit is unknown, and the response that shows it. */
function whyNoneRefused(exchanges: readonly Exchange[]): [why: string, id?: number] {
  const last = exchanges.findLastIndex((exchange) => isSuccess(exchange));
  const next = exchanges[last + 1];
  if (last < 0 || !next) return ['no header states it, and no request was refused'];
  const why = `no request got 429, but ${next.response?.status} from #${next.id} on, which may be a limiter or a failure`;
  return [why, next.id];
}

/** Whether a run was too short for a request to come back, even one by one: the next one is due at Retry-After. */
function isQuick({ first, refusal }: SeriesUntilRefusal): boolean {
  const seconds = (refusal.receivedAt - first.sentAt) / 1_000;
  return seconds < (refusal.rate.retryAfter ?? 0) - ROUNDED_UP_S;
}

function runsOf(exchanges: readonly Exchange[]): SeriesUntilRefusal[] {
  const runs: SeriesUntilRefusal[] = [];
  let through: Exchange[] = [];
  for (const exchange of exchanges) {
    if (exchange.response?.status !== 429) through.push(exchange);
    else {
      runs.push({ count: through.length, first: through[0] ?? exchange, refusal: exchange });
      through = [];
    }
  }
  return runs;
}
