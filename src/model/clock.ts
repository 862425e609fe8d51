import { expecting, type Rule, UsageError } from './usage-error.ts';

/** The time. The session, every timeout and the bundled reference share one clock. All values are milliseconds. */
export interface Clock {
  /** Time since the Unix epoch. It jumps when the clock of the machine is set. */
  now(): number;
  /** Time since some moment in the past. It never jumps, so it measures durations. */
  elapsed(): number;
  /** Resolves after `ms`, or at once when `signal` aborts; `Infinity` waits for the signal only. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls `end` after `ms`, unless the returned function is called before. A cheaper `sleep`. */
  timer(ms: number, end: () => void): () => void;
  /** A request is in flight: virtual time stands still until the returned function is called, once. */
  hold(): (outcome: 'answered' | 'abandoned') => void;
  /** `sleep` on the server's side: the request that waits here does not keep virtual time from moving. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
}

const METHODS: readonly (keyof Clock)[] = ['now', 'elapsed', 'sleep', 'timer', 'hold', 'pause'];

/** Rejects a setting that is not a clock, as callers without types may pass anything. */
export const CLOCK: Rule = expecting('a clock, such as realClock', (value) => {
  if (typeof value !== 'object' || value === null) return false;
  return METHODS.every((name) => typeof (value as Partial<Clock>)[name] === 'function');
});

/** The longest timer of Node (ms), almost 25 days. A longer one would end at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** The clock of this machine. Finite waits are cut to {@link LONGEST_MS}. */
export const realClock: Clock = {
  now: () => Date.now(),
  // `performance.now()` begins anew in each thread.
  elapsed: () => Math.floor(Number(process.hrtime.bigint()) / 1e6),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      // A busy process wakes late, so let it read what has arrived before the time is up.
      const isEndless = ms === Number.POSITIVE_INFINITY;
      const timer = isEndless ? undefined : setTimeout(() => setImmediate(done), Math.min(ms, LONGEST_MS));
      function done() {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      }
      signal?.addEventListener('abort', done);
    }),
  timer(ms, end) {
    let immediate: NodeJS.Immediate | undefined;
    // As in `sleep`: first reads what has arrived.
    const timer = setTimeout(
      () => {
        immediate = setImmediate(end);
      },
      Math.min(ms, LONGEST_MS),
    );
    return () => {
      clearTimeout(timer);
      clearImmediate(immediate);
    };
  },
  hold: () => () => {},
  pause: (ms, signal) => realClock.sleep(ms, signal),
};

export interface ClockReading {
  now: number;
  elapsed: number;
}

export function readingOf(clock: Clock): ClockReading {
  return { now: clock.now(), elapsed: clock.elapsed() };
}

/** A clock whose `now` goes on from one reading by elapsed time, so it does not jump when the machine's clock is set. */
export function steady(clock: Clock, since = readingOf(clock)): Clock {
  return {
    now: () => since.now + clock.elapsed() - since.elapsed,
    elapsed: () => clock.elapsed(),
    sleep: (ms, signal) => clock.sleep(ms, signal),
    timer: (ms, end) => clock.timer(ms, end),
    hold: () => clock.hold(),
    pause: (ms, signal) => clock.pause(ms, signal),
  };
}

interface Sleeper {
  at: number;
  wake: () => void;
}

/**
 * A clock that skips every wait. Time passes only when nothing else can happen.
 *
 * Only `settle` below advances it. Each request in flight holds the clock. A server that stalls on purpose pauses, which
 * releases the hold of its request. When no request holds the clock, it jumps to the earliest sleeper: a timeout of the
 * session, its wait for a window, or the server's delay. Each answered request takes `tick`, so that limiters that
 * refill see time pass.
 *
 * @example
 * const clock = new VirtualClock(Date.now());
 * const reference = await startReference({ clock, apiKey: 'a-key' });
 * const report = await run({ clock, baseUrl: reference.baseUrl, apiKey: 'a-key' });
 */
export class VirtualClock implements Clock {
  #now: number;
  readonly #tick: number;
  #held = 0;
  #paused = 0;
  /** Requests that the session gave up while the server still pauses them; their pauses end a moment later. */
  #abandoned = 0;
  #scheduled = false;
  readonly #sleepers = new Set<Sleeper>();

  /**
   * @param start in ms since the epoch
   * @param tick ms that each answered request takes
   * @throws UsageError if `start` or `tick` is not a finite number
   */
  constructor(start: number, tick = 5) {
    if (![start, tick].every(Number.isFinite))
      throw new UsageError('VirtualClock: expected numbers of ms, such as new VirtualClock(Date.now())');
    this.#now = start;
    this.#tick = tick;
  }

  now(): number {
    return this.#now;
  }

  elapsed(): number {
    return this.#now;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const sleeper: Sleeper = { at: this.#now + Math.max(0, ms), wake: () => done() };
      const done = () => {
        this.#sleepers.delete(sleeper);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      signal?.addEventListener('abort', done);
      this.#sleepers.add(sleeper);
      this.#settle();
    });
  }

  timer(ms: number, end: () => void): () => void {
    let isCancelled = false;
    const sleeper: Sleeper = {
      at: this.#now + Math.max(0, ms),
      wake: () => {
        this.#sleepers.delete(sleeper);
        // In a microtask, as after a `sleep`.
        queueMicrotask(() => {
          if (!isCancelled) end();
        });
      },
    };
    this.#sleepers.add(sleeper);
    this.#settle();
    return () => {
      isCancelled = true;
      this.#sleepers.delete(sleeper);
    };
  }

  hold(): (outcome: 'answered' | 'abandoned') => void {
    this.#held += 1;
    return (outcome) => {
      this.#held -= 1;
      if (outcome === 'answered') this.#now += this.#tick;
      // Time reached the timeout, so every request in flight was paused, and the pause of this one no longer counts.
      if (outcome === 'abandoned' && this.#paused > 0) {
        this.#paused -= 1;
        this.#abandoned += 1;
      }
      this.#settle();
    };
  }

  async pause(ms: number, signal: AbortSignal): Promise<void> {
    this.#paused += 1;
    this.#settle();
    await this.sleep(ms, signal);
    if (this.#abandoned > 0) this.#abandoned -= 1;
    else this.#paused -= 1;
  }

  /** Lets the work that is already queued run first. Then time jumps, if nothing else can happen. */
  #settle(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      if (this.#held > this.#paused) return;
      let next: Sleeper | undefined;
      for (const sleeper of this.#sleepers) if (!next || sleeper.at < next.at) next = sleeper;
      if (!next || next.at === Number.POSITIVE_INFINITY) return;
      this.#now = Math.max(this.#now, next.at);
      next.wake();
      this.#settle();
    });
  }
}
