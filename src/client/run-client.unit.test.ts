import { expect, test } from 'vitest';
import { collectGarbage } from '../../test/collect-garbage.ts';
import { contract } from '../../test/sample-runs.ts';
import { functionClient } from './function.ts';
import { runClient } from './run-client.ts';
import { statedScenario } from './stated-scenario.ts';

const plain = statedScenario('--scenario', 'plain');
const endless = () => new Promise(() => {});

async function endsOf(use: () => unknown, options: { timeout: number; signal: AbortSignal }) {
  const scenarios = [plain, statedScenario('--scenario', 'large-ids')];
  const traffic = await runClient(contract, functionClient(use), { scenarios, ...options });
  return traffic.scenarios.map(({ end }) => end);
}

test('a client that does not end is ended after the time limit, though garbage is collected before', async () => {
  const collecting = () => {
    setImmediate(collectGarbage);
    return endless();
  };
  const ends = await endsOf(collecting, { timeout: 100, signal: new AbortController().signal });
  expect(ends).toEqual(Array(2).fill({ kind: 'stopped', words: 'it was ended after the time limit' }));
});

test('a time limit of months is not over at once', async () => {
  const ends = await endsOf(() => new Promise((resolve) => setTimeout(resolve, 20)), {
    timeout: 100 * 86_400_000,
    signal: new AbortController().signal,
  });
  expect(ends).toEqual(Array(2).fill({ kind: 'ended', words: 'it returned' }));
});

test('a client is ended with the run, and not run again', async () => {
  const interruption = new AbortController();
  const interrupting = () => {
    setImmediate(() => interruption.abort());
    return endless();
  };
  const ends = await endsOf(interrupting, { timeout: 60_000, signal: interruption.signal });
  expect(ends).toEqual([{ kind: 'stopped', words: 'it was ended with the run' }]);
});
