const DAY = 86_400_000;

/** Requests that a key may send. */
export interface Plan {
  perMinute: number;
  perDay: number;
}

export const FREE: Plan = { perMinute: 60, perDay: 1_000 };

/** What the limiter says of a request. Times in ms since the epoch. */
export interface Quota {
  isGranted: boolean;
  limit: number;
  remaining: number;
  resetsAt: number;
}

/** A count that starts again some time after its first request. */
class Window {
  readonly limit: number;
  remaining: number;
  resetsAt = 0;
  readonly #length: number;

  constructor(limit: number, length: number) {
    this.limit = limit;
    this.remaining = limit;
    this.#length = length;
  }

  /** Opens a new window where the last one is over. */
  roll(now: number): void {
    if (now < this.resetsAt) return;
    this.remaining = this.limit;
    this.resetsAt = now + this.#length;
  }
}

/** The two limits of the one key, over both addresses. A refused request counts in neither. */
export class Limiter {
  readonly #minute: Window;
  readonly #day: Window;

  /** @param minute how long the minute is, in ms; shorter ones are for tests */
  constructor(plan: Plan, minute: number) {
    this.#minute = new Window(plan.perMinute, minute);
    this.#day = new Window(plan.perDay, DAY);
  }

  /** Counts a request. */
  take(now: number): Quota {
    const tightest = this.#tightest(now);
    if (tightest.remaining === 0) return { ...quotaOf(tightest), isGranted: false };
    this.#minute.remaining -= 1;
    this.#day.remaining -= 1;
    return quotaOf(this.#tightest(now));
  }

  /** What a caller without a key is told: the limits, and nothing of how far the key is used. */
  describe(now: number): Quota {
    const { limit, resetsAt } = this.#tightest(now);
    return { isGranted: true, limit, remaining: limit, resetsAt };
  }

  #tightest(now: number): Window {
    this.#minute.roll(now);
    this.#day.roll(now);
    return this.#day.remaining < this.#minute.remaining ? this.#day : this.#minute;
  }
}

function quotaOf({ limit, remaining, resetsAt }: Window): Quota {
  return { isGranted: true, limit, remaining, resetsAt };
}
