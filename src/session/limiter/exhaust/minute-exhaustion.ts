import { type Exchange, isServerError, type Variation } from '../../../model/exchange.ts';
import type { Probe, RequestVariation } from '../../../model/probe.ts';
import { MINUTE_S, windowOf } from '../../../model/rate-plan.ts';
import type { Parts } from '../../parts.ts';
import type { Sender } from '../../sender.ts';
import { countsDown, isLetThrough, lastOf, OLD } from '../limited-operation.ts';
import type { Repeated, Step } from './lanes.ts';
import { Surplus } from './surplus.ts';
import { MIN_LEFT, nextVariation, PLAIN_FIRST } from './variations.ts';
import { WindowUse } from './window-use.ts';

/** An exhaustion takes at most this many windows, and as many minutes. */
const MAX_WINDOWS = 2;

/** Rounds that come before requests of other kinds: they show most. */
const FIRST_ROUNDS = 2;

/** Responses that take longer (ms) leave no time for requests that go one at a time. */
const QUICK_MS = 1_000;

/** Why an exhaustion ends: `done`: a request was refused, or more were let through than an honest limiter allows. */
type End = 'done' | 'uncounted' | 'budget-used-up' | 'too-slow';

function isQuick(exchange: Exchange | undefined): boolean {
  return exchange !== undefined && exchange.receivedAt - exchange.sentAt <= QUICK_MS;
}

type Needed = Pick<
  Parts,
  'options' | 'clock' | 'learnt' | 'end' | 'budget' | 'pace' | 'transports' | 'sender' | 'shrinking'
>;

/** Uses up the limit of a minute with one probe, and with what shows more where that is possible. */
export class MinuteExhaustion implements Repeated<End> {
  readonly #probe: Probe;
  readonly #limit: number;
  readonly #parts: Needed;
  readonly #startedAt: number;
  readonly #use: WindowUse;
  readonly #countsDown: boolean;
  readonly #usualStatus: number | undefined;
  /** Whether requests may go one at a time without missing the end of the window. */
  readonly #isQuick: boolean;
  readonly #surplus: Surplus;
  /** In order; of plain requests in a row two. */
  readonly #sent: Exchange[] = [];
  /** Requests that have no response yet. */
  #inFlight = 0;
  #round = 0;
  #isRoundFailed = false;
  #isRoundNext = false;
  /** A varied request is in flight. */
  #isVaried = false;
  #isRefused = false;
  /** The last request got a 5xx. The next one shows whether the limiter sent it or the operation failed for once. */
  #isBroken = false;
  #isRenewed = false;

