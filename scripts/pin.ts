import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clientRequirements } from '../src/client/judge-client.ts';
import { loadContract } from '../src/contract/load.ts';
import type { Requirement } from '../src/model/contract.ts';
import { packageRoot, packageVersion } from '../src/model/package-root.ts';
import { type Pin, pinOf, pinProblems, type Rewording } from './pinning.ts';

/** Pins new requirements. It never changes a requirement that is already pinned. */
const rewordings: Rewording[] = JSON.parse(
  readFileSync(join(packageRoot, 'test', 'pinned', 'reworded-requirements.json'), 'utf8'),
);
const contract = loadContract();
pin('pinned-requirements.json', contract.requirements);
pin('pinned-client-requirements.json', clientRequirements(contract));

function pin(file: string, requirements: readonly Requirement[]): void {
  const path = join(packageRoot, 'test', 'pinned', file);
  const pins: Pin[] = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : [];
  const problems = pinProblems(pins, rewordings, requirements, packageVersion);
  if (problems.length > 0) {
    process.stderr.write(problems.map((problem) => `${problem}\n`).join(''));
    process.exitCode = 1;
    return;
  }
  const known = new Set(pins.map(({ id }) => id));
  const added = requirements.filter(({ id }) => !known.has(id)).map(pinOf);
  writeFileSync(path, `${JSON.stringify([...pins, ...added], null, 2)}\n`);
  process.stdout.write(`${file}: ${pins.length} requirements were already pinned; added ${added.length}\n`);
}
