import { clip } from '../model/visible.ts';
import type { ClientEnd } from '../traffic/client-check.ts';
import { VARIABLES } from './command.ts';
import type { Client, Service } from './run-client.ts';

/**
 * A client that is a function in this process. It gets the addresses and the key as its argument, and in the environment
 * variables of {@link VARIABLES} while it runs: two of them must not run at the same time (`oneAfterAnother`). It cannot be
 * ended: where a command is ended, it is left behind.
 */
export function functionClient(use: (service: Service) => unknown): Client {
  return async (service, signal) => {
    const before = { ...process.env };
    for (const name of ['baseUrl', 'apiUrl', 'apiKey'] as const) process.env[VARIABLES[name]] = service[name];
    try {
      return await Promise.race([ended(use, service), aborted(signal)]);
    } finally {
      for (const name of Object.values(VARIABLES)) restore(name, before[name]);
    }
  };
}

/** What uses the environment of this process now, and all that waits for it. */
let lastTurn: Promise<unknown> = Promise.resolve();

/** Runs what uses function clients once all that was asked for earlier has ended: there is only one environment. */
export function oneAfterAnother<T>(use: () => Promise<T>): Promise<T> {
  const turn = lastTurn.then(use);
  lastTurn = turn.catch(() => {});
  return turn;
}

async function ended(use: (service: Service) => unknown, service: Service): Promise<ClientEnd> {
  try {
    await use(service);
    return { kind: 'ended', words: 'it returned' };
  } catch (error) {
    const words = (error instanceof Error ? error.message : String(error)).replaceAll(
      service.apiKey,
      '[key]',
    );
    return { kind: 'failed', words: `it threw: ${clip(words, 200)}` };
  }
}

function aborted(signal: AbortSignal): Promise<ClientEnd> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(signal.reason), { once: true });
  });
}

function restore(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}
