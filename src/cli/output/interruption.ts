const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** What the first Ctrl-C prints. */
export const INTERRUPTED = 'interrupted: finishing with the results so far (press Ctrl-C again to quit)';

/**
 * On the first Ctrl-C (or SIGTERM) the run finishes with the results so far, and `onFirst` is called. The second Ctrl-C
 * ends the process at once. `release` removes both listeners.
 */
export function heedInterruption(onFirst: () => void): { signal: AbortSignal; release: () => void } {
  const wish = new AbortController();
  const release = () => {
    for (const signal of SIGNALS) process.removeListener(signal, interrupt);
  };
  function interrupt() {
    release();
    wish.abort();
    onFirst();
  }
  for (const signal of SIGNALS) process.on(signal, interrupt);
  return { signal: wish.signal, release };
}
