import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../model/package-root.ts';
import type { Trial } from './selfcheck.ts';

/** The result of a self-check in figures, and a digest of all trials. */
export interface SelfCheckProof {
  /** SHA-256 of the version, the seed, and each fault and variant with the requirements that found it, hexadecimal. */
  digest: string;
  seed: number;
  faults: number;
  /** Faults that were found by a requirement that they violate, and by no other. */
  found: number;
  variants: number;
  /** Variants that pass, and leave untested only what they name. */
  passed: number;
}

/** The result of the trial of a fault or a variant. */
export type TrialSummary = Pick<Trial, 'kind' | 'id' | 'names' | 'violated' | 'problems'>;

/** The proof of these trials, whatever their order. */
export function proofOf(version: string, seed: number, trials: readonly TrialSummary[]): SelfCheckProof {
  const rows = trials
    .map(({ kind, id, names, violated, problems }) => {
      const by = kind === 'fault' ? names.filter((name) => violated.includes(name)).sort() : [];
      return [kind, id, by, problems.length === 0] as const;
    })
    .sort(([kind, id], [otherKind, otherId]) => (`${kind} ${id}` < `${otherKind} ${otherId}` ? -1 : 1));
  const right = (wanted: TrialSummary['kind']) =>
    rows.filter(([kind, , , isRight]) => kind === wanted && isRight).length;
  const total = (wanted: TrialSummary['kind']) => rows.filter(([kind]) => kind === wanted).length;
  return {
    digest: createHash('sha256')
      .update(JSON.stringify([version, seed, rows]))
      .digest('hex'),
    seed,
    faults: total('fault'),
    found: right('fault'),
    variants: total('variant'),
    passed: right('variant'),
  };
}

/** The file with the proofs of the versions that petspec knows. */
export const PROOFS = join(packageRoot, 'assets', 'self-checks.json');

let proofs: Readonly<Record<string, SelfCheckProof>> | undefined;

/** The proof of a version of petspec; undefined if the version is unknown. */
export function shippedProof(version: string): SelfCheckProof | undefined {
  proofs ??= JSON.parse(readFileSync(PROOFS, 'utf8')) as Readonly<Record<string, SelfCheckProof>>;
  return Object.hasOwn(proofs, version) ? proofs[version] : undefined;
}
