import type { Exchange } from '../../model/exchange.ts';
import type { Probe } from '../../model/probe.ts';
import { MINUTE_S } from '../../model/rate-plan.ts';
import { MOST_AGAIN } from '../again/confirm.ts';
import { destinationOf, type Parts } from '../parts/parts.ts';
import { mostAfterRecovery } from '../terms/budget.ts';
import type { AfterRecovery } from '../terms/types.ts';
import { areWrongKeysFree } from './free-keys.ts';
import { minuteLimit } from './limited-operation.ts';

const MINUTE_MS = MINUTE_S * 1000;

/** Requests that are kept for what only the whole run shows, as long as no exchange violates anything. */
const KEPT = 5;

type Needed = Pick<Parts, 'options' | 'operations' | 'clock' | 'end' | 'pace' | 'learnt' | 'violatedBy'>;

/**
 * The window after the recovery, and how much of it the run may use. It may be the first thing that others who use the key find,
 * so a part of it stays, and the last requests of the run's share see findings again.
 */
export class NextWindow {
  readonly #parts: Needed;
  readonly #most: number;
  readonly #mostWrongKeys: number;
  /** ms since the epoch. */
  readonly #openedAt: number;
  /** The id of the last exchange that was looked at. */
  #looked = 0;
  #isViolated = false;
  /** The window opened without room: what is back by then came back one at a time, as a bucket or a log gives it back. */
  readonly #isGradual: boolean;

  /** @param announced what was announced for it */
  constructor(parts: Needed, { most, mostWrongKeys }: Omit<AfterRecovery, 'probes'>) {
    this.#parts = parts;
    this.#most = Math.min(most, mostAfterRecovery(minuteLimit(parts.learnt) ?? most));
    this.#mostWrongKeys = mostWrongKeys;
    this.#openedAt = parts.clock.now();
    this.#isGradual = this.#stated <= this.#spare;
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
    const isPast = clock.now() - this.#openedAt >= MINUTE_MS;
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
    return this.remaining(probe) > this.#spare;
  }

  /** Requests that the limiter has now: those that it stated last, and those that came back one at a time since. */
  remaining(probe: Probe): number {
    const { pace, clock } = this.#parts;
    return this.#isGradual
      ? this.#gradually
      : Math.min(this.#stated, pace.remaining(destinationOf(probe, this.#parts), clock.now()) ?? 0);
  }

  /**
   * ms until a limiter that gives back one request at a time has room for one more. Undefined for other limiters, and if a run
   * would then wait longer than it announced: a minute in all.
   */
  get msUntilRoom(): number | undefined {
    const { end, pace, clock } = this.#parts;
    if (!this.#isGradual || !this.#isGivingBack || pace.closedFor(clock.now()) > 0) return undefined;
    const missing = Math.max(1, this.#spare + 1 - this.#gradually);
    const ms = Math.ceil((missing * MINUTE_MS) / this.#limit);
    return end.waitedMs + ms > MINUTE_MS ? undefined : ms;
  }

  get #stated(): number {
    return this.#parts.learnt.exchanges.findLast(isWithKey)?.rate.remaining ?? Number.POSITIVE_INFINITY;
  }

  get #gradually(): number {
    const { clock, learnt } = this.#parts;
    const since = learnt.exchanges.findLast(isWithKey)?.receivedAt ?? clock.now();
    return this.#stated + this.#givenBack(clock.now() - since);
  }

  /** Whether Remaining rose since the recovery as it does where a minute gives back the limit evenly. */
  get #isGivingBack(): boolean {
    const told = this.#since.filter((each) => isWithKey(each) && each.rate.remaining !== undefined);
    return told.slice(1).every((each, index) => {
      const before = told[index] ?? each;
      const due = (before.rate.remaining ?? 0) + this.#givenBack(each.sentAt - before.receivedAt);
      // One for the request itself, and one for the rounding.
      return (each.rate.remaining ?? 0) >= due - 2;
    });
  }

  #givenBack(ms: number): number {
    return Math.floor((ms * this.#limit) / MINUTE_MS);
  }

  get #limit(): number {
    return minuteLimit(this.#parts.learnt) ?? 0;
  }

  /** Requests that the run leaves to others and to findings. */
  get #spare(): number {
    return leavesOf(this.#parts) + this.#kept;
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
