import { loadContract } from '../../src/contract/load.ts';
import { packageVersion } from '../../src/model/package-root.ts';
import { seedOf } from '../../src/run/plan/probes.ts';
import { proofOf, type SelfCheckProof } from '../../src/selfcheck/proof.ts';
import { changeOf, nameOf, subjects } from '../../src/selfcheck/selfcheck.ts';
import { foundBefore } from './recordings.ts';

/** The proof of this version, by the recordings of the repository. */
export function recordedProof(): SelfCheckProof {
  const contract = loadContract();
  const found = foundBefore();
  const musts = new Set(contract.requirements.filter(({ level }) => level === 'must').map(({ id }) => id));
  const trials = subjects().map((subject) => {
    const violated = Object.keys(found.get(nameOf(subject))?.problems ?? {});
    const names: readonly string[] = 'fault' in subject ? subject.fault.violates : [];
    // A fault is found by a requirement that it names, and by no other; a variant may get advice.
    const isRight =
      'fault' in subject
        ? violated.length > 0 && violated.every((id) => names.includes(id))
        : !violated.some((id) => musts.has(id));
    return {
      kind: 'fault' in subject ? ('fault' as const) : ('variant' as const),
      id: changeOf(subject).id,
      names,
      violated,
      problems: isRight ? [] : ['contradicts the catalog'],
    };
  });
  return proofOf(packageVersion, seedOf(contract), trials);
}
