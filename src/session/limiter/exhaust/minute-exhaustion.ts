import { type Exchange, isServerError, type Variation } from '../../../model/exchange.ts';
import type { Probe, RequestVariation } from '../../../model/probe.ts';
import { MINUTE_S, windowOf } from '../../../model/rate-plan.ts';
import type { Parts } from '../../parts.ts';
import { countsDown, isLetThrough, lastOf, OLD, ofOperation } from '../limited-operation.ts';
import { mostTogether } from '../together.ts';
import { fillSize, restOf } from './fill.ts';
import { Surplus } from './surplus.ts';
import { nextVariation, PLAIN_FIRST } from './variations.ts';
import { WindowUse } from './window-use.ts';

/** An exhaustion takes at most this many windows, and as many minutes. */
const MAX_WINDOWS = 2;

/** Rounds that come before requests of other kinds: they show most. */
const FIRST_ROUNDS = 2;

/** Near the limit, so many requests are left: they go out on new connections. */
const NEAR = 4;

/** Responses that take longer (ms) leave no time for requests of other kinds. */
const QUICK_MS = 1_000;

/** Why an exhaustion ends: `done`: a request was refused, or more were let through than an honest limiter allows. */
export type End = 'done' | 'uncounted' | 'budget-used-up' | 'too-slow';

type Needed = Pick<
  Parts,
  'options' | 'clock' | 'learnt' | 'end' | 'budget' | 'pace' | 'transports' | 'sender' | 'shrinking'
>;

/** Uses up the limit of a minute with one probe, and with what shows more where that is possible. */
export class MinuteExhaustion {
  readonly #probe: Probe;
  readonly #limit: number;
  readonly #parts: Needed;
  readonly #startedAt: number;
  readonly #use: WindowUse;
  readonly #countsDown: boolean;
  readonly #usualStatus: number | undefined;
  /** Whether responses are quick enough for requests of other kinds. */
  readonly #isQuick: boolean;
  readonly #surplus: Surplus;
  /** In order; of plain requests in a row two. */
  readonly #sent: Exchange[] = [];
  #round = 0;
  #isRoundFailed = false;
  #isRoundNext = false;
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

  /** Sends until the limit is used up, or until nothing shows that it will be. Returns why it ends. */
  async run(): Promise<End> {
    for (;;) {
      const end = this.#end;
      if (end) return end;
      await this.#prepare();
      await this.#sendNext();
    }
  }

  get #end(): End | undefined {
    const { clock, end, budget } = this.#parts;
    const now = clock.now();
    if (this.#isRefused || end.isReached) return 'done';
    if (this.#isCountedDown && this.#use.isUncounted(now)) return 'uncounted';
    if (this.isDone) return 'done';
    // The last one is for the recovery.
    if (budget.left('withKey') <= 1) return 'budget-used-up';
    if (this.#use.ended >= MAX_WINDOWS || now - this.#startedAt > MAX_WINDOWS * MINUTE_S * 1000)
      return 'too-slow';
    return undefined;
  }

  /** Whether a request was refused, or more were let through than an honest limiter allows. */
  get isDone(): boolean {
    return this.#isRefused || this.#use.isExceeded(this.#isCountedDown, this.#parts.clock.now(), 0);
  }

  /** Waits until Remaining has to be a new one, and shows whether requests count. Near the limit, connections are new. */
  async #prepare(): Promise<void> {
    const { clock, end, transports } = this.#parts;
    const ms = this.#isCountedDown ? this.#use.msUntilNew(clock.now()) : 0;
    if (ms > 0) await end.waitFor(ms, OLD);
    // The limit has to apply to the key, not to a connection.
    else if (!this.#isRenewed && this.#isNear) {
      this.#isRenewed = true;
      await transports.usual.renew();
    }
  }

  async #sendNext(): Promise<void> {
    const variation = this.#variation;
    if (variation) return this.#sendPlain(variation, []);
    const size = this.#fillSize;
    if (size > 1) return this.#sendTogether(size);
    const further = this.#isRoundDue ? undefined : this.#nextSurplus();
    return further ? this.#sendSurplus(further) : this.#sendPlain(undefined, this.#nextRound());
  }

