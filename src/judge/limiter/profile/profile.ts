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

/** Whether a profile tells anything. */
export function tellsSomething({ statements }: LimiterProfile): boolean {
  return statements.some(isTold);
}

/** What a wrong key shows of what the limit belongs to: the key, or the address of the client. */
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

/** The limit as it is told, and the numbers that it may be: the likeliest first. */
interface Limit {
  statement: ProfileStatement;
  possible: readonly number[];
}

/** The limit: as most headers state it, as Remaining shows, or as many as were let through before a 429. */
function limitOf(exchanges: readonly Exchange[], refused: Exchange | undefined): Limit {
  const own = exchanges.filter(({ key }) => key === 'valid');
  return statedLimit(own, refused) ?? limitByRemaining(own) ?? limitByCount(own, refused);
}

function statedLimit(own: readonly Exchange[], refused: Exchange | undefined): Limit | undefined {
  const stated = own.filter(({ rate }) => rate.limit !== undefined);
  const told = refused?.rate.limit === undefined ? stated[0] : refused;
  if (!told) return undefined;
  const value = Number(told.rate.limit);
  const others = [...new Set(stated.map(({ rate }) => rate.limit))].filter((each) => each !== value);
  const also = others.length > 0 ? ` (the headers also state ${others.join(', ')})` : '';
  const text = `${value} requests, as the headers state${also}`;
  return { statement: { about: 'limit', value, text, shownBy: [told.id] }, possible: [value] };
}

/** A Remaining without a Limit shows how large it is at least: the request before it took one. */
function limitByRemaining(own: readonly Exchange[]): Limit | undefined {
  const [most] = own
    .filter((each) => isSuccess(each) && each.rate.remaining !== undefined)
    .toSorted((one, other) => Number(other.rate.remaining) - Number(one.rate.remaining));
  if (!most) return undefined;
  const left = Number(most.rate.remaining);
  const why = `at least ${left + 1} requests: no header states it, and Remaining is ${left} after one`;
  return { statement: untold('limit', why, [most.id]), possible: [left + 1] };
}

/** Requests that were let through one after the other, until one was refused. */
interface SeriesUntilRefusal {
  count: number;
  first: Exchange;
  refusal: Exchange;
}

function limitByCount(own: readonly Exchange[], refused: Exchange | undefined): Limit {
  const nothing = (why: string, id?: number): Limit => ({
    statement: untold('limit', why, id === undefined ? [] : [id]),
    possible: [],
  });
  if (!refused) return nothing(...whyNoneRefused(own));
  const runs = runsOf(own)
    .filter(({ count }) => count > 0)
    .sort((one, other) => one.count - other.count);
  const [fewest] = runs;
  if (!fewest) return nothing('the first request was refused already', refused.id);
  const told = toldBy(runs);
  const { count, first, refusal } = told ?? fewest;
  const text = `${count} requests: as many were let through before the 429`;
  const shownBy = [first.id, refusal.id];
  if (told) return { statement: { about: 'limit', value: count, text, shownBy }, possible: [count] };
  // While a run lasts, some may come back, so that more are let through than the limit.
  const possible = [...runs.map((each) => each.count), count - 1, Math.floor(count * 0.8)];
  return {
    statement: untold('limit', `${text}, and some may have come back meanwhile`, shownBy),
    possible: [...new Set(possible)].filter((each) => each > 0),
  };
}

/** The run that shows the limit: a quick one, with as many as another if there is one, as a window may end during a run. */
function toldBy(runs: readonly SeriesUntilRefusal[]): SeriesUntilRefusal | undefined {
  const most = runs.at(-1)?.count;
  const alike = runs.filter(({ count }) => count === most);
  return runs.length === 1 || alike.length > 1 ? alike.find(isQuick) : undefined;
}

/** Why there is no limit to tell, and the response that shows it. */
function whyNoneRefused(own: readonly Exchange[]): [why: string, id?: number] {
  const last = own.findLastIndex((each) => isSuccess(each));
  const next = own[last + 1];
  if (last < 0 || !next) return ['no header states it, and no request was refused'];
  const why = `no request got 429, but ${next.response?.status} from #${next.id} on, which may be a limiter or a failure`;
  return [why, next.id];
}

/** Whether nothing that comes back one by one, the next at Retry-After, can have come back during a run. */
function isQuick({ first, refusal }: SeriesUntilRefusal): boolean {
  const seconds = (refusal.receivedAt - first.sentAt) / 1_000;
  return seconds < (refusal.rate.retryAfter ?? 0) - ROUNDED_UP_S;
}

function runsOf(own: readonly Exchange[]): SeriesUntilRefusal[] {
  const runs: SeriesUntilRefusal[] = [];
  let through: Exchange[] = [];
  for (const exchange of own) {
    if (exchange.response?.status !== 429) through.push(exchange);
    else {
      runs.push({ count: through.length, first: through[0] ?? exchange, refusal: exchange });
      through = [];
    }
  }
  return runs;
}
