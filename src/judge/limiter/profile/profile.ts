import type { Exchange } from '../../../model/exchange.ts';
import { costStatements } from './costs.ts';
import { headerStatements } from './headers.ts';
import { kindOf, type Operations } from './kind.ts';
import { isTold, type ProfileExchange, type Statement, untold } from './statement.ts';

/** What requests show of a limiter. It is never a verdict. */
export interface LimiterProfile {
  statements: readonly Statement[];
  /** Whether a request was refused with 429. */
  isReached: boolean;
}

/** Tells from the exchanges of a profile what the limiter is, what counts, and what its headers mean. */
export function profileOf(sent: readonly ProfileExchange[], contract: Operations): LimiterProfile {
  const answered = sent.filter(({ exchange }) => exchange.response);
  const exchanges = answered.map(({ exchange }) => exchange);
  const refused = exchanges.find(({ response, key }) => response?.status === 429 && key === 'valid');
  const limit = limitOf(exchanges, refused);
  const kind =
    limit.value === undefined ? undefined : kindOf(answered, contract, Number(limit.value), refused);
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

/** The limit: as most headers state it, or as many as were let through before a 429. */
function limitOf(exchanges: readonly Exchange[], refused: Exchange | undefined): Statement {
  const stated = exchanges.filter(({ rate, key }) => key === 'valid' && rate.limit !== undefined);
  const [first] = stated;
  const told = refused?.rate.limit === undefined ? first : refused;
  if (told) {
    const all = [...new Set(stated.map(({ rate }) => rate.limit))];
    const others =
      all.length > 1
        ? ` (the headers also state ${all.filter((each) => each !== told.rate.limit).join(', ')})`
        : '';
    const value = Number(told.rate.limit);
    return {
      about: 'limit',
      value,
      text: `${value} requests, as the headers state${others}`,
      shownBy: [told.id],
    };
  }
  if (!refused) return untold('limit', 'no header states it, and no request was refused');
  const runs = letThroughBetween(exchanges);
  const most = runs.reduce((one, other) => (other.count > one.count ? other : one));
  if (most.count === 0) return untold('limit', 'the first request was refused already', [most.last]);
  return {
    about: 'limit',
    value: most.count,
    text: `${most.count} requests: as many were let through before the 429`,
    shownBy: [most.first, most.last],
  };
}

/** How many requests with the key were let through before each refusal. */
function letThroughBetween(exchanges: readonly Exchange[]): { count: number; first: number; last: number }[] {
  const runs: { count: number; first: number; last: number }[] = [];
  let count = 0;
  let first = exchanges[0]?.id ?? 0;
  for (const { id, response, key } of exchanges) {
    if (key !== 'valid') continue;
    if (response?.status !== 429) count += 1;
    else {
      runs.push({ count, first, last: id });
      [count, first] = [0, id + 1];
    }
  }
  return runs;
}

/** What a wrong key shows of what the limit belongs to: the key, or the address of the client. */
function scopeOf(sent: readonly ProfileExchange[], costs: readonly Statement[]): Statement {
  const wrong = sent.filter(({ role }) => role === 'wrong-key');
  const cost = costs.find(({ about }) => about === 'cost wrong-key');
  if (wrong.length === 0) return untold('scope', 'no operation takes a key');
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
