import type { EntryStatus, HistoryEntry } from '../../src/history/entry.ts';

/** ms between the runs of a history that is made for a test. */
const DAY = 24 * 60 * 60 * 1000;

/** An entry made for a test. Each number is another run, a day after the one before. */
export function entry(
  number: number,
  statuses: Readonly<Record<string, EntryStatus>>,
  more: Partial<HistoryEntry> = {},
): HistoryEntry {
  const byStatus: Partial<Record<EntryStatus, string[]>> = {};
  for (const [id, status] of Object.entries(statuses)) byStatus[status] = [...(byStatus[status] ?? []), id];
  const isBad = Object.values(statuses).includes('violated');
  return {
    schemaVersion: 1,
    report: number.toString(16).padStart(64, '0'),
    name: 'store',
    startedAt: new Date(Date.UTC(2026, 0, 1) + number * DAY).toISOString(),
    baseUrl: 'https://store.example.com/v1',
    plan: 'free',
    petspec: { version: '0.3.0', set: '0.3.0', interface: 'ab' },
    verdict: isBad ? 'non-conformant' : 'conformant',
    because: isBad ? 'some requirement violated' : 'no requirement violated',
    judged: { requirements: 3, of: 3 },
    narrowed: false,
    strict: false,
    durationMs: 1_000,
    requests: 62,
    latency: { median: 10 + number, p95: 20 + number, max: 30 + number },
    sections: [{ name: 'Listing', statuses: byStatus }],
    ...more,
  };
}
