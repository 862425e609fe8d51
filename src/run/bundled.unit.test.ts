import { afterEach, expect, test, vi } from 'vitest';
import { allChecks } from '../../suites/index.ts';
import { loadContract } from '../contract/load.ts';
import type { Exchange } from '../model/exchange.ts';
import { conductBundled, virtualStart } from './bundled.ts';
import { DEFAULT_OPTIONS, ofBundled } from './options.ts';
import { makePlan } from './plan.ts';

const MINUTE = Date.parse('2026-11-21T12:00:00Z');
const contract = loadContract();
const options = ofBundled(contract.ratePlans, { ...DEFAULT_OPTIONS, frugal: true });
const plan = makePlan(contract, allChecks(contract), options);

afterEach(() => {
  vi.useRealTimers();
});

test.each([0, 20_000, 57_999, 58_000, 59_999])(
  'a run in virtual time sends as many requests as announced, %i ms after a minute began',
  async (ms) => {
    vi.useFakeTimers({ toFake: ['Date'], now: MINUTE + ms });
    let sent = 0;
    await conductBundled(contract, plan, options, {
      connections: 'memory',
      onLog: (log) => {
        sent = log.filter(({ listener, key }) => listener === 'animals' && key === 'valid').length;
      },
    });
    expect(sent).toBe(plan.cost.expected);
  },
);

test('a run begins at most ten seconds before it does, never near the end of a minute, and after those before it', () => {
  const times = Array.from({ length: 600 }, (_, index) => MINUTE + 200 * index);
  const starts = times.map(virtualStart);
  for (const [index, start] of starts.entries()) {
    const now = times[index] ?? 0;
    expect(start).toBeLessThanOrEqual(now);
    expect(start).toBeGreaterThanOrEqual(now - 10_000);
    expect(start % 60_000).toBeLessThan(50_000);
    expect(start).toBeGreaterThan(starts[index - 1] ?? 0);
  }
});

test('a run that is resumed after a key was refused creates what it would have created without a break', async () => {
  const conducted = (start: number, restored: readonly Exchange[]) =>
    conductBundled(contract, plan, options, { connections: 'memory', start, restored });
  const createdIn = (all: readonly Exchange[]) =>
    all.flatMap(({ stage, probe, confirms }) => (stage === 'create' && !confirms ? [probe] : [])).toSorted();
  const { exchanges } = await conducted(MINUTE, []);
  const refused = exchanges.findIndex(({ key, response }) => key === 'bare' && response?.status === 401);
  expect(refused).toBeGreaterThan(0);
  const restored = exchanges.slice(0, refused + 1);
  const resumed = await conducted(restored.at(-1)?.receivedAt ?? 0, restored);
  expect(resumed.stopped).toBeUndefined();
  expect(createdIn(resumed.exchanges)).toEqual(createdIn(exchanges));
});
