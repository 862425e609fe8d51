import { isSuccess } from '../../../model/exchange.ts';
import { type ProfileExchange, type ProfileRole, type ProfileStatement, untold } from './statement.ts';

/** The requests between two meter reads, in words. */
const MEASURED: readonly (readonly [ProfileRole, string])[] = [
  ['wrong-key', 'a request with a wrong key'],
  ['rejected', 'a request that the service rejects'],
  ['head', 'a HEAD request'],
  ['unchanged', 'a read with If-None-Match'],
];

/** Requests of one kind between two meter reads, and what each request took off Remaining. */
interface MeasuredRequests {
  between: readonly ProfileExchange[];
  ends: readonly [ProfileExchange, ProfileExchange];
  cost: number;
}

/** The cost of a read, and whether every read took as much: if not, requests come back meanwhile. */
interface ReadCost {
  cost: number;
  isSteady: boolean;
}

/**
 * What each kind of request takes off the limit, by Remaining of the same read before and after it. If requests come back one by one,
 * Remaining may fall by less than the cost, but never by more, so the largest fall counts.
 */
export function costStatements(sent: readonly ProfileExchange[]): ProfileStatement[] {
  const plain = plainCost(sent);
  if (!plain) return [untold('cost read', 'no two responses to the same read in a row tell Remaining')];
  const { statement } = plain;
  const others = sent.filter(({ role }) => role === 'other');
  const operations = new Set(others.map(({ probe }) => probe.operation));
  const otherCosts = [...operations].map((operation) => {
    const requests = others.filter(({ probe }) => probe.operation === operation);
    const measured = measuredIn(sent, (request) => requests.includes(request), plain);
    return otherStatement(operation, measured, plain, requests);
  });
  const kinds = MEASURED.map(([role, words]) => {
    const measured = measuredIn(sent, (request) => request.role === role, plain);
    return unlessCountedApart(costStatement(`cost ${role}`, words, measured, plain), sent, otherCosts);
  });
  return [statement, ...kinds, ...otherCosts];
}

/** The meter does not show what a request of an operation costs that is counted apart. */
function unlessCountedApart(
  statement: ProfileStatement,
  sent: readonly ProfileExchange[],
  otherCosts: readonly ProfileStatement[],
): ProfileStatement {
  const role = statement.about.replace('cost ', '');
  const operation = sent.find((request) => request.role === role)?.probe.operation;
  const isApart = otherCosts.some(({ about, value }) => about === `cost ${operation}` && value === 'apart');
  if (!isApart) return statement;
  return untold(
    statement.about,
    `it was a request of ${operation}, which is counted apart`,
    statement.shownBy,
  );
}

/** The cost of a read, as most successive reads show it. */
function plainCost(
  sent: readonly ProfileExchange[],
): (ReadCost & { statement: ProfileStatement }) | undefined {
  const meters = sent.filter(({ role }) => role === 'meter' || role === 'fill');
  const operation = meters[0]?.probe.operation;
  const falls = sent.flatMap((after, index) => {
    const before = sent[index - 1];
    const isPair =
      before && [before, after].every((read) => read.probe.operation === operation && isReading(read));
    const fall = isPair ? fallBetween(before, after) : undefined;
    return before && fall !== undefined && fall >= 0 ? [{ fall, ids: idsOf([before, after]) }] : [];
  });
  const counts = new Map<number, number>();
  for (const { fall } of falls) counts.set(fall, (counts.get(fall) ?? 0) + 1);
  const [mostCommon] = [...counts].sort(([, left], [, right]) => right - left);
  const first = falls.find(({ fall }) => fall === mostCommon?.[0]);
  if (!mostCommon || !first || operation === undefined) return undefined;
  const [cost] = mostCommon;
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

/** The groups of such requests between two meter reads of one window. */
function measuredIn(
  sent: readonly ProfileExchange[],
  isWanted: (request: ProfileExchange) => boolean,
  { cost: meterCost }: ReadCost,
): MeasuredRequests[] {
  const measured: MeasuredRequests[] = [];
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
  return measured.sort((left, right) => right.cost - left.cost);
}

function costStatement(
  about: string,
  words: string,
  measured: readonly MeasuredRequests[],
  plain: ReadCost,
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

/** Whether another operation is counted together with the meter: by its cost there, and by its own Remaining. */
function otherStatement(
  operation: string,
  measured: readonly MeasuredRequests[],
  plain: ReadCost,
  requests: readonly ProfileExchange[],
): ProfileStatement {
  const about = `cost ${operation}`;
  const together = costStatement(about, `a request of ${operation}`, measured, plain);
  if (together.value !== 0) return together;
  const falls = requests.flatMap((after, index) => {
    const before = requests[index - 1];
    return before ? (fallBetween(before, after) ?? []) : [];
  });
  if (falls.length === 0)
    return { ...together, text: `${together.text}, and its responses tell no Remaining` };
  if (!falls.some((fall) => fall > 0)) return together;
  const text = `${operation} is counted apart: its own Remaining falls, and the one of the other reads does not`;
  return { ...together, value: 'apart', text };
}

function idsOf(sent: readonly ProfileExchange[]): number[] {
  return sent.map(({ exchange }) => exchange.id);
}
