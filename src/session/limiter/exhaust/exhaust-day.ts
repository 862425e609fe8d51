import { type Exchange, isServerError, isSuccess, type Reason } from '../../../model/exchange.ts';
import { DAY_S, MINUTE_S } from '../../../model/limits/rate-plan.ts';
import type { Probe } from '../../../model/probe.ts';
import type { Parts } from '../../parts/parts.ts';
import type { SendingForm } from '../../parts/sender.ts';
import type { UsedWindow } from '../../terms/types.ts';
import { fillSize, mostTogether, restOf } from '../room/burst-size.ts';
import { chooseLimited, isLetThrough, lastOf, MOST_SENT } from '../room/limited-operation.ts';

/** The longest Retry-After (s) of a minute's 429, with its rounding. A longer one is taken for the day's. */
const USUAL_MINUTE_RETRY_S = MINUTE_S + 3;

/** A longer wait than this (ms) is for the day: its limit is used up, and the next request has to be refused. */
const MAX_MINUTE_WAIT_MS = (MINUTE_S + 5) * 1000;

/** Which window was used up, and with which probe. */
export interface Exhaustion {
  probe: Probe;
  used?: UsedWindow;
}

/**
 * Uses up the day, minute by minute, never more than the headers and our own count allow, until the day's 429 arrives
 * or more requests are let through than a day allows.
 */
export async function exhaustDay(
  candidates: readonly Probe[],
  parts: Parts,
): Promise<Exhaustion | undefined> {
  const { learnt, unsent } = parts;
  const limited = await chooseLimited(candidates, parts, 'day', learnt.limits?.day);
  if (!limited) return undefined;
  const { probe, limit } = limited;
  const exhaustion = new DayExhaustion(probe, limit, parts);
  const end = await exhaustion.run();
  if (typeof end === 'object') return unsent.skipAll(candidates, end);
  if (end === 'budget-used-up' && !exhaustion.isRefused) unsent.skipAll(candidates, MOST_SENT);
  const { allowed, letThrough } = exhaustion;
  return { probe, used: { window: 'day', limit: allowed, letThrough } };
}

/** Why an exhaustion ends; a `Reason` says why a wait was too long. */
type DayExhaustionEnd = 'done' | 'budget-used-up' | Reason;

type DayExhaustionParts = Pick<Parts, 'options' | 'learnt' | 'clock' | 'end' | 'budget' | 'pace' | 'sender'>;

class DayExhaustion {
  readonly #probe: Probe;
  readonly #limit: number;
  readonly #parts: DayExhaustionParts;
  readonly #startedAt: number;
  readonly #usualStatus: number | undefined;
  letThrough: number;
  isRefused = false;
  /** The last request got a 5xx. The next one shows whether the limiter sent it or the operation failed once. */
  #isBroken = false;

  constructor(probe: Probe, limit: number, parts: DayExhaustionParts) {
    const { exchanges } = parts.learnt;
    this.#probe = probe;
    this.#limit = limit;
    this.#parts = parts;
    this.#startedAt = exchanges[0]?.sentAt ?? parts.clock.now();
    this.#usualStatus = lastOf(exchanges, probe.operation)?.response?.status;
    // Other requests may not count against the limit.
    const surelyCounts = (exchange: Exchange) =>
      exchange.key === 'valid' && exchange.operation === probe.operation && isSuccess(exchange);
    this.letThrough = exchanges.filter(surelyCounts).length;
  }

  /** The limit, with the requests that a bucket may have given back by now. */
  get allowed(): number {
    const elapsed = this.#parts.clock.now() - this.#startedAt;
    return this.#limit + Math.ceil((this.#limit * elapsed) / 1000 / DAY_S);
  }

  /** Sends until the day is used up, or until the run has to stop. Returns why. */
  async run(): Promise<DayExhaustionEnd> {
    const { clock, end, budget, pace } = this.#parts;
    for (;;) {
      if (this.isRefused || this.letThrough > this.allowed || end.isReached) return 'done';
      // The last request is for the recovery.
      if (budget.left('withKey') <= 1) return 'budget-used-up';
      const to = { operation: this.#probe.operation, address: 'baseUrl' } as const;
      const { ms, why } = pace.wait(to, clock.now());
      const unwaited = ms > 0 && ms <= MAX_MINUTE_WAIT_MS ? await end.waitFor(ms, why) : undefined;
      if (unwaited) return unwaited;
      const size = this.#size;
      const form: SendingForm = { variations: [], attempt: 0, burst: size > 1 ? 'fill' : undefined };
      await Promise.all(Array.from({ length: size }, () => this.#send(form)));
    }
  }

  /** How many requests go out together: as many as it takes to use up a minute's limit, and one at a time near a limit. */
  get #size(): number {
    const { learnt, pace, clock } = this.#parts;
    const minute = learnt.limits?.minute;
    if (minute === undefined) return 1;
    const { operation } = this.#probe;
    const inMinute = pace.remaining({ operation, address: 'baseUrl' }, clock.now()) ?? minute;
    const left = Math.min(inMinute, this.#limit - this.letThrough);
    const rest = restOf(learnt.exchanges, operation, { left, limit: minute }, clock.now());
    return fillSize(rest, mostTogether(this.#parts), true);
  }

  async #send(form: SendingForm): Promise<void> {
    const exchange = await this.#parts.sender.send(this.#probe, undefined, form);
    this.#parts.end.tell({
      kind: 'exhausting',
      limit: this.#limit,
      window: 'day',
      remaining: this.#limit - this.letThrough,
    });
    const isThrough = isLetThrough(exchange, this.#usualStatus);
    const isBroken = !isThrough && exchange !== undefined && isServerError(exchange);
    if (isThrough) this.letThrough += 1;
    else if (!isBroken || this.#isBroken) this.isRefused ||= !isRefusedByMinute(exchange);
    this.#isBroken = isBroken;
  }
}

/** Whether the minute's limit refused a request, and the day's did not. */
function isRefusedByMinute(exchange: Exchange | undefined): boolean {
  if (exchange?.response?.status !== 429) return false;
  const { retryAfter } = exchange.rate;
  return retryAfter !== undefined && retryAfter <= USUAL_MINUTE_RETRY_S;
}
