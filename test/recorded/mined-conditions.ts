import { loadContract } from '../../src/contract/load.ts';
import { isProblem } from '../../src/model/finding.ts';
import type { Fault } from '../../src/reference/faults/fault.ts';
import { faults } from '../../src/reference/faults/index.ts';
import { asTraffic, harOf, judgeHar } from '../recordings/recorded-run.ts';
import { mineConditions, packConditions, type RecordedFault } from './mine.ts';
import { foundBefore, recordings } from './recordings.ts';

const contract = loadContract();

/**
 * The text of spec/fault-conditions.json, by the recordings of the repository.
 * @param onlyInRuns the ids of faults that only runs show
 */
export function minedText(onlyInRuns: ReadonlySet<string>): string {
  const [found, recorded] = [foundBefore(), recordings()];
  const runs = faults.flatMap(({ id, violates }): RecordedFault[] => {
    const outcome = recorded.get(`fault ${id}`)?.();
    const problems = Object.entries(found.get(`fault ${id}`)?.problems ?? {});
    const evidence = Object.fromEntries(problems.map(([name, [, ids]]) => [name, ids]));
    const isOnlyInRuns = onlyInRuns.has(id);
    return outcome ? [{ fault: id, violates, exchanges: outcome.exchanges, evidence, isOnlyInRuns }] : [];
  });
  return packConditions(mineConditions(runs));
}

let recorded: ReturnType<typeof recordings> | undefined;

/** Whether the recorded run of a fault does not show it if others recorded the same requests. */
export async function isOnlyInRuns({ id, violates }: Fault): Promise<boolean> {
  recorded ??= recordings();
  const outcome = recorded.get(`fault ${id}`)?.();
  if (!outcome) throw new Error(`fault ${id} is not recorded: npm run record`);
  const { findings } = await judgeHar(contract, asTraffic(harOf(outcome.exchanges, outcome.target.baseUrl)));
  return !violates.some((each) => isProblem(findings[each] ?? { status: 'not-tested' }));
}
