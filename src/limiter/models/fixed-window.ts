import { afterCount } from './headers.ts';
import {
  anyOf,
  type Figures,
  isMisfit,
  type Misfit,
  type Model,
  type Observation,
  type State,
} from './model.ts';
import { common, keyOf, type Span, without } from './span.ts';

/** All requests come back at once when the window ends; Reset is that time. Windows begin at any time. */
export const fixedWindow: Model = {
  name: 'fixed window',
  surprise: 0,
  counting: 'any',
  start: (figures, first) => [unknownWindow(figures, first)],
};

/** A window before the first observation. */
function unknownWindow(figures: Figures, first: Observation): FixedWindow {
  return new FixedWindow(figures, { lo: 0, hi: figures.limit + figures.burst }, anyEnd(first, figures));
}

/** When a window that is open at an observation may end. */
export function anyEnd({ at }: Observation, { windowMs }: Figures): Span {
  return { lo: at.lo, hi: at.hi + windowMs };
}

class FixedWindow implements State {
  readonly left: Span;
  readonly end: Span;
  /** How many windows have begun since the first. */
  readonly begun: number;
  readonly #figures: Figures;

  constructor(figures: Figures, left: Span, end: Span, begun = 0) {
    this.#figures = figures;
    this.left = left;
    this.end = end;
    this.begun = begun;
  }

  get key(): string {
    return keyOf(this.left, this.end);
  }

  follow(observation: Observation, weight: number): readonly FixedWindow[] | Misfit {
    const { at } = observation;
    const ways: (readonly FixedWindow[] | Misfit)[] = [];
    const open = common(this.end, { lo: at.lo, hi: Number.POSITIVE_INFINITY });
    if (open) ways.push(this.#count(observation, this.left, open, weight));
    const { limit, burst } = this.#figures;
    const full = { lo: limit + burst, hi: limit + burst };
    if (at.hi >= this.end.lo)
      ways.push(this.#next().#count(observation, full, anyEnd(observation, this.#figures), weight));
    return anyOf(ways) as readonly FixedWindow[] | Misfit;
  }

  with(left: Span): FixedWindow {
    return new FixedWindow(this.#figures, left, this.end, this.begun);
  }

  #next(): FixedWindow {
    return new FixedWindow(this.#figures, this.left, this.end, this.begun + 1);
  }

  #count(observation: Observation, before: Span, end: Span, weight: number): readonly FixedWindow[] | Misfit {
    const { limit, burst } = this.#figures;
    const left = afterCount(observation, without(before, observation.others), weight, burst);
    if ('kind' in left) return left;
    const { reset } = observation;
    // A window without requests may not have begun, so its Reset is only what it would be.
    const isUnused = left.lo === limit + burst;
    if (reset === undefined || isUnused) return [new FixedWindow(this.#figures, left, end, this.begun)];
    const endByReset = common(end, reset);
    if (!endByReset) return { kind: 'reset', expected: end };
    return [new FixedWindow(this.#figures, left, endByReset, this.begun)];
  }
}

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

/**
 * Two nodes that count what they let through, and learn of each other's requests later. The Remaining of a node is too high by the
 * requests that it has not learned of yet. To keep the limit together, that is at most what is left.
 */
export const twoNodes: Model = {
  name: 'fixed window, counted by two nodes',
  surprise: 6,
  counting: 'every',
  start: (figures, first) => [new Nodes(figures, unknownWindow(figures, first), NEW_WINDOW)],
};

/** Instead of the Remaining of a node that has sent none in this window. */
const NO_REMAINING = Number.POSITIVE_INFINITY;

/** The last Remaining of each node, the higher one first. */
type LastRemainings = readonly [higher: number, lower: number];

const NEW_WINDOW: LastRemainings = [NO_REMAINING, NO_REMAINING];

class Nodes implements State {
  readonly #figures: Figures;
  readonly #window: FixedWindow;
  readonly #last: LastRemainings;

  constructor(figures: Figures, window: FixedWindow, last: LastRemainings) {
    this.#figures = figures;
    this.#window = window;
    this.#last = last;
  }

  get left(): Span {
    return this.#window.left;
  }

  get key(): string {
    return `${this.#window.key} ${this.#last}`;
  }

  follow(observation: Observation, weight: number): readonly State[] | Misfit {
    const { remaining, ...withoutRemaining } = observation;
    const windows = this.#window.follow(withoutRemaining, weight);
    if (isMisfit(windows)) return windows;
    return anyOf(
      windows.map((window) => {
        const last = window.begun > this.#window.begun ? NEW_WINDOW : this.#last;
        if (remaining === undefined) return [new Nodes(this.#figures, window, last)];
        return this.#respond(window, last, remaining, observation, weight);
      }),
    );
  }

  /** Takes the response for that of the node with the lower last Remaining if possible, else of the other node. */
  #respond(
    window: FixedWindow,
    [higher, lower]: LastRemainings,
    remaining: number,
    { outcome, others }: Observation,
    weight: number,
  ): readonly State[] | Misfit {
    const counted = outcome === 'let-through' ? weight : 0;
    const [before, otherNode] = remaining <= lower - counted ? [lower, higher] : [higher, lower];
    const most = Math.min(before, this.#figures.limit) - counted;
    // Behind a load balancer, each node gets requests that count.
    const isNode = before < NO_REMAINING || counted + others > 0;
    const left = common(window.left, { lo: Math.ceil(remaining / 2), hi: remaining });
    if (!isNode || remaining > most || !left)
      return { kind: 'remaining', expected: { lo: window.left.lo, hi: Math.min(most, 2 * window.left.hi) } };
    const last: LastRemainings = remaining > otherNode ? [remaining, otherNode] : [otherNode, remaining];
    return [new Nodes(this.#figures, window.with(left), last)];
  }
}
