import type { Reason, Stopped } from '../../model/exchange.ts';
import type { Progress, SessionOptions } from './types.ts';

/** Decides when a run ends: when its time is over, when something stops it, or when its user does. */
export class EndOfRun {
  readonly #options: SessionOptions;
  /** ms since the epoch. */
  readonly deadline: number;
  #stopped: Stopped | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.deadline = (options.begunAt ?? options.clock.now()) + options.most.seconds * 1000;
  }

  get stopped(): Stopped | undefined {
    return this.#stopped;
  }

  get isInterrupted(): boolean {
    return this.#options.signal?.aborted ?? false;
  }

  get isReached(): boolean {
    return this.#stopped !== undefined || this.isInterrupted;
  }

  get msLeft(): number {
    return this.deadline - this.#options.clock.now();
  }

  /** Why nothing more is sent; undefined while the run goes on. */
  get reason(): Reason | undefined {
    if (this.#stopped) return { kind: 'run-stopped', reason: this.#stopped.message };
    return this.isInterrupted ? { kind: 'run-stopped', reason: INTERRUPTED } : undefined;
  }

  /** Ends the run, unless something else already did. */
  stop(stopped: Stopped): void {
    this.#stopped ??= stopped;
  }

  /** Ends the run if it has no more than `ms` left. */
  stopIfOutOfTime(ms = 0): boolean {
    if (ms < this.msLeft) return false;
    const { seconds } = this.#options.most;
    this.stop({
      kind: 'out-of-time',
      message: `the run would take longer than the announced ${seconds} s (--max-time)`,
    });
    return true;
  }

  stopIfInterrupted(): void {
    if (this.isInterrupted) this.stop({ kind: 'interrupted', message: INTERRUPTED });
  }

  /** Waits. Returns why not, if the user does not allow so long a wait or the run has too little time. */
  async waitFor(ms: number, why: string): Promise<Reason | undefined> {
    const { clock, maxWait, signal } = this.#options;
    if (ms > maxWait * 1000) {
      const seconds = Math.ceil(ms / 1000);
      return { kind: 'wait-too-long', reason: `${why}: ${seconds} s, longer than --max-wait ${maxWait} s` };
    }
    if (this.stopIfOutOfTime(ms)) return this.reason;
    const until = clock.now() + ms;
    for (let left = ms; left > 0 && !this.isInterrupted; left = until - clock.now()) {
      this.tell({ kind: 'waiting', seconds: Math.ceil(left / 1000), why });
      await clock.sleep(Math.min(left, 1000), signal);
    }
    return undefined;
  }

  /** Reports progress, with the seconds that the run has left. */
  tell(progress: Progress): void {
    const secondsLeft = Math.max(0, Math.ceil(this.msLeft / 1000));
    this.#options.onProgress?.({ ...progress, secondsLeft });
  }
}

const INTERRUPTED = 'the run was interrupted';
