import type { Exchange } from '../../model/exchange.ts';
import type { Probe } from '../../model/probe.ts';
import { MINUTE_S } from '../../model/rate-plan.ts';
import { MOST_AGAIN } from '../again/confirm.ts';
import { destinationOf, type Parts } from '../parts/parts.ts';
import { mostAfterRecovery } from '../terms/budget.ts';
import type { AfterRecovery } from '../terms/types.ts';
import { minuteLimit } from './limited-operation.ts';

/** Requests that are kept for what only the whole run shows, as long as no exchange violates anything. */
const KEPT = 5;

type NextWindowParts = Pick<
  Parts,
  'options' | 'operations' | 'clock' | 'end' | 'pace' | 'learnt' | 'violatedBy'
>;

/**
 * The window after the recovery, and how much of it the run may use. It may be the first thing that others who use the key find,
 * so a part of it stays, and the last requests of the run's share see findings again.
 */
export class NextWindow {
  readonly #parts: NextWindowParts;
  readonly #most: number;
  readonly #mostWrongKeys: number;
  /** ms since the epoch. */
  readonly #openedAt: number;
  /** The id of the last exchange that was looked at. */
  #looked = 0;
  #isViolated = false;

  /** @param announced what was announced for it */
  constructor(parts: NextWindowParts, { most, mostWrongKeys }: Omit<AfterRecovery, 'probes'>) {
    this.#parts = parts;
    this.#most = Math.min(most, mostAfterRecovery(minuteLimit(parts.learnt) ?? most));
    this.#mostWrongKeys = mostWrongKeys;
    this.#openedAt = parts.clock.now();
  }

  /** Requests with the key since the limit refused one, the recovery included: also those of an earlier part of the run. */
  get used(): number {
    return this.#since.filter(isWithKey).length;
  }

  get #since(): Exchange[] {
    const { exchanges } = this.#parts.learnt;
    return exchanges.slice(
      exchanges.findIndex((each) => isWithKey(each) && each.response?.status === 429) + 1,
    );
  }

  /** How many more requests the run may send, if there is room. */
  get left(): number {
    return Math.max(0, this.#most - this.used - this.#kept);
  }

  /** Whether the run has used its share, or its time: then nothing more is sent, whatever room there is. */
  get isOver(): boolean {
    const { clock, end, options } = this.#parts;
    const isPast = clock.now() - this.#openedAt >= MINUTE_S * 1000;
    // A run whose time is over is not complete, and what was found has to be seen again.
    const hasTime = end.msLeft > (1 + MOST_AGAIN) * options.timeout;
    return end.isReached || isPast || !hasTime || this.left === 0;
  }

  /** Whether the limiter shows room for a request now, beyond what is left to others. */
  hasRoomFor(probe: Probe): boolean {
    const { pace, clock, learnt } = this.#parts;
    if (pace.closedFor(clock.now()) > 0) return false;
    if (probe.key !== 'valid') {
      const sent = this.#since.filter(({ key }) => key !== 'valid').length;
      return sent < this.#mostWrongKeys && areWrongKeysFree(learnt.exchanges);
    }
    return this.remaining(probe) > leavesOf(this.#parts) + this.#kept;
  }

  /** Requests that the limiter shows to be left now. */
  remaining(probe: Probe): number {
    const { pace, clock, learnt } = this.#parts;
    const stated = learnt.exchanges.findLast(isWithKey)?.rate.remaining;
    const left = pace.remaining(destinationOf(probe, this.#parts), clock.now()) ?? 0;
    return Math.min(stated ?? Number.POSITIVE_INFINITY, left);
  }

  /** What sees findings again, once something is violated. */
  get #kept(): number {
    const { learnt, violatedBy } = this.#parts;
    const { exchanges } = learnt;
    const last = exchanges.at(-1)?.id ?? 0;
    if (!this.#isViolated && last > this.#looked) {
      const since = exchanges.findLastIndex(({ id }) => id <= this.#looked) + 1;
      this.#isViolated = exchanges.slice(since).some((each) => violatedBy(each).length > 0);
      this.#looked = last;
    }
    return Math.min(this.#isViolated ? MOST_AGAIN : KEPT, Math.ceil(this.#most / 3));
  }
}

/** Requests of a window that a run leaves to whoever uses the key next. */
export function leavesOf({ learnt }: Pick<Parts, 'learnt'>): number {
  const limit = minuteLimit(learnt) ?? 0;
  return limit - mostAfterRecovery(limit);
}

function isWithKey({ address, key }: Exchange): boolean {
  return address === 'baseUrl' && key === 'valid';
}

/** Whether a request with the key was let through after one that the limit refused. */
export function hasRecovered(exchanges: readonly Exchange[]): boolean {
  const withKey = exchanges.filter((each) => each.key === 'valid' && each.address === 'baseUrl');
  const closing = withKey.find(({ response }) => response?.status === 429);
  return withKey.some(
    ({ response, sentAt }) =>
      closing !== undefined && response?.status !== 429 && sentAt >= closing.receivedAt,
  );
}

/** Sends one request after the time that Retry-After states, and a second for its rounding. */
export async function recover(
  probe: Probe,
  {
    learnt,
    pace,
    clock,
    end,
    unsent,
    sender,
  }: Pick<Parts, 'learnt' | 'pace' | 'clock' | 'end' | 'unsent' | 'sender'>,
): Promise<void> {
  const kind = 'not-recoverable';
  const withKey = learnt.exchanges.filter((each) => each.key === 'valid' && each.address === 'baseUrl');
  const closing = withKey.find(({ response }) => response?.status === 429);
  if (!closing) return unsent.skip(probe, { kind, reason: 'no request was refused, so none can recover' });
  // If the limiter refused a request earlier, petspec waited then, and the responses since show the recovery.
  if (hasRecovered(learnt.exchanges)) return;
  if (closing.rate.retryAfter === undefined)
    return unsent.skip(probe, {
      kind,
      reason: 'the 429 has no valid Retry-After to wait for',
      cause: closing.probe,
    });
  const ms = pace.closedFor(clock.now());
  const unwaited = ms <= 0 ? undefined : await end.waitFor(ms, 'Retry-After asks to wait');
  if (unwaited === undefined) await sender.send(probe);
  else unsent.skip(probe, unwaited);
}

/**
 * Whether requests with wrong keys are seen to use up nothing of the limit of the right key. Remaining has to stay the same on one
 * that follows the right key at the same operation, and must not fall by more than one with the next right key. Bursts show no
 * order.
 */
export function areWrongKeysFree(exchanges: readonly Exchange[]): boolean {
  const inTurn = exchanges.filter(({ address, burst }) => address === 'baseUrl' && !burst);
  if (inTurn.some(({ key, response }) => key !== 'valid' && response?.status === 429)) return false;
  const falls = inTurn.flatMap((each, index) => {
    const [before, after] = [inTurn[index - 1], inTurn[index + 1]];
    if (each.key === 'valid' || before?.key !== 'valid') return [];
    const then = after?.key === 'valid' ? fall(before, after) : undefined;
    return [fall(before, each), then === undefined ? undefined : then - 1].filter((by) => by !== undefined);
  });
  return falls.length > 0 && falls.every((by) => by <= 0);
}

/** How much less remains of the same window of an operation; undefined if the headers do not tell. */
function fall(before: Exchange, after: Exchange): number | undefined {
  const { remaining, reset } = before.rate;
  const isSame = before.operation === after.operation && reset === after.rate.reset;
  if (!isSame || remaining === undefined || after.rate.remaining === undefined) return undefined;
  return remaining - after.rate.remaining;
}
