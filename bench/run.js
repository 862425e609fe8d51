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

/** Mean CPU of a trial in ms, of about a hundred in this process, once their code is compiled. */
async function trialCpu() {
  const { loadContract } = await import('../dist/src/contract/load.js');
  const { planOfTrials, subjects, tryChange } = await import('../dist/src/selfcheck/selfcheck.js');
  const contract = loadContract();
  const plan = planOfTrials(contract);
  const tried = subjects().filter((_, index) => index % 9 === 0);
  for (const subject of tried.slice(0, 40)) await tryChange(contract, plan, subject);
  const begun = process.cpuUsage();
  for (const subject of tried) await tryChange(contract, plan, subject);
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000 / tried.length;
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
row('petspec selfcheck, all faults and variants', `${selfcheck.toFixed(1)} s`, 'aim 20 s on two cores');
const fault = seconds([PETSPEC, 'selfcheck', '--fault', 'list-default-25'], 3);
row(
  'petspec selfcheck --fault',
  `${fault.toFixed(2)} s`,
  `aim 1 s; ${(fault / bare).toFixed(0)} times bare node`,
);
row('CPU of a trial', `${(await trialCpu()).toFixed(0)} ms`, 'aim 45 ms, better 30 ms; every ninth, warm');
rmSync(out, { recursive: true });
