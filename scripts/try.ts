/** Tries the faults and variants whose ids match a pattern and prints what a run found. Usage: node dist/scripts/try.js [pattern] */
import { loadContract } from '../src/contract/load.ts';
import { tryDeviation } from '../src/harness/selfcheck.ts';
import { faults } from '../src/reference/faults/index.ts';
import { variants } from '../src/reference/variants/index.ts';
import { allChecks } from '../suites/index.ts';

const pattern = new RegExp(process.argv[2] ?? '.');
const contract = loadContract();
const checks = allChecks(contract);
let bad = 0;
for (const subject of [...faults.map((fault) => ({ fault })), ...variants.map((variant) => ({ variant }))]) {
  const id = 'fault' in subject ? subject.fault.id : subject.variant.id;
  if (!pattern.test(id)) continue;
  const trial = await tryDeviation(contract, checks, subject);
  if (trial.problems.length > 0) bad += 1;
  const detail =
    process.argv[3] === '-v'
      ? trial.violated
          .map(
            (each) =>
              `\n    ${each}: ${trial.findings[each]?.reason} | ${trial.findings[each]?.expected} | ${trial.findings[each]?.received}`,
          )
          .join('')
      : '';
  console.log(
    trial.problems.length === 0 ? 'ok ' : 'BAD',
    trial.kind,
    id,
    trial.violated.join(','),
    trial.problems.map((each) => `\n    ! ${each}`).join(''),
    detail,
  );
}
const named = new Set(faults.flatMap(({ violates }) => violates));
if (process.argv[2] === undefined) {
  console.log(
    'must requirements without a fault:',
    contract.requirements
      .filter(({ id, level }) => level === 'must' && !named.has(id))
      .map(({ id }) => id)
      .join(' '),
  );
}
console.log(`${bad} bad`);
