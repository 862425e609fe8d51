const DAY = 86_400_000;

/** Requests that a key may send. */
export interface Plan {
  perMinute: number;
  perDay: number;
}

export const FREE: Plan = { perMinute: 60, perDay: 1_000 };

/** The limiter's decision on a request. Times are in ms since the epoch. */
export interface Quota {
  isGranted: boolean;
  limit: number;
  remaining: number;
  resetsAt: number;
}

/** A count that restarts a fixed time after its first request. */
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

  /** Opens a new window if the last one has ended. */
  roll(now: number): void {
    if (now < this.resetsAt) return;
    this.remaining = this.limit;
    this.resetsAt = now + this.#length;
  }
}

/** The minute and day limits of the key, over both addresses. A rejected request counts toward neither. */
export class Limiter {
  readonly #minute: Window;
  readonly #day: Window;

  /** @param minute length of the minute in ms; shorter for tests */
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

  /** The quota for a caller without a key: the limits, but not how much of them is used. */
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
