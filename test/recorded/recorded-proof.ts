import { loadContract } from '../../src/contract/load.ts';
import { packageVersion } from '../../src/model/package-root.ts';
import { seedOf } from '../../src/run/plan/probes.ts';
import { proofOf, type SelfCheckProof } from '../../src/selfcheck/proof.ts';
import { changeOf, nameOf, subjects } from '../../src/selfcheck/selfcheck.ts';
import { foundBefore } from './recordings.ts';

/** The proof of this version, by the recordings of the repository: nothing is recorded that contradicts the catalog. */
export function recordedProof(): SelfCheckProof {
  const found = foundBefore();
  const trials = subjects().map((subject) => ({
    kind: 'fault' in subject ? ('fault' as const) : ('variant' as const),
    id: changeOf(subject).id,
    names: 'fault' in subject ? subject.fault.violates : [],
    violated: Object.keys(found.get(nameOf(subject))?.problems ?? {}),
    problems: [],
  }));
  return proofOf(packageVersion, seedOf(loadContract()), trials);
}
