import type { Clock } from '../../model/clock.ts';

/** Ends a request when its time is over, or when the run is interrupted. */
export interface TimeLimit {
  /** Aborted when the request ends early. */
  signal: AbortSignal;
  /** Rejects when the request ends early: undici heeds a signal only once there is a connection. */
  aborted: Promise<never>;
  isTimedOut(): boolean;
  /** The request is over: its time no longer matters. */
  release(): void;
}

export function limitTime(clock: Clock, ms: number, interruption?: AbortSignal): TimeLimit {
  const over = new AbortController();
  const abort = new AbortController();
  const interrupt = () => abort.abort();
  let isTimedOut = false;
  interruption?.addEventListener('abort', interrupt);
  if (interruption?.aborted) interrupt();
  void clock.sleep(ms, over.signal).then(() => {
    if (over.signal.aborted) return;
    isTimedOut = true;
    abort.abort();
  });
  const aborted = new Promise<never>((_, reject) => {
    abort.signal.addEventListener('abort', () => reject(abort.signal.reason));
  });
  aborted.catch(() => {});
  return {
    signal: abort.signal,
    aborted,
    isTimedOut: () => isTimedOut,
    release() {
      over.abort(null);
      interruption?.removeEventListener('abort', interrupt);
    },
  };
}
