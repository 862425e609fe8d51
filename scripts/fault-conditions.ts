/**
 * When each fault of the catalogue shows, mined from test/recorded/: `node dist/scripts/fault-conditions.js` writes
 * spec/fault-conditions.json and prints its size, and adds the digest of the self-check of this version to assets/self-checks.json.
 * Each run is judged as if others had recorded it, too: three minutes.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { packageVersion } from '../src/model/package-root.ts';
import { faults } from '../src/reference/faults/index.ts';
import { PROOFS } from '../src/selfcheck/proof.ts';
import { FAULT_INDEX } from '../src/selfcheck/sensitivity/sensitivity.ts';
import { isOnlyInRuns, minedText } from '../test/recorded/mined-conditions.ts';
import { recordedProof } from '../test/recorded/recorded-proof.ts';

const onlyInRuns = new Set<string>();
for (const fault of faults) if (await isOnlyInRuns(fault)) onlyInRuns.add(fault.id);
const text = minedText(onlyInRuns);
writeFileSync(FAULT_INDEX, text);
console.log(
  `${FAULT_INDEX}: ${Math.round(text.length / 1_000)} kB, ${onlyInRuns.size} of ${faults.length} faults show only in runs`,
);

const earlier = existsSync(PROOFS) ? JSON.parse(readFileSync(PROOFS, 'utf8')) : {};
const proofs = { ...earlier, [packageVersion]: recordedProof() };
writeFileSync(PROOFS, `${JSON.stringify(proofs, null, 2)}\n`);
