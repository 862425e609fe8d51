import { eachWith } from './likeliest.ts';
import { anyOf, isMisfit, type Misfit, type Model, type Observation, type State } from './model.ts';
import { common, type Span } from './span.ts';

/**
 * A limiter that counts each request when it arrives, and reads Remaining when it responds: by then it may have counted
 * requests beside it.
 */
export const readLate: readonly Model[] = eachWith(
  ({ name, start, bounds, isGradual = false }): Model => ({
    name: `${name}, Remaining as of the response`,
    surprise: 6,
    counting: 'every',
    ...(isGradual ? { isGradual } : {}),
    isPossible: mayBeRead,
    // Remaining is exact at another time between the request and its response: what holds in every order holds of it too.
    ...(bounds ? { bounds } : {}),
    start: (figures, first) => start(figures, first).map((state) => new ReadLate(state)),
  }),
);

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

  constructor(inner: State) {
    this.#inner = inner;
  }

  get left(): Span {
    return this.#inner.left;
  }

  get key(): string {
    return this.#inner.key;
  }

  covers(other: ReadLate): boolean {
    return this.#inner.covers(other.#inner);
  }

  follow(observation: Observation, weight: number): readonly State[] | Misfit {
    const { outcome, remaining, beside } = observation;
    const most = outcome === 'refused' || remaining === undefined ? 0 : beside;
    const ways = Array.from({ length: most + 1 }, (_, later) => later);
    return anyOf(
      ways.map((later) => {
        const told = later === 0 ? observation : { ...observation, remaining: (remaining ?? 0) + later };
        const states = this.#inner.follow(told, weight);
        return isMisfit(states) ? states : states.map((state) => new ReadLate(state));
      }),
    );
  }
}
