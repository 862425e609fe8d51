import { MessageChannel } from 'node:worker_threads';
import type { PoolRunnerInitializer } from 'vitest/node';
import { init, runBaseTests, setupEnvironment } from 'vitest/worker';

/**
 * A pool of vitest that runs the tests in this thread. petspec is loaded here already, and a thread of its own would
 * load it again. Messages are copied, as between threads. For one run of vitest at a time.
 */
export const sameThread: PoolRunnerInitializer = {
  name: 'same-thread',
  createPoolWorker() {
    const { port1: vitest, port2: tests } = new MessageChannel();
    return {
      name: 'same-thread',
      on: (event, callback) => void vitest.on(event, callback),
      off: (event, callback) => void vitest.off(event, callback),
      send: (message) => vitest.postMessage(message),
      deserialize: (data) => data,
      async start() {
        init({
          post: (message) => tests.postMessage(message),
          on: (callback) => void tests.on('message', callback),
          off: (callback) => void tests.off('message', callback),
          setup: setupEnvironment,
          runTests: (state, traces) => keepingExit(() => runBaseTests('run', state, traces)),
          collectTests: (state, traces) => keepingExit(() => runBaseTests('collect', state, traces)),
        });
      },
      async stop() {
        tests.close();
      },
    };
  },
};

/** Vitest makes `process.exit` throw in the thread of the tests. Here it has to end petspec, as on a second Ctrl-C. */
function keepingExit(start: () => Promise<void>): Promise<void> {
  const { exit } = process;
  const done = start();
  process.exit = exit;
  return done;
}
