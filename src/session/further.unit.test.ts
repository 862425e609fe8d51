import { expect, test } from 'vitest';
import { allChecks } from '../../suites/index.ts';
import { loadContract } from '../contract/load.ts';
import type { Change, LogEntry } from '../reference/index.ts';
import { conductBundled } from '../run/bundled.ts';
import { DEFAULT_OPTIONS, ofBundled } from '../run/options.ts';
import { makePlan } from '../run/plan.ts';

const contract = loadContract();

/** A run with a budget, and the requests with the key that the reference received at the base address. */
async function runWith(budget: number, changes: readonly Change[] = [], more = {}) {
  const options = ofBundled(contract.ratePlans, { ...DEFAULT_OPTIONS, budget, ...more });
  const plan = makePlan(contract, allChecks(contract), options);
  let log: readonly LogEntry[] = [];
  const run = await conductBundled(contract, plan, options, {
    changes,
    start: Date.parse('2026-11-21T12:00:20Z'),
    connections: 'memory',
    onLog: (entries) => {
      log = entries;
    },
  });
  return { run, sent: log.filter(({ key, listener }) => key === 'valid' && listener === 'animals') };
}

test('a budget is used up, one window after the other, and two of them show a 429 of one more operation', async () => {
  const { sent } = await runWith(300);
  expect(sent).toHaveLength(300);
  const refused = sent.filter(({ status }) => status === 429);
  const operations = refused.map(({ operation }) => operation);
  expect(new Set(operations).size).toBe(operations.length);
  expect(operations.length).toBeGreaterThan(1);
  for (const { at, number } of refused) {
    const next = sent.find((each) => each.number > number);
    // The window of the reference ends with the minute.
    if (next) expect(Math.floor(next.at / 60_000)).toBeGreaterThan(Math.floor(at / 60_000));
  }
});

test('without an exhaustion no request is refused', async () => {
  const { sent } = await runWith(200, [], { exhaust: 'none' });
  expect(sent).toHaveLength(200);
  expect(sent.filter(({ status }) => status === 429)).toEqual([]);
});

test('what a further window draws and fails is made simpler', async () => {
  const takesLists: Change = {
    handle: (call, next) => {
      const { body } = call;
      if (call.operation !== 'createPet' || typeof body !== 'object' || body === null || Array.isArray(body))
        return next(call);
      const isLong = Array.isArray(body.name) && body.name.length > 1;
      return next(isLong ? { ...call, body: { ...body, name: 'Rex' } } : call);
    },
  };
  const { run } = await runWith(600, [takesLists]);
  expect(run.findings['NewPet.name']).toMatchObject({ status: 'violated' });
  const [first] = run.findings['NewPet.name']?.evidence ?? [];
  const shown = run.exchanges.find(({ id }) => id === first);
  expect(shown?.probe).toMatch(/:generated-\d+\.\d+/);
  const { name } = JSON.parse(shown?.requestBody ?? '{}') as { name: unknown[] };
  expect(name).toHaveLength(2);
});
