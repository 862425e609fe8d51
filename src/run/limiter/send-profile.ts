import type { ProfileExchange, ProfileRole } from '../../judge/limiter/profile/statement.ts';
import { type Exchange, isSuccess } from '../../model/exchange.ts';
import { secondsToReset } from '../../model/limits/rate-plan.ts';
import type { Probe } from '../../model/probe.ts';
import type { Parts } from '../../session/parts/parts.ts';
import type { ProfileProbes } from './profile-probes.ts';

/** How often a kind of request is sent between two meters. */
export const TIMES = 2;

/** How often a kind of request is measured, if a window ends meanwhile. */
export const MOST_TRIES = 2;

/** Requests that are kept for the time after the limit. */
const KEPT = 4;

/** The longest pause within a window (s). */
const MOST_PAUSE_S = 20;

/** The share of the remaining requests that is used before the pause. */
const BEFORE_PAUSE = 3 / 4;

/** After a refusal, what comes back is watched for at least this time (s): a bucket may give back one request a second. */
const LEAST_WATCH_S = 5;

/** After so many failed reads in a row no more are sent: a limiter may refuse with 503, and more requests show no more. */
const MOST_FAILURES = 3;

/** How much longer (s) a window is waited for than its Reset says, which may be rounded. */
const MARGIN_S = 1;

type ProfileParts = Pick<Parts, 'sender' | 'end' | 'learnt' | 'budget' | 'clock' | 'unsent'>;

/**
 * Sends the requests of a profile: reads to choose one, then what each kind of request takes, then as many as reach the limit,
 * with a pause in the middle, which tells windows from buckets, and the first ones afterwards.
 */
export class ProfileSession {
  readonly #parts: ProfileParts;
  readonly #probes: ProfileProbes;
  #waits: number;
  readonly sent: ProfileExchange[] = [];

  /** @param mostWaits how often a window may be waited for so that there is room to measure with */
  constructor(parts: ProfileParts, probes: ProfileProbes, mostWaits: number) {
    this.#waits = mostWaits;
    this.#parts = parts;
    this.#probes = probes;
  }

  /** @returns why it ended early, in words; undefined if it did not */
  async send(): Promise<string | undefined> {
    const meter = await this.#chooseMeter();
    if (!meter) return this.#whyNot() ?? this.#noSuccess;
    if (this.#remaining !== undefined) await this.#measure(meter);
    if (this.#isReachable(meter)) await this.#reach(meter);
    return this.#whyNot();
  }

  get #noSuccess(): string {
    const { operation = '', response, failure } = this.#last?.exchange ?? {};
    if (operation === '') return 'the document has no read that could be sent';
    return `no read succeeded: ${operation} got ${response?.status ?? failure?.message ?? 'no response'}`;
  }

  get #last(): ProfileExchange | undefined {
    return this.sent.at(-1);
  }

