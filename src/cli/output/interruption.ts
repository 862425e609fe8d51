const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * The first Ctrl-C (or SIGTERM) is taken as the wish to finish with what is known, and calls `onFirst`; the second ends
 * the process at once, as it would without petspec's doing. `release` gives both back to the system.
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
