import { eachWith } from './likeliest.ts';
import { anyOf, isMisfit, type Misfit, type Model, type Observation, type State } from './model.ts';
import { common, type Span } from './span.ts';

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
