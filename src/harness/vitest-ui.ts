import { rmSync } from 'node:fs';
import type { Job } from './job.ts';
import { makeScratch, noteSignals, suiteConfig } from './vitest-run.ts';

/**
 * Opens the conformance suite in the vitest UI, on this machine alone, until `signal` aborts. A test that is run again
 * there is judged from the ledger of the run: what was sent is not sent twice.
 * @param onReady is told the address of the page
 */
export async function openInVitestUi(
  job: Job,
  signal: AbortSignal,
  onReady: (address: string) => void,
): Promise<void> {
  const { createVitest } = await import('vitest/node');
  const scratch = makeScratch();
  const { options, vite } = suiteConfig(scratch, { ...job, isResumed: true });
  const leaveSignalsAlone = noteSignals();
  const api = { host: '127.0.0.1' };
  const vitest = await createVitest(
    'test',
    { ...options, watch: true, ui: true, open: false, api, reporters: [{}] },
    vite,
  );
  leaveSignalsAlone();
  try {
    await vitest.start();
    const [local = ''] = vitest.vite.resolvedUrls?.local ?? [];
    onReady(new URL('__vitest__/', local).href);
    if (!signal.aborted)
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  } finally {
    await vitest.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}
