import { isRejection } from '../observations.ts';
import { eachWith } from './likeliest.ts';
import { anyOf, isMisfit, type Misfit, type Model, type Observation, type State } from './model.ts';
import { common, type Span } from './span.ts';

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
