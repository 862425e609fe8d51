import { isRejection } from '../observations.ts';
import { eachWith } from './likeliest.ts';
import { anyOf, isMisfit, type Misfit, type Model, type Observation, type State } from './model.ts';
import { common, type Span } from './span.ts';

/**
 * A limiter that counts each request when it arrives, and gives it back once it is answered with a 4xx: it takes nothing
 * off, but its own Remaining, and those of requests beside it, may count it.
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

/** So many requests that get a 4xx show whether Remaining counts any. */
const TELLING = 3;

/**
 * Whether a run may show it: some requests get a 4xx. Of those that were sent alone, if there are enough, Remaining counts
 * at least one, and after none it goes on falling.
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

/** Whether nothing else of the run was in flight with two requests, and both tell Remaining. */
function areAlone(one: Observation, next: Observation): boolean {
  return (
    one.exchange.inFlight === 1 &&
    next.exchange.inFlight === 1 &&
    next.exchange.sentAt >= one.exchange.receivedAt &&
    next.outcome === 'let-through' &&
    next.remaining !== undefined &&
    one.remaining !== undefined
  );
}

class GivenBack implements State {
  readonly #inner: State;
  /** How long (ms) after a request that is held Reset may be its own. */
  readonly #ownResetMs: number;

  constructor(inner: State, ownResetMs: number) {
    this.#inner = inner;
    this.#ownResetMs = ownResetMs;
  }

  get left(): Span {
    return this.#inner.left;
  }

  get key(): string {
    return this.#inner.key;
  }

  follow(observation: Observation, weight: number): readonly State[] | Misfit {
    const isOwn = isRejection(observation.exchange);
    if (isOwn && weight > 0) return { kind: 'remaining', expected: this.left };
    const { outcome } = observation;
    const least = Number(isOwn);
    const ways = Array.from({ length: observation.held + 1 - least }, (_, index) => least + index);
    return anyOf(
      ways.map((held) => {
        const told = this.#withoutHeld(observation, held);
        const states = this.#inner.follow(told, outcome === 'refused' ? weight + held : weight);
        return isMisfit(states) ? states : states.map((state) => new GivenBack(state, this.#ownResetMs));
      }),
    );
  }

  /** What the limiter would have told without the requests that it held. */
  #withoutHeld(observation: Observation, held: number): Observation {
    const { at, remaining, reset } = observation;
    if (held === 0 || remaining === undefined) return observation;
    const own = { lo: at.lo, hi: at.hi + this.#ownResetMs };
    const isOwn = this.#ownResetMs > 0 && reset !== undefined && common(own, reset) !== undefined;
    if (!isOwn) return { ...observation, remaining: remaining + held };
    const { reset: _, ...others } = observation;
    return { ...others, remaining: remaining + held };
  }
}
