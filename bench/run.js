// How long things take, measured here and now; nothing in the tests asserts a time. Each figure is printed beside its aim
// and beside that of the commit that was measured before. Usage: npm run bench
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measured } from './figures.js';
import { figuresBefore, keepFigures } from './history.js';
import { trialCpu } from './trials.js';
import { whereTimeGoes } from './where.js';

const ROOT = join(import.meta.dirname, '..');
const PETSPEC = join(ROOT, 'bin', 'petspec.js');
const VITEST = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
const out = mkdtempSync(join(tmpdir(), 'petspec-bench-'));
const certified = mkdtempSync(join(tmpdir(), 'petspec-bench-'));

/** What starts cost. Command lines, with their aims: seconds of wall, and how many times the CPU of another one. */
const QUICK = {
  'node, doing nothing': { args: ['-e', ''] },
  'vitest, an empty test': {
    args: [
      VITEST,
      'run',
      '--pool=threads',
      '--configLoader=native',
      '--root',
      join(import.meta.dirname, 'empty'),
    ],
  },
  'petspec --help': { args: [PETSPEC, '--help'], aim: 0.1, times: [1.5, 'node, doing nothing'] },
  'petspec --version': { args: [PETSPEC, '--version'], aim: 0.1 },
  'petspec requirements': { args: [PETSPEC, 'requirements'], aim: 0.3 },
  'petspec faults': { args: [PETSPEC, 'faults'], aim: 0.3 },
  'petspec run --dry-run': { args: [PETSPEC, 'run', '--dry-run'], aim: 0.3 },
  'petspec run, bundled reference': {
    args: [PETSPEC, 'run', '--out', out],
    aim: 1.2,
    times: [2, 'vitest, an empty test'],
  },
  'petspec compare': { args: [PETSPEC, 'compare', certified, certified], aim: 0.3 },
  'petspec verify': {
    args: [PETSPEC, 'verify', join(certified, 'certificate.json'), '--allow-reference'],
    aim: 0.3,
  },
  'petspec selfcheck --fault': { args: [PETSPEC, 'selfcheck', '--fault', 'list-default-25'], aim: 1 },
};
const LONG = { 'petspec selfcheck': { args: [PETSPEC, 'selfcheck'], aim: 20 } };

const seconds = (value) => (value === undefined ? '' : `${value.toFixed(2)} s`);

function print(name, { aim, times }, figures, before) {
  const { wall, cpu } = figures[name];
  const [factor, other] = times ?? [];
  const ratio = other ? `, ${(cpu / figures[other].cpu).toFixed(1)} times ${other} (aim ${factor})` : '';
  const cells = [seconds(wall), seconds(cpu), seconds(aim), seconds(before?.[name]?.cpu)];
  process.stdout.write(`${name.padEnd(32)}${cells.map((cell) => cell.padStart(11)).join('')}${ratio}\n`);
}

try {
  measured({ certify: { args: [PETSPEC, 'certify', '--out', certified] } }, 1);
  const figures = { ...measured(QUICK), ...measured(LONG, 1) };
  const before = figuresBefore('petspec run, bundled reference');
  process.stdout.write(
    `${''.padEnd(32)}${['wall', 'CPU', 'aim, wall', 'CPU before'].map((head) => head.padStart(11)).join('')}\n`,
  );
  for (const [name, command] of Object.entries({ ...QUICK, ...LONG }))
    print(name, command, figures, before?.figures);
  const { median, mean } = await trialCpu();
  process.stdout.write(
    `a trial of the self-check on Free: ${median.toFixed(0)} ms of CPU in the median, ${mean.toFixed(0)} ms on average (aim 45 ms)\n`,
  );
  process.stdout.write(before ? `before: ${before.commit}, ${before.date}\n\n` : '\n');
  process.stdout.write(`${whereTimeGoes()}\n`);
  keepFigures(figures);
} finally {
  for (const folder of [out, certified]) rmSync(folder, { recursive: true });
}
