import { type FixedWindow, unknownWindow } from './fixed-window.ts';
import { anyOf, isMisfit, type Misfit, type Model, type Observation, type State } from './model.ts';
import { keyOf, type Span } from './span.ts';

const SECOND_MS = 1_000;

/** A fixed window whose Remaining is read once a second, and stays the same until the next reading. */
export const frozenSecond: Model = {
  name: 'fixed window, Remaining up to a second old',
  surprise: 6,
  counting: 'every',
  isDelayed: true,
  start: (figures, first) => [new Frozen(unknownWindow(figures, first))],
};

interface TakenRemaining {
  value: number;
  at: Span;
}

class Frozen implements State {
  readonly #window: FixedWindow;
  readonly #taken: TakenRemaining | undefined;

  constructor(window: FixedWindow, taken?: TakenRemaining) {
    this.#window = window;
    this.#taken = taken;
  }

  get left(): Span {
    return this.#window.left;
  }

  get key(): string {
    return `${this.#window.key} ${this.#taken ? `${this.#taken.value},${keyOf(this.#taken.at)}` : ''}`;
  }

  follow(observation: Observation, weight: number): readonly State[] | Misfit {
    const { remaining, ...withoutRemaining } = observation;
    const windows = this.#window.follow(withoutRemaining, weight);
    if (isMisfit(windows)) return windows;
    return anyOf(
      windows.flatMap((window): (readonly State[] | Misfit)[] => {
        const taken = this.#takenIn(window);
        if (remaining === undefined) return [[new Frozen(window, taken)]];
        return [kept(window, taken, observation), taking(window, taken, observation)];
      }),
    );
  }

  /** In a new window, Remaining may be read again at once. */
  #takenIn(window: FixedWindow): TakenRemaining | undefined {
    const taken = this.#taken;
    if (!taken || window.begun === this.#window.begun) return taken;
    return { ...taken, at: { lo: Number.NEGATIVE_INFINITY, hi: taken.at.hi } };
  }
}

function kept(
  window: FixedWindow,
  taken: TakenRemaining | undefined,
  { at, remaining }: Observation,
): readonly State[] | Misfit {
  if (taken && at.lo - taken.at.hi <= SECOND_MS && taken.value === remaining)
    return [new Frozen(window, taken)];
  return { kind: 'remaining', expected: taken ? { lo: taken.value, hi: taken.value } : window.left };
}

function taking(
  window: FixedWindow,
  taken: TakenRemaining | undefined,
  { at, outcome, remaining = 0, exchange }: Observation,
): readonly State[] {
  // A refusal needs the count itself, and tells it, whichever window is used up.
  const isRefusal = outcome === 'refused' || exchange.response?.status === 429;
  const isDue = !taken || isRefusal || at.hi - taken.at.lo >= SECOND_MS;
  if (!isDue || remaining < window.left.lo || remaining > window.left.hi) return [];
  return [new Frozen(window.with({ lo: remaining, hi: remaining }), { value: remaining, at })];
}
