/**
 * Tries every hostile behavior on the command line and prints the outcome, the time and the memory:
 * `node dist/scripts/hostile.js [--write] [id...]`. `--write` writes the figures into the
 * table of docs/hostile-targets.md.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../src/model/package-root.ts';
import { behaviors } from '../test/hostile/behaviors/index.ts';
import { tryOut } from '../test/hostile/command.ts';
import { type Measured, withTable } from '../test/hostile/table.ts';

/** ms: short, since some targets make petspec wait for the whole timeout. */
const TIMEOUT = 1_000;
const PAGE = join(packageRoot, 'docs', 'hostile-targets.md');
/** A copy of an installation, below node_modules like a real one: vitest reads files elsewhere more slowly. */
const INSTALLED = [
  ...['assets', 'bin', 'dist/interface.json', 'dist/package', 'spec', 'package.json'],
  'reports/report.schema.json',
];

const options = process.argv.slice(2);
const ids = options.filter((each) => each !== '--write');
const installation = mkdtempSync(join(packageRoot, 'node_modules', '.petspec-'));
const measured = new Map<string, Measured>();
try {
  for (const path of INSTALLED)
    cpSync(join(packageRoot, path), join(installation, path), { recursive: true });
  for (const behavior of behaviors) {
    if (ids.length > 0 && !ids.includes(behavior.id)) continue;
    const bin = join(installation, 'bin', 'petspec.js');
    const { report, status, seconds, peak, written, requests } = await tryOut(behavior, bin, TIMEOUT);
    measured.set(behavior.id, { seconds, peak });
    const violated = report.requirements.filter((each) => each.status === 'violated').map(({ id }) => id);
    const { withKey = 0, wrongKeys = 0, messages = 0, seconds: most = 0 } = report.announced ?? {};
    const figures = `${requests} of at most ${withKey + wrongKeys + messages} requests, ${seconds.toFixed(1)} of ${most} s, ${peak.toFixed(0)} MB, ${written.toFixed(1)} MB written`;
    const { verdict, violates } = behavior.expected;
    const isStated = report.verdict === verdict && violated.join() === (violates ?? '');
    const outcome = [
      `exit ${status}`,
      report.verdict,
      ...violated,
      ...(isStated ? [] : ['NOT AS STATED']),
    ].join(', ');
    process.stdout.write(`${behavior.id.padEnd(24)} ${figures}; ${outcome}\n`);
  }
} finally {
  rmSync(installation, { recursive: true, force: true });
}
if (options.includes('--write'))
  writeFileSync(PAGE, withTable(readFileSync(PAGE, 'utf8'), behaviors, measured));
