import type { DeviationKind } from '../model/finding.ts';
import type { Repetition } from '../model/repetition.ts';
import { isSound, type Judged } from './judged.ts';

/** What strikes so many operations, and few requests of each, belongs to none of them. */
const MANY = 3;

/** Requests that are sent again at the most. */
const MOST = 30;

/**
 * How to see a failure again that comes and goes: the very same read was answered with it and without it, or no answer
 * that can be read came back to a few requests of many operations. What only the rate limit explains is no such failure.
 */
export function comesAndGoes(
  kind: DeviationKind,
  wrong: readonly Judged[],
  all: readonly Judged[],
): Repetition | undefined {
  if (kind === 'header') return undefined;
  const struck = wrong.find((each) => isRead(each) && !isOverLimit(each) && isAlsoRight(each, wrong, all));
  const isOfNone = (kind === 'transport' || kind === 'json') && strikesAnywhere(wrong, all);
  const plainest = struck ?? (isOfNone ? smallestRead(wrong, all) : undefined);
  if (!plainest) return undefined;
  const times = Math.min(MOST, 2 * Math.ceil(all.length / wrong.length));
  return { kind: 'again', exchange: plainest.exchange.id, times, shows: 'answers' };
}

/** Puts a read behind all whose answers are shorter than this. */
const LATER = 2 ** 40;

const isRead = ({ exchange }: Pick<Judged, 'exchange'>) =>
  exchange.method === 'GET' && exchange.key === 'valid';
const isOverLimit = ({ exchange }: Judged) =>
  exchange.response?.status === 429 || exchange.stage === 'recover' || exchange.rate.remaining === 0;

/** Whether the same request was answered rightly as well. */
function isAlsoRight({ exchange }: Judged, wrong: readonly Judged[], all: readonly Judged[]): boolean {
  return all.some(
    (other) =>
      isSound(other) &&
      other.exchange.url === exchange.url &&
      other.exchange.method === exchange.method &&
      other.exchange.key === exchange.key &&
      !wrong.includes(other),
  );
}

/** Whether many operations are struck, and each of them in less than half of its requests. */
function strikesAnywhere(wrong: readonly Judged[], all: readonly Judged[]): boolean {
  const struck = [...new Set(wrong.map(({ operation }) => operation))];
  const count = (judged: readonly Judged[], operation: Judged['operation']) =>
    judged.filter((each) => each.operation === operation).length;
  return (
    struck.length >= MANY && struck.every((operation) => 2 * count(wrong, operation) < count(all, operation))
  );
}

/** The read with the shortest answer, of an operation that is struck. */
function smallestRead(wrong: readonly Judged[], all: readonly Judged[]): Judged | undefined {
  const struck = new Set(wrong.map(({ operation }) => operation));
  return plainestRead(all.filter((each) => isSound(each) && struck.has(each.operation)));
}

/** Of these the read with the shortest answer; rather one that asks for nothing by its id. */
export function plainestRead<Each extends Pick<Judged, 'probe' | 'exchange'>>(
  judged: readonly Each[],
): Each | undefined {
  const rank = ({ probe, exchange }: Each) =>
    (exchange.response?.body.length ?? 0) + (Object.keys(probe.path).length > 0 ? LATER : 0);
  return judged.filter(isRead).sort((one, other) => rank(one) - rank(other))[0];
}
