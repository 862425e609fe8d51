import { faults } from '../../src/reference/faults/index.ts';
import { mineConditions, packConditions, type RecordedFault } from './mine.ts';
import { foundBefore, recordings } from './recordings.ts';

/** The text of spec/fault-conditions.json, by the recordings of the repository. */
export function minedText(): string {
  const [found, recorded] = [foundBefore(), recordings()];
  const runs = faults.flatMap(({ id, violates }): RecordedFault[] => {
    const outcome = recorded.get(`fault ${id}`)?.();
    const problems = Object.entries(found.get(`fault ${id}`)?.problems ?? {});
    const evidence = Object.fromEntries(problems.map(([name, [, ids]]) => [name, ids]));
    return outcome ? [{ fault: id, violates, exchanges: outcome.exchanges, evidence }] : [];
  });
  return packConditions(mineConditions(runs));
}