  constructor(probe: Probe, limit: number, parts: Needed, startedAt: number) {
    const { exchanges } = parts.learnt;
    this.#probe = probe;
    this.#limit = limit;
    this.#parts = parts;
    this.#startedAt = startedAt;
    this.#use = new WindowUse(limit, startedAt);
    this.#countsDown = countsDown(exchanges, probe.operation);
    const last = lastOf(exchanges, probe.operation);
    this.#usualStatus = last?.response?.status;
    this.#isQuick = isQuick(last);
    // One that takes long would end the window.
    const { surplus = [], generate = () => undefined } = parts.options;
    const quick = new Set(
      surplus.map(({ operation }) => operation).filter((each) => isQuick(lastOf(exchanges, each))),
    );
    this.#surplus = new Surplus(
      probe.operation,
      surplus.filter(({ operation }) => quick.has(operation)),
      (path) => {
        const drawn = generate(path);
        return drawn && quick.has(drawn.operation) ? drawn : undefined;
      },
      parts.shrinking,
    );
  }

  async send(): Promise<void> {
    const variation = this.#variation;
    this.#isVaried = variation !== undefined;
    const further = variation || this.#isRoundDue ? undefined : this.#nextSurplus();
    if (further) return this.#sendSurplus(further);
    const variations = variation ? [] : this.#nextRound();
    const place = this.#surplus.sending(this.#probe);
    const exchange = await this.#sendInFlight(this.#probe, variation, { variations, attempt: 0 });
    this.#surplus.received(this.#probe, exchange, place, variation === undefined);
    this.#isVaried = false;
    if (exchange) this.#remember(exchange);
    this.#tell(exchange?.rate.remaining);
    const status = exchange?.response?.status;
    const isRound = variations.length > 0;
    const isPlain = !isRound && !variation;
    const isThrough = isLetThrough(exchange, this.#usualStatus);
    const isBroken = isPlain && !isThrough && exchange !== undefined && isServerError(exchange);
    if (isThrough) this.#use.add(exchange, this.#inFlight);
    // A service may reject a varied request, or fail to answer it, for another reason.
    else if (!isBroken || this.#isBroken)
      this.#isRefused ||= status === 429 || isPlain || (!isRound && status === undefined);
    if (isPlain) this.#isBroken = isBroken;
    this.#isRoundFailed ||= isRound && !isThrough;
  }

  /** Sends what shows more than another repetition. */
  async #sendSurplus(probe: Probe): Promise<void> {
    const place = this.#surplus.sending(probe);
    const { variations = [] } = probe;
    const exchange = await this.#sendInFlight(probe, undefined, { variations, attempt: 0, isSpare: true });
    const isUsed = this.#surplus.received(probe, exchange, place, true);
    this.#isRoundNext = true;
    if (!exchange) return;
    this.#remember(exchange);
    this.#tell(exchange.rate.remaining);
    this.#isRefused ||= exchange.response?.status === 429;
    if (isUsed && exchange.response && !this.#isRefused) this.#use.add(exchange, this.#inFlight);
  }

  /** Sends a request, which is in flight until its response is there. */
  async #sendInFlight(...request: Parameters<Sender['send']>): Promise<Exchange | undefined> {
    this.#inFlight += 1;
    const exchange = await this.#parts.sender.send(...request);
    this.#inFlight -= 1;
    return exchange;
  }

  #tell(remaining: number | undefined): void {
    this.#parts.end.tell({ kind: 'exhausting', limit: this.#limit, window: 'minute', remaining });
  }

  /** The variations need no more than the last two of many plain requests in a row. */
  #remember(exchange: Exchange): void {
    const isLong = this.#sent.slice(-2).filter(({ variation }) => !variation).length === 2;
    if (isLong && !exchange.variation) this.#sent.pop();
    this.#sent.push(exchange);
  }

  next(inFlight: number): Step<End> {
    const { options, clock, end, budget } = this.#parts;
    const now = clock.now();
    if (this.#isRefused || end.isReached) return { kind: 'end', end: 'done' };
    if (this.#isCountedDown && this.#use.isUncounted(now)) return { kind: 'end', end: 'uncounted' };
    if (this.isDone(inFlight)) return { kind: 'end', end: 'done' };
    // The last one is for the recovery.
    if (budget.left('withKey') <= 1) return { kind: 'end', end: 'budget-used-up' };
    if (this.#use.ended >= MAX_WINDOWS || now - this.#startedAt > MAX_WINDOWS * MINUTE_S * 1000)
      return { kind: 'end', end: 'too-slow' };
    const isNear = this.#isNear(inFlight, now);
    const msUntilNew = this.#isCountedDown ? this.#use.msUntilNew(now) : 0;
    // One at a time, the first requests show soonest that repetitions count.
    const isFirst = this.#isQuick && this.#probe.rounds !== undefined && this.#sent.length < PLAIN_FIRST;
    const isAlone =
      isNear ||
      isFirst ||
      this.#isVaried ||
      this.#variation !== undefined ||
      msUntilNew > 0 ||
      (this.#mayVary && !this.#isOwnOnly && this.#surplus.isAlone);
    if (inFlight >= (isAlone ? 1 : options.concurrency)) return { kind: 'wait' };
    if (msUntilNew > 0) return { kind: 'send', prepare: () => this.#wait(msUntilNew) };
    return isNear && !this.#isRenewed ? { kind: 'send', prepare: () => this.#renew() } : { kind: 'send' };
  }

  /** Whether a request was refused, or more were let through than an honest limiter allows. */
  isDone(inFlight: number): boolean {
    const now = this.#parts.clock.now();
    return this.#isRefused || this.#use.isExceeded(this.#isCountedDown, now, inFlight);
  }

  /** Whether Remaining says how much is left of a minute. */
  get #isCountedDown(): boolean {
    const last = lastOf(this.#parts.learnt.exchanges, this.#probe.operation);
    return this.#countsDown && last !== undefined && windowOf(last, this.#parts.learnt.limits) === 'minute';
  }

  /** Whether the limit is so near that the requests go one at a time. */
  #isNear(inFlight: number, now: number): boolean {
    const { pace, options } = this.#parts;
    const to = { operation: this.#probe.operation, address: 'baseUrl' } as const;
    return (
      pace.mustReduceConcurrency(to, options.concurrency, now) ||
      (!this.#isCountedDown && this.#use.isExceeded(false, now, inFlight + this.#limit + options.concurrency))
    );
  }

  /** Whether the next request may be another one: once Remaining shows that it counts repetitions, until near the limit. */
  get #mayVary(): boolean {
    const isCounted =
      this.#isQuick && this.#countsDown && this.#use.isCounted && this.#sent.length >= PLAIN_FIRST;
    return isCounted && this.#left >= MIN_LEFT;
  }

  /** Without a Remaining that describes the minute, nothing shows which other requests count. */
  get #isOwnOnly(): boolean {
    return !this.#isCountedDown;
  }

  /** The first rounds come first; where requests go one at a time, the others come in turn with what is new. */
  get #isRoundDue(): boolean {
    const isLeft = this.#round < (this.#probe.rounds?.length ?? 0) && !this.#isRoundFailed;
    const isNear = this.#isRoundNext && this.#isNear(0, this.#parts.clock.now());
    return isLeft && (this.#round < FIRST_ROUNDS || isNear);
  }

  #nextSurplus(): Probe | undefined {
    return this.#mayVary
      ? this.#surplus.next(this.#isOwnOnly, this.#parts.learnt.creations.left > 0)
      : undefined;
  }

  /** The values of the next request, in place of the planned ones. */
  #nextRound(): readonly RequestVariation[] {
    if (!this.#mayVary || this.#isRoundFailed) return [];
    const round = this.#probe.rounds?.[this.#round] ?? [];
    this.#round += 1;
    this.#isRoundNext = false;
    return round;
  }

  /** How the next request is varied, if Remaining shows how it is counted. */
  get #variation(): Variation | undefined {
    if (!this.#isQuick || !this.#countsDown || !this.#use.isCounted) return undefined;
    return nextVariation(this.#sent, this.#left, this.#limit, this.#probe.lenient);
  }

  /** Requests that the limit still allows. */
  get #left(): number {
    const to = { operation: this.#probe.operation, address: 'baseUrl' } as const;
    return this.#parts.pace.remaining(to, this.#parts.clock.now()) ?? 0;
  }

  /** Waits until Remaining has to be a new one: then it shows whether the requests count. */
  async #wait(ms: number): Promise<undefined> {
    await this.#parts.end.waitFor(ms, OLD);
  }

  /** The limit has to apply to the key, not to a connection: the last requests go out on new connections. */
  async #renew(): Promise<undefined> {
    this.#isRenewed = true;
    await this.#parts.transports.usual.renew();
  }
}
