import { rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { Vite } from 'vitest/node';
import { readingOf, realClock } from '../model/clock.ts';
import type { Job } from '../run/job.ts';
import { openFront, secret } from './ui-front.ts';
import { makeScratch, noteListeners, suiteConfig } from './vitest-run.ts';

/**
 * Opens the conformance suite in the vitest UI until `signal` aborts. A test that is run again there is judged from the
 * ledger, so petspec sends nothing twice. The UI cannot write files.
 * @param onReady gets the address of the page, which works once
 */
export async function openInVitestUi(
  job: Job,
  signal: AbortSignal,
  onReady: (address: string) => void,
): Promise<void> {
  const { createVitest, isValidApiRequest } = await import('vitest/node');
  const scratch = makeScratch();
  const { options, vite } = suiteConfig(scratch, { ...job, isResumed: true, since: readingOf(realClock) });
  const removeListeners = noteListeners();
  // vitest does not listen on a port: the front calls its pages, and hands it the websockets.
  const api = { middlewareMode: true, allowWrite: false, allowExec: true };
  const base = `/${secret()}/`;
  const upgrades = createServer();
  const vitest = await createVitest(
    'test',
    { ...options, watch: true, ui: true, uiBase: base, open: false, api, reporters: [{}] },
    { ...vite, plugins: [waitingAt(upgrades)] },
  );
  removeListeners();
  try {
    await vitest.start();
    const front = await openFront({
      base,
      page: (request, response) => vitest.vite.middlewares(request, response),
      socketPath: '/__vitest_api__',
      isFromPage: (request) => isValidApiRequest(vitest.config, request),
      socket: (...upgrade) => upgrades.emit('upgrade', ...upgrade),
    });
    onReady(front.address);
    if (!signal.aborted)
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    front.close();
  } finally {
    await vitest.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Gives vite a server for websockets, which it lacks in middleware mode. vitest listens to its upgrades. */
function waitingAt(server: Server): Vite.Plugin {
  return {
    name: 'petspec:upgrades',
    configureServer: {
      order: 'pre',
      handler(vite) {
        vite.httpServer = server;
      },
    },
  };
}