  /** Sends the plain read, or one way in which it varies. */
  async #sendPlain(variation: Variation | undefined, variations: readonly RequestVariation[]): Promise<void> {
    const exchange = await this.#parts.sender.send(this.#probe, variation, { variations, attempt: 0 });
    this.#surplus.received(this.#probe, exchange, variation === undefined);
    this.#note(exchange, variation, variations.length > 0, 0);
  }

  /** Uses up the limit by equal reads that go out together. */
  async #sendTogether(size: number): Promise<void> {
    const { sender } = this.#parts;
    const send = () => sender.send(this.#probe, undefined, { variations: [], attempt: 0, burst: 'fill' });
    const exchanges = await Promise.all(Array.from({ length: size }, send));
    for (const exchange of exchanges) this.#note(exchange, undefined, false, size - 1);
    this.#surplus.skipped();
  }

  /** @param beside requests that went out together with it */
  #note(
    exchange: Exchange | undefined,
    variation: Variation | undefined,
    isRound: boolean,
    beside: number,
  ): void {
    if (exchange) this.#remember(exchange);
    this.#tell(exchange?.rate.remaining);
    const status = exchange?.response?.status;
    const isPlain = !isRound && !variation;
    const isThrough = isLetThrough(exchange, this.#usualStatus);
    const isBroken = isPlain && !isThrough && exchange !== undefined && isServerError(exchange);
    // Of several at once, one may have waited too long for the others.
    const isLost = beside > 0 && exchange !== undefined && status === undefined;
    if (isLost) return;
    if (isThrough) this.#use.add(exchange, beside);
    // A service may reject a varied request, or fail to answer it, for another reason.
    else if (!isBroken || this.#isBroken)
      this.#isRefused ||= status === 429 || isPlain || (!isRound && status === undefined);
    if (isPlain) this.#isBroken = isBroken;
    this.#isRoundFailed ||= isRound && !isThrough;
  }

  /** Sends what shows more than another repetition. */
  async #sendSurplus(probe: Probe): Promise<void> {
    const { variations = [] } = probe;
    const exchange = await this.#parts.sender.send(probe, undefined, {
      variations,
      attempt: 0,
      isSpare: true,
    });
    const isUsed = this.#surplus.received(probe, exchange, true);
    this.#isRoundNext = true;
    if (!exchange) return;
    this.#remember(exchange);
    this.#tell(exchange.rate.remaining);
    this.#isRefused ||= exchange.response?.status === 429;
    if (isUsed && exchange.response && !this.#isRefused) this.#use.add(exchange, 0);
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

  /** How many plain reads have to go out together now: 1 as long as one at a time will do. */
  get #fillSize(): number {
    const { learnt, clock } = this.#parts;
    const left = this.#left;
    if (left === undefined) return 1;
    const rest = restOf(
      ofOperation(learnt.exchanges, this.#probe.operation),
      { left, limit: this.#limit },
      clock.now(),
    );
    return fillSize(rest, mostTogether(this.#parts), !this.#mayVary);
  }

  /** Whether Remaining says how much is left of a minute. */
  get #isCountedDown(): boolean {
    const last = lastOf(this.#parts.learnt.exchanges, this.#probe.operation);
    return this.#countsDown && last !== undefined && windowOf(last, this.#parts.learnt.limits) === 'minute';
  }

  get #isNear(): boolean {
    const left = this.#left;
    return left !== undefined && left <= NEAR;
  }

  /** Whether the next request may be another one: once Remaining shows that it counts repetitions, until near the limit. */
  get #mayVary(): boolean {
    const isCounted =
      this.#isQuick && this.#countsDown && this.#use.isCounted && this.#sent.length >= PLAIN_FIRST;
    return isCounted && (this.#left ?? 0) > 0;
  }

  /** The first rounds come first; near the limit, the others come in turn with what is new. */
  get #isRoundDue(): boolean {
    const isLeft = this.#round < (this.#probe.rounds?.length ?? 0) && !this.#isRoundFailed;
    return isLeft && (this.#round < FIRST_ROUNDS || (this.#isRoundNext && this.#isNear));
  }

  #nextSurplus(): Probe | undefined {
    // Without a Remaining that describes the minute, nothing shows which other requests count.
    return this.#mayVary
      ? this.#surplus.next(!this.#isCountedDown, this.#parts.learnt.creations.left > 0)
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
    return nextVariation(this.#sent, this.#left ?? 0, this.#limit, this.#probe.lenient);
  }

  /** Requests that the limit still allows, if the headers or our own count tell. */
  get #left(): number | undefined {
    const to = { operation: this.#probe.operation, address: 'baseUrl' } as const;
    return this.#parts.pace.remaining(to, this.#parts.clock.now());
  }
}

function isQuick(exchange: Exchange | undefined): boolean {
  return exchange !== undefined && exchange.receivedAt - exchange.sentAt <= QUICK_MS;
}
