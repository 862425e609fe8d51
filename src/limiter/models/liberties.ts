import { isRejection } from '../observations.ts';
import { fixedWindow } from './fixed-window.ts';
import { anyOf, isMisfit, type Misfit, type Model, type Observation, type State } from './model.ts';
import { slidingCounters } from './sliding/sliding-counter.ts';
import { slidingLog } from './sliding/sliding-log.ts';
import { common, type Span } from './span.ts';
import { tokenBuckets } from './token-bucket.ts';

/** One model per algorithm: buckets and counters round Remaining down. */
const likeliest: readonly Model[] = [
  fixedWindow,
  slidingLog,
  ...[...tokenBuckets, ...slidingCounters].filter(({ isRoundedDown }) => isRoundedDown),
];

/** These models, each with one more liberty. */
function eachWith(liberty: (model: Model) => Model): readonly Model[] {
  return likeliest.map(liberty);
}

/**
 * Limiters that count a request when it arrives, and give it back when it gets a 4xx: it takes nothing off, but its own Remaining, and
 * those of requests beside it, may count it.
 */
export const givenBack: readonly Model[] = eachWith(
  ({ name, start, isGradual = false }): Model => ({
    name: `${name}, a 4xx is given back`,
    surprise: 6,
    counting: 'any',
    ...(isGradual ? { isGradual } : {}),
    isPossible: mayGiveBack,
    start: (figures, first) =>
      start(figures, first).map((state) => new GivenBack(state, isGradual ? figures.windowMs : 0)),
  }),
);

/** So many requests with a 4xx show whether Remaining counts them. */
const TELLING = 3;

/**
 * Whether observations may be explained so: some requests get a 4xx. Of enough such requests that were sent alone, Remaining counts at
 * least one, and it goes on falling after none of them.
 */
function mayGiveBack(observations: readonly Observation[]): boolean {
  const rejections = observations.flatMap((rejected, index) =>
    isRejection(rejected.exchange)
      ? [[observations[index - 1], rejected, observations[index + 1]] as const]
      : [],
  );
  const isCounted = rejections.flatMap(([before, rejected]) =>
    before && areAlone(before, rejected) && !isRejection(before.exchange) ? [falls(before, rejected)] : [],
  );
  const isKept = rejections.some(
    ([_, rejected, next]) => next?.others === 0 && areAlone(rejected, next) && falls(rejected, next),
  );
  return rejections.length > 0 && (isCounted.length < TELLING || isCounted.includes(true)) && !isKept;
}

function falls(before: Observation, after: Observation): boolean {
  return Number(after.remaining) < Number(before.remaining);
}

/** Whether two successive requests were sent alone, the second was let through, and both tell Remaining. */
function areAlone(before: Observation, after: Observation): boolean {
  return (
    before.exchange.inFlight === 1 &&
    after.exchange.inFlight === 1 &&
    after.exchange.sentAt >= before.exchange.receivedAt &&
    after.outcome === 'let-through' &&
    after.remaining !== undefined &&
    before.remaining !== undefined
  );
}

class GivenBack implements State {
  readonly #inner: State;
  /** How long (ms) after a held request Reset may be due to it. */
  readonly #heldResetMs: number;

  constructor(inner: State, heldResetMs: number) {
    this.#inner = inner;
    this.#heldResetMs = heldResetMs;
  }

  get left(): Span {
    return this.#inner.left;
  }

  get key(): string {
    return this.#inner.key;
  }

  follow(observation: Observation, weight: number): readonly State[] | Misfit {
    const isHeld = isRejection(observation.exchange);
    if (isHeld && weight > 0) return { kind: 'remaining', expected: this.left };
    const { outcome } = observation;
    const least = Number(isHeld);
    const ways = Array.from({ length: observation.held + 1 - least }, (_, index) => least + index);
    return anyOf(
      ways.map((held) => {
        const adjusted = this.#withoutHeld(observation, held);
        const states = this.#inner.follow(adjusted, outcome === 'refused' ? weight + held : weight);
        return isMisfit(states) ? states : states.map((state) => new GivenBack(state, this.#heldResetMs));
      }),
    );
  }

  /** The observation as it would be without the held requests. */
  #withoutHeld(observation: Observation, held: number): Observation {
    const { at, remaining, reset } = observation;
    if (held === 0 || remaining === undefined) return observation;
    const heldReset = { lo: at.lo, hi: at.hi + this.#heldResetMs };
    const isHeldReset =
      this.#heldResetMs > 0 && reset !== undefined && common(heldReset, reset) !== undefined;
    if (!isHeldReset) return { ...observation, remaining: remaining + held };
    const { reset: _, ...withoutReset } = observation;
    return { ...withoutReset, remaining: remaining + held };
  }
}

/** Limiters that count a request when it arrives, and read Remaining when they respond, after requests beside it were counted. */
export const readLate: readonly Model[] = lateWith('every');

/** The same, and requests that are rejected for their key count as well. */
export const readLateWithRejected: readonly Model[] = lateWith('rejected-too');

function lateWith(counting: Model['counting']): readonly Model[] {
  return eachWith(
    ({ name, start, isGradual = false }): Model => ({
      name: `${name}, Remaining as of the response`,
      surprise: 6,
      counting,
      ...(isGradual ? { isGradual } : {}),
      isPossible: mayBeRead,
      start: (figures, first) => start(figures, first).map((state) => new ReadLate(state, isGradual)),
    }),
  );
}

/**
 * Whether observations may be explained so: two overlapping requests got the same Remaining. If a request got a Remaining that counts
 * a later one, that later one got no higher Remaining, and so on until two are equal. Not a Remaining of 0: a limiter that lets too
 * many requests through sends it more than once.
 */
function mayBeRead(observations: readonly Observation[]): boolean {
  return observations.some(({ remaining = 0, at, beside }, index) =>
    observations
      .slice(index + 1, index + 1 + beside)
      .some((later) => remaining > 0 && remaining === later.remaining && common(at, later.at) !== undefined),
  );
}

class ReadLate implements State {
  readonly #inner: State;
  readonly #isGradual: boolean;

  constructor(inner: State, isGradual: boolean) {
    this.#inner = inner;
    this.#isGradual = isGradual;
  }

  get left(): Span {
    return this.#inner.left;
  }

  get key(): string {
    return this.#inner.key;
  }

  follow(observation: Observation, weight: number): readonly State[] | Misfit {
    const { outcome, remaining, beside } = observation;
    const most = outcome === 'refused' || remaining === undefined ? 0 : beside;
    const ways = Array.from({ length: most + 1 }, (_, later) => later);
    return anyOf(
      ways.map((later) => {
        const states = this.#inner.follow(this.#asOf(observation, later), weight);
        return isMisfit(states) ? states : states.map((state) => new ReadLate(state, this.#isGradual));
      }),
    );
  }

  /** The observation as of when the request was counted, if `later` more requests were counted before its response. */
  #asOf(observation: Observation, later: number): Observation {
    const { remaining, exchange, at } = observation;
    const adjusted = later === 0 ? {} : { remaining: (remaining ?? 0) + later };
    if (!this.#isGradual) return { ...observation, ...adjusted };
    // Requests come back one by one until the response, and the later requests move Reset.
    const { reset: _, ...withoutReset } = observation;
    const until = { lo: at.lo, hi: Math.max(at.hi, exchange.receivedAt + 1) };
    return { ...(later === 0 ? observation : withoutReset), at: until, ...adjusted };
  }
}
