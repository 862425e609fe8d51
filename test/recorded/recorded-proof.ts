import { loadContract } from '../../src/contract/load.ts';
import { packageVersion } from '../../src/model/package-root.ts';
import { seedOf } from '../../src/run/plan/probes.ts';
import { proofOf, type SelfCheckProof } from '../../src/selfcheck/proof.ts';
import { changeOf, nameOf, subjects } from '../../src/selfcheck/selfcheck.ts';
import { foundBefore } from './recordings.ts';

/** The proof of this version, by the recordings of the repository. */
export function recordedProof(): SelfCheckProof {
  const found = foundBefore();
  const trials = subjects().map((subject) => {
    const names: readonly string[] = 'fault' in subject ? subject.fault.violates : [];
    const violated = Object.keys(found.get(nameOf(subject))?.problems ?? {});
    // A fault is found by a requirement that it names, and by no other; a variant by none.
    const isRight =
      violated.every((id) => names.includes(id)) && ('variant' in subject || violated.length > 0);
    return {
      kind: 'fault' in subject ? ('fault' as const) : ('variant' as const),
      id: changeOf(subject).id,
      names,
      violated,
      problems: isRight ? [] : ['contradicts the catalog'],
    };
  });
  return proofOf(packageVersion, seedOf(loadContract()), trials);
}
