/**
 * Tries every hostile behaviour on the command line, and prints what came of it, how long it took and how much memory:
 * `node dist/scripts/hostile.js [--write] [id...]`. `--write` puts the table into README.md.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../src/package-root.ts';
import { behaviours } from '../test/hostile/behaviours/index.ts';
import { tryOut } from '../test/hostile/command.ts';
import { type Measured, tableOf, withTable } from '../test/hostile/table.ts';

/** ms: small, so that those that wait for ever take a moment. */
const TIMEOUT = 1_000;
const README = join(packageRoot, 'README.md');
const [isWritten, ids] = [
  process.argv.includes('--write'),
  process.argv.slice(2).filter((each) => !each.startsWith('-')),
];

const measured = new Map<string, Measured>();
for (const behaviour of behaviours) {
  if (ids.length > 0 && !ids.includes(behaviour.id)) continue;
  const { report, status, seconds, peak, written } = await tryOut(
    behaviour,
    join(packageRoot, 'bin', 'petspec.js'),
    TIMEOUT,
  );
  measured.set(behaviour.id, { seconds, peak });
  const violated = report.requirements.filter((each) => each.status === 'violated').map(({ id }) => id);
  const figures = `${seconds.toFixed(1)} s  ${peak.toFixed(0)} MB  ${written.toFixed(1)} MB written`;
  process.stdout.write(
    `${behaviour.id.padEnd(26)} ${figures}  exit ${status}, ${report.verdict} ${violated.join(', ')}\n`,
  );
}
if (isWritten) writeFileSync(README, withTable(readFileSync(README, 'utf8'), tableOf(behaviours, measured)));
