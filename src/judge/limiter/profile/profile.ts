import { costStatements } from './costs.ts';
import { headerStatements } from './headers.ts';
import { kindOf, type Operations } from './kind.ts';
import { limitOf } from './limit.ts';
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
