import { expect, test, vi } from 'vitest';
import { sampleRun } from '../../test/reports/sample-runs.ts';

// Whole runs take their time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

test('a conditional probe waits for its condition, even if other responses arrive first', async () => {
  const { exchanges } = await sampleRun({ faults: ['fetch-unknown-null'], options: { exhaust: 'none' } });
  const asked = exchanges.filter(({ probe, confirms }) => probe.startsWith('getPet:unknown') && !confirms);
  expect(asked.map(({ probe }) => probe)).toEqual(['getPet:unknown', 'getPet:unknown-again']);
});