  get #remaining(): number | undefined {
    return this.#last?.exchange.rate.remaining;
  }

  get #left(): number {
    return this.#parts.budget.left('withKey');
  }

  /** Why something was not sent: the run ended, or a wait was too long. */
  #whyNot(): string | undefined {
    const { end, unsent } = this.#parts;
    return (end.reason ?? unsent.all.find(({ kind }) => kind === 'wait-too-long'))?.reason;
  }

  async #send(probe: Probe, role: ProfileRole): Promise<Exchange | undefined> {
    const exchange = await this.#parts.sender.send(probe);
    if (exchange) this.sent.push({ exchange, probe, role });
    return exchange;
  }

  /** Tries each read twice: the first whose Remaining falls is the meter, or else the first that succeeds. */
  async #chooseMeter(): Promise<Probe | undefined> {
    let first: Probe | undefined;
    for (const probe of this.#probes.reads) {
      let before = await this.#send(probe, 'try');
      // The key was used up before: the next request waits for the time that the refusal states.
      if (before?.response?.status === 429) before = await this.#send(probe, 'try');
      if (!before?.response) return first;
      if (!isSuccess(before)) continue;
      const after = await this.#send(probe, 'try');
      first ??= probe;
      const [was, is] = [before.rate.remaining, after?.rate.remaining];
      if (after?.response?.status === 429 || was === undefined || (is !== undefined && is < was))
        return probe;
    }
    return first;
  }

  async #measure(meter: Probe): Promise<void> {
    await this.#read(meter);
    const { 'wrong-key': wrongKey, rejected, head, unchanged } = this.#probes.measuring(meter);
    const otherReads = this.#probes.reads.filter(({ operation }) => operation !== meter.operation);
    const kinds: [ProfileRole, Probe | undefined][] = [
      ['wrong-key', wrongKey],
      ['rejected', rejected],
      ['head', head],
      ['unchanged', unchanged],
      ...otherReads.map((read): [ProfileRole, Probe] => ['other', read]),
    ];
    for (const [role, probe] of kinds)
      for (let tries = 0; probe && tries < MOST_TRIES; tries += 1)
        if (await this.#measureKind(probe, role, meter)) break;
  }

  /** Sends a kind of request between two meters. False if the window ended meanwhile, so that nothing is measured. */
  async #measureKind(probe: Probe, role: ProfileRole, meter: Probe): Promise<boolean> {
    if (this.#left < TIMES + 1 + KEPT) return true;
    if (!(await this.#makeRoom(meter))) return true;
    const before = this.#last?.exchange.rate.remaining;
    for (let time = 0; time < TIMES; time += 1) if (!(await this.#send(probe, role))) break;
    const after = (await this.#read(meter))?.rate.remaining;
    return before === undefined || (after !== undefined && after <= before);
  }

  #read(meter: Probe): Promise<Exchange | undefined> {
    return this.#send(meter, 'meter');
  }

  /** Waits for the reset if too few requests remain to measure with. @returns whether there is room */
  async #makeRoom(meter: Probe): Promise<boolean> {
    const last = this.#last?.exchange;
    const { remaining } = last?.rate ?? {};
    if (!last || remaining === undefined || remaining > TIMES + 1) return true;
    const seconds = secondsToReset(last);
    if (seconds === undefined) return true;
    if (this.#waits === 0) return false;
    this.#waits -= 1;
    const ms = Math.max(0, seconds + MARGIN_S) * 1_000;
    if (await this.#parts.end.waitFor(ms, 'too few requests are left to measure with')) return false;
    await this.#read(meter);
    return true;
  }

  /** Whether the budget reaches the limit, according to the headers. */
  #isReachable({ operation }: Probe): boolean {
    const last = this.sent.findLast(({ exchange }) => exchange.operation === operation);
    return (last?.exchange.rate.remaining ?? 0) + KEPT < this.#left;
  }

  /** Uses up the limit: once more if no Reset says when it comes back, and again if no Remaining says how much. */
  async #reach(meter: Probe): Promise<void> {
    const { remaining, reset } = this.#last?.exchange.rate ?? {};
    const letThrough = await this.#fill(meter, remaining ?? 0, this.#pauseByReset());
    if (letThrough === undefined || !(await this.#send(meter, 'after'))) return;
    await this.#send(meter, 'after');
    if (reset !== undefined) {
      // A sliding limiter gives back more meanwhile, and a window does not.
      await this.#pause(Math.max(LEAST_WATCH_S, this.#pauseByReset()));
      await this.#send(meter, 'after');
      return;
    }
    const wait = this.sent.findLast(({ exchange }) => exchange.response?.status === 429)?.exchange.rate
      .retryAfter;
    const pauseS = wait === undefined ? LEAST_WATCH_S : Math.min(wait / 2, MOST_PAUSE_S);
    const isRefused = (await this.#fill(meter, this.#remaining ?? letThrough - 2, pauseS)) !== undefined;
    if (!isRefused || wait === undefined || remaining !== undefined)
      return void (await this.#send(meter, 'after'));
    await this.#fill(meter, 0, 0);
  }

  /** A third of the time until the reset (s), as a pause between two groups of requests. */
  #pauseByReset(): number {
    const last = this.#last?.exchange;
    const away = last ? (secondsToReset(last) ?? 0) : 0;
    return Math.max(0, Math.min(away / 3, MOST_PAUSE_S));
  }

  async #pause(seconds: number): Promise<void> {
    if (seconds > 0) await this.#parts.end.waitFor(seconds * 1_000, 'to see what comes back with time');
  }

  /**
   * Sends reads until a read is refused, or several in a row fail.
   * @param expected how many it may take
   * @param pauseS the pause when most of them are used
   * @returns how many were let through before the refusal; undefined if none was refused
   */
  async #fill(meter: Probe, expected: number, pauseS: number): Promise<number | undefined> {
    const pauseAfter = Math.floor(expected * BEFORE_PAUSE);
    let failures = 0;
    for (let count = 0; this.#left > KEPT; count += 1) {
      if (count === pauseAfter) await this.#pause(pauseS);
      const exchange = await this.#send(meter, 'fill');
      if (!exchange?.response) return undefined;
      if (exchange.response.status === 429) return count;
      failures = isSuccess(exchange) ? 0 : failures + 1;
      if (failures === MOST_FAILURES) return undefined;
    }
    return undefined;
  }
}
