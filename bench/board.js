/**
 * Time and memory of `petspec board` for many histories: `node bench/board.js [implementations] [runs]`.
 * Writes them into a temporary folder, which it removes.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { entryOf } from '../dist/src/history/entry.js';

const [implementations = 1_000, runs = 100] = process.argv.slice(2).map(Number);
const ROOT = join(import.meta.dirname, '..');
const DAY = 86_400_000;
const folder = mkdtempSync(join(tmpdir(), 'petspec-bench-board-'));

const entries = ['conformant', 'broken'].map((name) =>
  entryOf(JSON.parse(readFileSync(join(ROOT, 'reports', 'samples', name, 'report.json'), 'utf8')), '', {
    release: '1',
  }),
);
try {
  mkdirSync(join(folder, 'histories'));
  for (let each = 0; each < implementations; each += 1) {
    const lines = Array.from({ length: runs }, (_, run) => {
      // One in ten runs is broken, of each implementation another one.
      const entry = entries[(run + each) % 10 === 0 ? 1 : 0];
      const report = (each * runs + run).toString(16).padStart(64, '0');
      const startedAt = new Date(Date.UTC(2026, 0, 1) + run * DAY).toISOString();
      return `${JSON.stringify({ ...entry, report, name: `vendor-${each}`, startedAt, release: `1.${run}.0` })}\n`;
    });
    writeFileSync(join(folder, 'histories', `vendor-${each}.jsonl`), lines.join(''));
  }
  const site = join(folder, 'site');
  const began = process.hrtime.bigint();
  const { status, stderr } = spawnSync(
    '/usr/bin/time',
    [
      '-f',
      '%U %S %M',
      process.execPath,
      join(ROOT, 'bin', 'petspec.js'),
      'board',
      join(folder, 'histories'),
      '--out',
      site,
    ],
    { encoding: 'utf8' },
  );
  const seconds = Number(process.hrtime.bigint() - began) / 1e9;
  const [user, system, kilobytes] = (stderr.trim().split('\n').at(-1) ?? '').split(' ').map(Number);
  const megabytes = Math.round(kilobytes / 1024);
  const first = Math.round(statSync(join(site, 'index.html')).size / 1024);
  const pages = readdirSync(join(site, 'implementations')).length;
  console.log(
    `${implementations} implementations, ${runs} runs each: exit ${status}, ${seconds.toFixed(1)} s (${(user + system).toFixed(1)} s of CPU), ${megabytes} MB, first page ${first} kB, ${pages} pages`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
