import { type Exchange, isSuccess } from '../../model/exchange.ts';
import type { DeviationKind, Repetition } from '../../model/finding.ts';
import { isReadWithKey, isSound, type Judged } from './judged.ts';

/** A failure of this many operations that only a few requests of each get belongs to none of them. */
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
  all: readonly Judged[],
): Repetition | undefined {
  if (kind === 'header') return undefined;
  const changes = all.filter(isChange);
  const read = wrong.find(
    (each) => isReadWithKey(each) && !isOverLimit(each) && isAlsoRight(each, wrong, all, changes),
  );
  const isAnywhere = (kind === 'transport' || kind === 'json') && strikesAnywhere(wrong, all);
  const plainest = read ?? (isAnywhere ? smallestRead(wrong, all) : undefined);
  if (!plainest) return undefined;
  const times = Math.min(MAX_TIMES, 2 * Math.ceil(all.length / wrong.length));
  return { kind: 'again', exchange: plainest.exchange.id, times, shows: 'answers' };
}

/** Longer than any body, so that reads with an id rank behind all others. */
const LAST = 2 ** 40;

const isOverLimit = ({ exchange }: Judged) =>
  exchange.response?.status === 429 || exchange.stage === 'recover' || exchange.rate.remaining === 0;

const CHANGING: ReadonlySet<string> = new Set(['PUT', 'PATCH', 'DELETE']);

const isChange = ({ exchange }: Judged) => CHANGING.has(exchange.method) && isSuccess(exchange);

/** Whether the same request got the right response as well, although nothing changed what it reads. */
function isAlsoRight(
  { exchange }: Judged,
  wrong: readonly Judged[],
  all: readonly Judged[],
  changes: readonly Judged[],
): boolean {
  const path = pathOf(exchange);
  const isChanged = (other: Judged) =>
    changes.some(
      (each) =>
        isBetween(each.exchange, exchange, other.exchange) &&
        `${path}/`.startsWith(`${pathOf(each.exchange)}/`),
    );
  return all.some(
    (other) =>
      isSound(other) &&
      other.exchange.url === exchange.url &&
      other.exchange.method === exchange.method &&
      other.exchange.key === exchange.key &&
      !wrong.includes(other) &&
      !isChanged(other),
  );
}

const pathOf = ({ url }: Judged['exchange']) => new URL(url).pathname;

/** Whether a request was sent between two others. */
function isBetween({ id }: Exchange, one: Exchange, other: Exchange): boolean {
  return id > one.id !== id > other.id;
}

/** Whether many operations fail, and less than half of the requests of each. */
function strikesAnywhere(wrong: readonly Judged[], all: readonly Judged[]): boolean {
  const struck = [...new Set(wrong.map(({ operation }) => operation))];
  const count = (judged: readonly Judged[], operation: Judged['operation']) =>
    judged.filter((each) => each.operation === operation).length;
  return (
    struck.length >= MIN_OPERATIONS &&
    struck.every((operation) => 2 * count(wrong, operation) < count(all, operation))
  );
}

/** The read with the shortest response, among the failing operations. */
function smallestRead(wrong: readonly Judged[], all: readonly Judged[]): Judged | undefined {
  const struck = new Set(wrong.map(({ operation }) => operation));
  return plainestRead(all.filter((each) => isSound(each) && struck.has(each.operation)));
}

/** The read with the shortest response; reads without an id in the path come first. */
export function plainestRead<Each extends Pick<Judged, 'probe' | 'exchange'>>(
  judged: readonly Each[],
): Each | undefined {
  const rank = ({ probe, exchange }: Each) =>
    (exchange.response?.body.length ?? 0) + (Object.keys(probe.path).length > 0 ? LAST : 0);
  return judged.filter(isReadWithKey).sort((one, other) => rank(one) - rank(other))[0];
}
