import { eachWith } from './likeliest.ts';
import { anyOf, isMisfit, type Misfit, type Model, type Observation, type State } from './model.ts';
import { common, type Span } from './span.ts';

/**
 * Limiters that count each request when it arrives, and read Remaining when they respond: by then they may have counted
 * requests beside it.
 */
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
 * Whether a run may show it: two requests beside each other are told the same. If one was told what another has taken, then
 * the last that was counted by then was told no more than that, and so on until two are told the same. That none are left is told
 * to more than one by limiters that let too many through.
 */
function mayBeRead(observations: readonly Observation[]): boolean {
  return observations.some((one, index) =>
    observations
      .slice(index + 1, index + 1 + one.beside)
      .some(
        (other) =>
          (one.remaining ?? 0) > 0 &&
          one.remaining === other.remaining &&
          common(one.at, other.at) !== undefined,
      ),
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

  /** What the limiter would have told when it counted a request, if it had counted so many later ones when it responded. */
  #asOf(observation: Observation, later: number): Observation {
    const { remaining, exchange, at } = observation;
    const told = later === 0 ? {} : { remaining: (remaining ?? 0) + later };
    if (!this.#isGradual) return { ...observation, ...told };
    // What comes back one by one does so until the response, and the later ones move Reset.
    const { reset: _, ...others } = observation;
    const until = { lo: at.lo, hi: Math.max(at.hi, exchange.receivedAt + 1) };
    return { ...(later === 0 ? observation : others), at: until, ...told };
  }
}
