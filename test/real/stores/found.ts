import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../src/model/package-root.ts';
import type { Report, Verdict } from '../../../src/model/report/report.ts';
import { DEFAULT_RUN, faultsOf, type PlantedFault, STORES, type Store, type StoreRun } from './stores.ts';

/** What a run reported of a store. */
export interface Found extends StoreRun {
  store: string;
  /** The fault that was planted; `none`: the store as it is. */
  fault: string;
  verdict: Verdict;
  /** Requirements that are violated, and advisories. */
  violated: readonly string[];
  seconds: number;
}

const FILE = join(packageRoot, 'test', 'real', 'stores', 'found.jsonl');

/** The runs of the table, in its order. */
export const RUNS: readonly StoreRun[] = [
  DEFAULT_RUN,
  { plan: 'free', frugal: true },
  { plan: 'pro', frugal: false },
  { plan: 'pro', frugal: true },
  { plan: 'business', frugal: false },
  { plan: 'business', frugal: true },
];

/** By what a result is found. @param fault `none`: the store as it is */
export function keyOf(store: string, fault = 'none', { plan, frugal }: StoreRun = DEFAULT_RUN): string {
  return `${store} ${fault} ${plan}${frugal ? ' frugal' : ''}`;
}

/** What was found last, by {@link keyOf}. */
export function readFound(): Map<string, Found> {
  const lines = existsSync(FILE) ? readFileSync(FILE, 'utf8').trim().split('\n') : [];
  const all = lines.map((line) => JSON.parse(line) as Found);
  return new Map(all.map((each) => [keyOf(each.store, each.fault, each), each]));
}

/** In the order of the stores and their faults; those that are no longer there are left out. */
export function writeFound(found: ReadonlyMap<string, Found>): void {
  const keys = RUNS.flatMap((run) =>
    STORES.flatMap((store) =>
      ['none', ...faultsOf(store).map(({ id }) => id)].map((id) => keyOf(store.name, id, run)),
    ),
  );
  const lines = keys.flatMap((key) => found.get(key) ?? []).map((each) => `${JSON.stringify(each)}\n`);
  writeFileSync(FILE, lines.join(''));
}

export function foundIn(
  store: Store,
  fault: PlantedFault | undefined,
  report: Report,
  run = DEFAULT_RUN,
): Found {
  return {
    store: store.name,
    fault: fault?.id ?? 'none',
    ...run,
    verdict: report.verdict,
    violated: report.requirements
      .filter(({ status }) => status === 'violated' || status === 'advisory')
      .map(({ id }) => id),
    seconds: Math.round(report.durationMs / 1000),
  };
}

/** Whether a fault was found: by a requirement that it was said to violate, by another one, or not. */
export function outcomeOf(
  { violates }: PlantedFault,
  { violated }: Found,
): 'found' | 'by another' | 'missed' {
  if (violated.some((id) => violates.includes(id))) return 'found';
  return violated.length > 0 ? 'by another' : 'missed';
}
