import type { Exchange } from '../../model/exchange.ts';
import { MINUTE_S } from '../../model/limits/rate-plan.ts';
import type { Probe } from '../../model/probe.ts';
import { MOST_AGAIN } from '../again/confirm.ts';
import { destinationOf, type Parts } from '../parts/parts.ts';
import { mostAfterRecovery } from '../terms/budget.ts';
import type { AfterRecovery } from '../terms/types.ts';
import { isWithKey, minuteLimit, refusalIn } from './room/limited-operation.ts';

/** Requests that are reserved for findings of the whole run, as long as no exchange violates anything. */
const KEPT = 5;

type NextWindowParts = Pick<
  Parts,
  'options' | 'operations' | 'clock' | 'end' | 'pace' | 'learnt' | 'violatedBy'
>;

/**
 * The window after the recovery, and how much of it the run may use. A part stays for others who use the key next, and the last
 * requests of the run's share confirm findings.
 */
export class NextWindow {
  readonly #parts: NextWindowParts;
  readonly #most: number;
  readonly #mostWrongKeys: number;
  /** ms since the epoch. */
  readonly #openedAt: number;
  /** The id of the last exchange that was checked for violations. */
  #checked = 0;
  #isViolated = false;

  /** @param announced the requests that were announced for it */
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
      exchanges.findIndex((exchange) => isWithKey(exchange) && exchange.response?.status === 429) + 1,
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
    // Keeps time for the confirmations, because a run whose time is over is not complete.
    const hasTime = end.msLeft > (1 + MOST_AGAIN) * options.timeout;
    return end.isReached || isPast || !hasTime || this.left === 0;
  }

  /** Whether the limiter shows room for a request now, beyond the requests for others. */
  hasRoomFor(probe: Probe): boolean {
    const { pace, clock, learnt } = this.#parts;
    if (pace.closedFor(clock.now()) > 0) return false;
    if (probe.key !== 'valid') {
      const sent = this.#since.filter(({ key }) => key !== 'valid').length;
      return sent < this.#mostWrongKeys && areWrongKeysFree(learnt.exchanges);
    }
    return this.remaining(probe) > leavesOf(this.#parts) + this.#kept;
  }

  /** Requests that are left now, by the limiter's headers and our own count. */
  remaining(probe: Probe): number {
    const { pace, clock, learnt } = this.#parts;
    const stated = learnt.exchanges.findLast(isWithKey)?.rate.remaining;
    const left = pace.remaining(destinationOf(probe, this.#parts), clock.now()) ?? 0;
    return Math.min(stated ?? Number.POSITIVE_INFINITY, left);
  }

  /** Requests that are reserved for confirmations. */
  get #kept(): number {
    const { learnt, violatedBy } = this.#parts;
    const { exchanges } = learnt;
    const last = exchanges.at(-1)?.id ?? 0;
    if (!this.#isViolated && last > this.#checked) {
      const since = exchanges.findLastIndex(({ id }) => id <= this.#checked) + 1;
      this.#isViolated = exchanges.slice(since).some((exchange) => violatedBy(exchange).length > 0);
      this.#checked = last;
    }
    return Math.min(this.#isViolated ? MOST_AGAIN : KEPT, Math.ceil(this.#most / 3));
  }
}

/** Requests of a window that a run leaves for whoever uses the key next. */
export function leavesOf({ learnt }: Pick<Parts, 'learnt'>): number {
  const limit = minuteLimit(learnt) ?? 0;
  return limit - mostAfterRecovery(limit);
}

/** Whether a request with the key was let through after one that the limit refused. */
export function hasRecovered(exchanges: readonly Exchange[]): boolean {
  const refusal = refusalIn(exchanges);
  if (!refusal) return false;
  const later = exchanges.filter((exchange) => isWithKey(exchange) && exchange.sentAt >= refusal.receivedAt);
  return later.some(({ response }) => response !== undefined && response.status !== 429);
}

/** Sends one request after the time that Retry-After states, and a second for its rounding. */
export async function recover(
  probe: Probe,
  parts: Pick<Parts, 'learnt' | 'pace' | 'clock' | 'end' | 'unsent' | 'sender'>,
): Promise<void> {
  const { learnt, pace, clock, end, unsent, sender } = parts;
  const kind = 'not-recoverable';
  const refusal = refusalIn(learnt.exchanges);
  if (!refusal) return unsent.skip(probe, { kind, reason: 'no request was refused, so none can recover' });
  // If the limiter refused a request earlier, petspec waited then, and the responses since show the recovery.
  if (hasRecovered(learnt.exchanges)) return;
  if (refusal.rate.retryAfter === undefined)
    return unsent.skip(probe, {
      kind,
      reason: 'the 429 has no valid Retry-After to wait for',
      cause: refusal.probe,
    });
  const ms = pace.closedFor(clock.now());
  const unwaited = ms <= 0 ? undefined : await end.waitFor(ms, 'Retry-After asks to wait');
  if (unwaited === undefined) await sender.send(probe);
  else unsent.skip(probe, unwaited);
}

/**
 * Whether requests with wrong keys use up nothing of the limit of the right key. After a request with the right key, Remaining
 * has to stay the same on a wrong key at the same operation, and must not fall by more than one with the next right key. Bursts
 * show no order.
 */
export function areWrongKeysFree(exchanges: readonly Exchange[]): boolean {
  const inTurn = exchanges.filter(({ address, burst }) => address === 'baseUrl' && !burst);
  if (inTurn.some(({ key, response }) => key !== 'valid' && response?.status === 429)) return false;
  const falls = inTurn.flatMap((exchange, index) => {
    const [before, after] = [inTurn[index - 1], inTurn[index + 1]];
    if (exchange.key === 'valid' || before?.key !== 'valid') return [];
    const then = after?.key === 'valid' ? fall(before, after) : undefined;
    return [fall(before, exchange), then === undefined ? undefined : then - 1].filter(
      (by) => by !== undefined,
    );
  });
  return falls.length > 0 && falls.every((by) => by <= 0);
}

/** By how much Remaining falls within a window of an operation; undefined if the headers do not show it. */
function fall(before: Exchange, after: Exchange): number | undefined {
  const { remaining, reset } = before.rate;
  const isSame = before.operation === after.operation && reset === after.rate.reset;
  if (!isSame || remaining === undefined || after.rate.remaining === undefined) return undefined;
  return remaining - after.rate.remaining;
}
