import { isObject } from '../../contract/schema.ts';
import { type Exchange, isSuccess } from '../../model/exchange.ts';
import type { DeviationKind, Repetition } from '../../model/finding.ts';
import { isReadWithKey, isSound, type Judged } from './judged.ts';

/** If so many operations fail for a few requests each, the failure belongs to none of them. */
const MIN_OPERATIONS = 3;

/** The most requests that are sent again. */
const MAX_TIMES = 30;

/**
 * How to see an intermittent failure again; undefined if it is not intermittent. It is if the same read got the right
 * response as well, or if a few requests of many operations got no readable response. A failure that the rate limit
 * explains does not count.
 */
export function repetitionOfIntermittent(
  kind: DeviationKind,
  wrong: readonly Judged[],
  results: readonly Judged[],
): Repetition | undefined {
  if (kind === 'header') return undefined;
  const changes = results.filter(({ exchange }) => WRITING.has(exchange.method) && isSuccess(exchange));
  const read = wrong.find(
    (result) => isReadWithKey(result) && !isOverLimit(result) && isAlsoRight(result, wrong, results, changes),
  );
  const isAnywhere = (kind === 'transport' || kind === 'json') && strikesAnywhere(wrong, results);
  const plainest = read ?? (isAnywhere ? smallestRead(wrong, results) : undefined);
  if (!plainest) return undefined;
  const times = Math.min(MAX_TIMES, 2 * Math.ceil(results.length / wrong.length));
  return { kind: 'again', exchange: plainest.exchange.id, times, shows: 'answers' };
}

/** Longer than any body, so that reads with an id rank behind all others. */
const LAST = 2 ** 40;

const isOverLimit = ({ exchange }: Judged) =>
  exchange.response?.status === 429 || exchange.stage === 'recover' || exchange.rate.remaining === 0;

const WRITING: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** A target may send an object that no text can be made of. */
const isScalar = (value: unknown) => typeof value !== 'object';

/** Whether a successful write changed what has this path. The response to an addition shows the last part of its path. */
function isWriteOf(path: string, { exchange, value }: Judged): boolean {
  const start = `${pathOf(exchange)}/`;
  if (exchange.method !== 'POST') return `${path}/`.startsWith(start);
  const id = path.startsWith(start) ? path.slice(start.length) : '';
  return (
    id !== '' &&
    isObject(value) &&
    Object.values(value).some((member) => isScalar(member) && String(member) === id)
  );
}

/** Whether the same request also got the right response, although nothing changed what it reads. */
function isAlsoRight(
  { exchange }: Judged,
  wrong: readonly Judged[],
  results: readonly Judged[],
  changes: readonly Judged[],
): boolean {
  const path = pathOf(exchange);
  const isChanged = (again: Judged) =>
    changes.some((change) => isBetween(change.exchange, exchange, again.exchange) && isWriteOf(path, change));
  return results.some(
    (again) =>
      isSound(again) &&
      again.exchange.url === exchange.url &&
      again.exchange.method === exchange.method &&
      again.exchange.key === exchange.key &&
      !wrong.includes(again) &&
      !isChanged(again),
  );
}

const pathOf = ({ url }: Judged['exchange']) => new URL(url).pathname;

/** Whether a request was sent between two others. */
function isBetween({ id }: Exchange, first: Exchange, second: Exchange): boolean {
  return id > first.id !== id > second.id;
}

/** Whether many operations fail, and less than half of the requests of each. */
function strikesAnywhere(wrong: readonly Judged[], results: readonly Judged[]): boolean {
  const struck = [...new Set(wrong.map(({ operation }) => operation))];
  const count = (judged: readonly Judged[], operation: Judged['operation']) =>
    judged.filter((result) => result.operation === operation).length;
  return (
    struck.length >= MIN_OPERATIONS &&
    struck.every((operation) => 2 * count(wrong, operation) < count(results, operation))
  );
}

/** The read with the shortest response, among the failing operations. */
function smallestRead(wrong: readonly Judged[], results: readonly Judged[]): Judged | undefined {
  const struck = new Set(wrong.map(({ operation }) => operation));
  return plainestRead(results.filter((result) => isSound(result) && struck.has(result.operation)));
}

/** The read with the shortest response; reads without an id in the path come first. */
export function plainestRead<Each extends Pick<Judged, 'probe' | 'exchange'>>(
  judged: readonly Each[],
): Each | undefined {
  const rank = ({ probe, exchange }: Each) =>
    (exchange.response?.body.length ?? 0) + (Object.keys(probe.path).length > 0 ? LAST : 0);
  return judged.filter(isReadWithKey).sort((left, right) => rank(left) - rank(right))[0];
}
