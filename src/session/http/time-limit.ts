import type { Clock } from '../../model/clock.ts';

/** Ends a request when its time is over, or when the run is interrupted. */
export interface TimeLimit {
  /** Rejects when the request ends early; the caller then ends the connection. */
  aborted: Promise<never>;
  isTimedOut(): boolean;
  /** Called when the request is over: stops the timer. */
  release(): void;
}

/** A timer that is this late (ms) shows that the thread was busy. */
const LATE_MS = 250;

/** Starts a time limit of so many ms. @param interruption ends it earlier */
export function limitTime(clock: Clock, ms: number, interruption?: AbortSignal): TimeLimit {
  let end: (error: Error) => void = () => {};
  const aborted = new Promise<never>((_, reject) => {
    end = reject;
  });
  aborted.catch(() => {});
  const interrupt = () => end(new Error('interrupted'));
  let isTimedOut = false;
  interruption?.addEventListener('abort', interrupt);
  if (interruption?.aborted) interrupt();
  const due = clock.now() + ms;
  const timeOut = () => {
    isTimedOut = true;
    end(new Error('timed out'));
  };
  let cancel = clock.timer(ms, () => {
    // A response that arrived while the thread was busy is not read yet.
    const late = clock.now() - due;
    if (late > LATE_MS) cancel = clock.timer(late, timeOut);
    else timeOut();
  });
  return {
    aborted,
    isTimedOut: () => isTimedOut,
    release() {
      cancel();
      interruption?.removeEventListener('abort', interrupt);
    },
  };
}
