import { loadContract } from '../src/contract/load.ts';
import { faultPairs, tryPair, variantPairs } from '../src/harness/pairs.ts';
import { allChecks } from '../suites/index.ts';

const contract = loadContract();
const checks = allChecks(contract);
const [count, seed] = [Number(process.argv[2] ?? 100), Number(process.argv[3] ?? 1)];
let bad = 0;
for (const pair of [...faultPairs(contract, count, seed), ...variantPairs(count, seed)]) {
  const problems = await tryPair(contract, checks, pair);
  if (problems.length > 0) {
    bad += 1;
    console.log(
      'fault' in (pair[0] as object) ? 'faults' : 'variants',
      pair.map((each) => ('fault' in each ? each.fault.id : each.variant.id)).join(' + '),
      problems.map((each) => `\n    ! ${each}`).join(''),
    );
  }
}
console.log(bad, 'bad of', 2 * count);
