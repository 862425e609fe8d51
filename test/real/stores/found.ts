import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../src/model/package-root.ts';
import type { Report, Verdict } from '../../../src/model/report/report.ts';
import { faultsOf, type PlantedFault, STORES, type Store } from './stores.ts';

/** What a run reported of a store. */
export interface Found {
  store: string;
  /** The fault that was planted; `none`: the store as it is. */
  fault: string;
  verdict: Verdict;
  /** Requirements that are violated, and advisories. */
  violated: readonly string[];
  seconds: number;
}

const FILE = join(packageRoot, 'test', 'real', 'stores', 'found.jsonl');

/** What was found last, by store and fault. */
export function readFound(): Map<string, Found> {
  const lines = existsSync(FILE) ? readFileSync(FILE, 'utf8').trim().split('\n') : [];
  const all = lines.map((line) => JSON.parse(line) as Found);
  return new Map(all.map((each) => [`${each.store} ${each.fault}`, each]));
}

/** In the order of the stores and their faults; those that are no longer there are left out. */
export function writeFound(found: ReadonlyMap<string, Found>): void {
  const keys = STORES.flatMap((store) =>
    ['none', ...faultsOf(store).map(({ id }) => id)].map((id) => `${store.name} ${id}`),
  );
  const lines = keys.flatMap((key) => found.get(key) ?? []).map((each) => `${JSON.stringify(each)}\n`);
  writeFileSync(FILE, lines.join(''));
}

export function foundIn(store: Store, fault: PlantedFault | undefined, report: Report): Found {
  return {
    store: store.name,
    fault: fault?.id ?? 'none',
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
