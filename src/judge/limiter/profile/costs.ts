import { isSuccess } from '../../../model/exchange.ts';
import { type ProfileExchange, type ProfileRole, type ProfileStatement, untold } from './statement.ts';

/** What is sent between two meters, in words. */
const MEASURED: readonly (readonly [ProfileRole, string])[] = [
  ['wrong-key', 'a request with a wrong key'],
  ['rejected', 'a request that the service rejects'],
  ['head', 'a HEAD request'],
  ['unchanged', 'a read with If-None-Match'],
];

/** A group of requests of one kind between two meters: what Remaining was before and after it, and what one of the requests took. */
interface Measured {
  between: readonly ProfileExchange[];
  ends: readonly [ProfileExchange, ProfileExchange];
  cost: number;
}

/** What a read takes, and whether each of them took as much: if not, requests come back meanwhile. */
interface Plain {
  cost: number;
  isSteady: boolean;
}

/**
 * What each kind of request takes off the limit, by Remaining of the same read before and after it. Where requests come back one by
 * one, Remaining may fall by less than was taken, and never by more: the largest fall counts.
 */
export function costStatements(sent: readonly ProfileExchange[]): ProfileStatement[] {
  const plain = plainCost(sent);
  if (!plain) return [untold('cost read', 'no two responses to the same read in a row tell Remaining')];
  const { statement } = plain;
  const others = [...new Set(sent.flatMap(({ role, probe }) => (role === 'other' ? probe.operation : [])))];
  const ofOthers = others.map((operation) => {
    const isOwn = ({ role, probe }: ProfileExchange) => role === 'other' && probe.operation === operation;
    return otherStatement(operation, measuredIn(sent, isOwn, plain), plain, sent.filter(isOwn));
  });
  const kinds = MEASURED.map(([role, words]) => {
    const measured = measuredIn(sent, (each) => each.role === role, plain);
    return ofSameCount(costStatement(`cost ${role}`, words, measured, plain), sent, ofOthers);
  });
  return [statement, ...kinds, ...ofOthers];
}

/** A request of an operation that is counted apart takes from a count that the meter does not show. */
function ofSameCount(
  statement: ProfileStatement,
  sent: readonly ProfileExchange[],
  ofOthers: readonly ProfileStatement[],
): ProfileStatement {
  const role = statement.about.replace('cost ', '');
  const operation = sent.find((each) => each.role === role)?.probe.operation;
  const isApart = ofOthers.some(({ about, value }) => about === `cost ${operation}` && value === 'apart');
  if (!isApart) return statement;
  return untold(
    statement.about,
    `it was a request of ${operation}, which is counted apart`,
    statement.shownBy,
  );
}

/** What one more of the same read takes, as most meters and reads in a row show. */
function plainCost(sent: readonly ProfileExchange[]): (Plain & { statement: ProfileStatement }) | undefined {
  const meters = sent.filter(({ role }) => role === 'meter' || role === 'fill');
  const operation = meters[0]?.probe.operation;
  const falls = sent.flatMap((after, index) => {
    const before = sent[index - 1];
    const isPair =
      before && [before, after].every((each) => each.probe.operation === operation && isReading(each));
    const fall = isPair ? fallBetween(before, after) : undefined;
    return before && fall !== undefined && fall >= 0 ? [{ fall, ids: idsOf([before, after]) }] : [];
  });
  const counts = new Map<number, number>();
  for (const { fall } of falls) counts.set(fall, (counts.get(fall) ?? 0) + 1);
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  const first = falls.find(({ fall }) => fall === most?.[0]);
  if (!most || !first || operation === undefined) return undefined;
  const [cost] = most;
  return {
    cost,
    isSteady: falls.every(({ fall }) => fall === cost),
    statement: {
      about: 'cost read',
      value: cost,
      text: `a read (${operation}) takes ${cost === 0 ? 'nothing: it may come from a cache, or it is not limited' : cost}`,
      shownBy: first.ids,
    },
  };
}

function isReading({ role, exchange }: ProfileExchange): boolean {
  return ['try', 'meter', 'fill'].includes(role) && isSuccess(exchange);
}

function fallBetween(before: ProfileExchange, after: ProfileExchange): number | undefined {
  const [was, is] = [before.exchange.rate.remaining, after.exchange.rate.remaining];
  return was === undefined || is === undefined ? undefined : was - is;
}

/** The groups of such requests that stand between two meters of one window. */
function measuredIn(
  sent: readonly ProfileExchange[],
  isWanted: (each: ProfileExchange) => boolean,
  { cost: meterCost }: Plain,
): Measured[] {
  const measured: Measured[] = [];
  for (const [index, start] of sent.entries()) {
    if (start.role !== 'meter') continue;
    const rest = sent.slice(index + 1);
    const end = rest.findIndex(({ role }) => role === 'meter');
    const [between, after] = [rest.slice(0, end), rest[end]];
    if (!after || between.length === 0 || !between.every(isWanted)) continue;
    const fall = fallBetween(start, after);
    if (fall === undefined || fall < 0 || between.some(({ exchange }) => exchange.response?.status === 429))
      continue;
    measured.push({ between, ends: [start, after], cost: (fall - meterCost) / between.length });
  }
  return measured.sort((one, other) => other.cost - one.cost);
}

function costStatement(
  about: string,
  words: string,
  measured: readonly Measured[],
  plain: Plain,
): ProfileStatement {
  const [largest] = measured;
  if (!largest)
    return untold(about, `no ${words.replace(/^an? /, '')} was sent between two readings of one window`);
  const { between, ends, cost } = largest;
  const statuses = [...new Set(between.map(({ exchange }) => exchange.response?.status ?? 'no response'))];
  const shownBy = idsOf([ends[0], ...between, ends[1]]);
  if (!Number.isInteger(cost) || cost < 0 || (!plain.isSteady && cost < plain.cost))
    return untold(about, `requests come back while ${words} is measured`, shownBy);
  const value = cost === 0 ? 'nothing' : String(cost);
  return { about, value: cost, text: `${words} (${statuses.join(', ')}) takes ${value}`, shownBy };
}

/** Whether another operation is counted together with the meter: by what it takes there, and by its own Remaining. */
function otherStatement(
  operation: string,
  measured: readonly Measured[],
  plain: Plain,
  own: readonly ProfileExchange[],
): ProfileStatement {
  const about = `cost ${operation}`;
  const together = costStatement(about, `a request of ${operation}`, measured, plain);
  if (together.value !== 0) return together;
  const falls = own.flatMap((after, index) => {
    const before = own[index - 1];
    return before ? (fallBetween(before, after) ?? []) : [];
  });
  if (falls.length === 0)
    return { ...together, text: `${together.text}, and its responses tell no Remaining` };
  const isCounted = falls.some((fall) => fall > 0);
  return {
    ...together,
    ...(isCounted ? { value: 'apart' } : {}),
    text: isCounted
      ? `${operation} is counted apart: its own Remaining falls, and the one of the other reads does not`
      : together.text,
  };
}

function idsOf(sent: readonly ProfileExchange[]): number[] {
  return sent.map(({ exchange }) => exchange.id);
}
