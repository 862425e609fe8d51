// How time and memory grow with targets, requests, exchanges and operations: each figure beside its aim and that of the
// commit that was measured before. It takes about twenty minutes. Usage: node bench/scale.js
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { planned } from './contracts.js';
import { plannedByDocument, plannedForGithub } from './documents.js';
import { perRequest } from './exhaustion.js';
import { measured } from './figures.js';
import { figuresBefore, keepFigures } from './history.js';
import { judgedAgain } from './ledgers.js';
import { judgedSideBySide } from './targets.js';

const PETSPEC = join(import.meta.dirname, '..', 'bin', 'petspec.js');
const UNITS = { cpu: 's CPU', wall: 's', megabytes: 'MB', ratio: 'times' };

const shown = (figures, units) =>
  units
    .map((unit) => `${figures?.[unit]?.toFixed(unit === 'megabytes' ? 0 : 2) ?? '-'} ${UNITS[unit]}`)
    .join(', ');

const all = {};

/** Prints a figure beside its aim and the one before, and keeps it. */
function print(name, figures, aim, units = ['wall', 'cpu', 'megabytes']) {
  all[name] = figures;
  const before = figuresBefore(name);
  const cells = [shown(figures, units), aim, before ? shown(before.figures[name], units) : ''];
  process.stdout.write(`${name.padEnd(34)}${cells.map((cell) => cell.padStart(36)).join('')}\n`);
}

process.stdout.write(
  `${''.padEnd(34)}${['now', 'aim', 'before'].map((cell) => cell.padStart(36)).join('')}\n`,
);
for (const operations of [10, 100, 1_000])
  print(`planning ${operations} operations`, planned(operations), 'linear', ['cpu']);
for (const operations of [10, 100, 1_000])
  print(`${operations} operations of a document`, await plannedByDocument(operations), 'linear', ['cpu']);
print("planning GitHub's document", plannedForGithub(), '5 s, 500 MB');
for (const exchanges of [1_000, 10_000, 100_000])
  print(`a ledger of ${exchanges} exchanges`, await judgedAgain(exchanges), '10 s, flat memory');
for (const requests of [1_000, 100_000]) {
  const { own, bare } = await perRequest(requests, requests > 10_000 ? 1 : 5);
  print(`an exhaustion of ${requests} requests`, { ratio: own / bare }, '1.2 times a bare loop', ['ratio']);
}
const out = mkdtempSync(join(tmpdir(), 'petspec-bench-'));
const { run } = measured({ run: { args: [PETSPEC, 'run', '--out', out, '--quiet'] } }, 3);
rmSync(out, { recursive: true });
print('a run of the bundled reference', run, '1.2 s');
for (const targets of [10, 100, 1_000]) {
  const { verdicts, ...figures } = await judgedSideBySide(targets);
  print(`${targets} targets`, figures, `linear, ${(run.megabytes + 150).toFixed(0)} MB`);
  const { conformant = 0 } = verdicts;
  if (conformant < targets)
    process.stdout.write(`  only ${conformant} conformant: ${JSON.stringify(verdicts)}\n`);
}
keepFigures(all);
