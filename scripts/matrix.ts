/**
 * Judges honest limiters, faults and variants in many circumstances: `npm run matrix -- [--seeds 5] [--from 1] [--plans free,pro] [--cell <n>]`. For
 * each seed it tries the covering arrays of test/matrix, and prints which cells have a wrong verdict and why.
 */
import { parseArgs } from 'node:util';
import type { PlanName } from '../src/reference/settings.ts';
import { limiterCells, subjectCells } from '../test/matrix/cells.ts';
import { problemsOf, titleOf } from '../test/matrix/run-cell.ts';

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '5' },
      from: { type: 'string', default: '1' },
      plans: { type: 'string', default: 'free' },
      cell: { type: 'string' },
    },
  });
  const first = Number(values.from);
  const plans = values.plans.split(',') as PlanName[];
  let [tried, wrong] = [0, 0];
  for (let seed = first; seed < first + Number(values.seeds); seed += 1)
    for (const [index, cell] of [...limiterCells(seed, plans), ...subjectCells(seed)].entries()) {
      if (values.cell !== undefined && Number(values.cell) !== index) continue;
      const problems = await problemsOf(cell);
      tried += 1;
      if (problems.length === 0) continue;
      wrong += 1;
      console.log([`seed ${seed}, cell ${index}: ${titleOf(cell)}`, ...problems].join('\n  '));
    }
  console.log(`${tried} cells: ${wrong} with a wrong verdict`);
  process.exitCode = wrong > 0 ? 1 : 0;
}

await main();
