// How long things take, measured here and now; nothing in the tests asserts a time. Usage: npm run bench
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';

const PETSPEC = join(import.meta.dirname, '..', 'bin', 'petspec.js');
const out = mkdtempSync(join(tmpdir(), 'petspec-bench-'));

/** Median seconds of a few runs of a command line. */
function seconds(args, times = 5) {
  const taken = Array.from({ length: times }, () => {
    const begun = performance.now();
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
    return (performance.now() - begun) / 1000;
  });
  return taken.sort((left, right) => left - right)[Math.floor(times / 2)];
}

function row(what, value, aim) {
  process.stdout.write(`${what.padEnd(58)} ${value.padStart(10)}   ${aim}\n`);
}

const bare = seconds(['-e', '']);
row('node, doing nothing', `${bare.toFixed(3)} s`, '');
const help = seconds([PETSPEC, '--help']);
row('petspec --help', `${help.toFixed(3)} s`, `aim 0.1 s; ${(help / bare).toFixed(1)} times bare node`);
const run = seconds([PETSPEC, 'run', '--out', out], 3);
row(
  'petspec run, bundled reference, vitest included',
  `${run.toFixed(2)} s`,
  `aim 2 s; ${(run / bare).toFixed(0)} times bare node`,
);
const selfcheck = seconds([PETSPEC, 'selfcheck'], 1);
row('petspec selfcheck, all faults and variants', `${selfcheck.toFixed(1)} s`, 'aim 15 s');
rmSync(out, { recursive: true });
