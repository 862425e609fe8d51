/**
 * Judges honest limiters in many circumstances: `npm run matrix -- [--seeds 5] [--from 1] [--plans free,pro] [--cell <n>]`. For each seed it tries a
 * covering array of test/matrix, prints which cells are accused and why, and whether the limit was seen to hold wherever the circumstances
 * leave room for it.
 */
import { parseArgs } from 'node:util';
import type { PlanName } from '../src/reference/settings.ts';
import { cellsOf } from '../test/matrix/cells.ts';
import { fits, runCell } from '../test/matrix/run-cell.ts';

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
  let [cells, accused, unseen] = [0, 0, 0];
  for (let seed = first; seed < first + Number(values.seeds); seed += 1)
    for (const [index, cell] of cellsOf(seed, plans).entries()) {
      if (values.cell !== undefined && Number(values.cell) !== index) continue;
      const { violated, enforced } = await runCell(cell);
      cells += 1;
      const what = `seed ${seed}, cell ${index}: ${Object.values(cell).join(', ')}`;
      for (const [id, reason] of Object.entries(violated)) console.log(`${what}\n  ${id}: ${reason}`);
      if (Object.keys(violated).length > 0) accused += 1;
      if (fits(cell) && enforced?.status !== 'met') {
        unseen += 1;
        console.log(`${what}\n  the limit was not seen to hold: ${enforced?.reason}`);
      }
    }
  console.log(`${cells} cells: ${accused} accused, ${unseen} where the limit was not seen to hold`);
  process.exitCode = accused > 0 ? 1 : 0;
}

await main();
