/**
 * Whether a baseline belongs to the service and not to a seed: runs every fault with ten seeds, at burst sizes 1 and 4, and
 * compares each run with the baseline of each other: `node dist/scripts/baselines.js`. About 15 s for each fault with all seeds:
 * `--seeds 3` tries fewer, `--part 0/8` every eighth fault, and ids only these.
 */
import { parseArgs } from 'node:util';
import { faults } from '../src/reference/faults/index.ts';
import { type Differing, mismatchesOf, runOf } from '../test/baselines/fault-baselines.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seeds: { type: 'string', default: '10' }, part: { type: 'string', default: '0/1' } },
});
const [part = 0, of = 1] = values.part.split('/').map(Number);
const tried = faults.filter(({ id }, index) =>
  positionals.length > 0 ? positionals.includes(id) : index % of === part,
);
const ways = Array.from(
  { length: Number(values.seeds) },
  (_, seed): Differing => ({ seed, concurrency: seed % 2 === 0 ? 4 : 1 }),
);

let wrong = 0;
for (const fault of tried) {
  // A fault that only some seeds show is tried with one of these, too.
  const [shown] = fault.seeds ?? [];
  const own = shown === undefined ? [] : [{ seed: shown, concurrency: 4 }];
  const runs = [];
  for (const way of [...own, ...ways]) runs.push(await runOf(fault, way));
  const mismatches = mismatchesOf(fault, runs);
  for (const line of mismatches) console.log(line);
  if (mismatches.length > 0) wrong += 1;
}
console.log(`${tried.length} faults, ${wrong} with a baseline that does not match`);
if (wrong > 0) process.exitCode = 1;
