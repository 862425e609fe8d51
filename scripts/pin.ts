import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadContract } from '../src/contract/load.ts';
import { packageRoot, packageVersion } from '../src/model/package-root.ts';
import { type Pin, pinOf, pinProblems, type Rewording } from './pinning.ts';

/** Pins new requirements. It never changes a requirement that is already pinned. */
const path = join(packageRoot, 'test', 'pinned-requirements.json');
const pins: Pin[] = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : [];
const rewordings: Rewording[] = JSON.parse(
  readFileSync(join(packageRoot, 'test', 'reworded-requirements.json'), 'utf8'),
);
const { requirements } = loadContract();
const problems = pinProblems(pins, rewordings, requirements, packageVersion);
if (problems.length > 0) {
  process.stderr.write(problems.map((problem) => `${problem}\n`).join(''));
  process.exitCode = 1;
} else {
  const known = new Set(pins.map(({ id }) => id));
  const added = requirements.filter(({ id }) => !known.has(id)).map(pinOf);
  writeFileSync(path, `${JSON.stringify([...pins, ...added], null, 2)}\n`);
  process.stdout.write(`${pins.length} requirements were already pinned; added ${added.length}\n`);
}
