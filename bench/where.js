// Where the time of a bundled run goes, from a CPU profile of it. Usage: node bench/where.js
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The compiled files, whose places tell the parts: the bundle, which the executable starts, has lost them. */
const MAIN = new URL('../dist/src/cli/main.js', import.meta.url);

/** What a frame of a stack belongs to; the innermost one that belongs to anything decides. */
const PARTS = [
  ['loading modules', ({ url }) => /^node:internal\/modules\//.test(url)],
  ["vitest's runner", ({ url }) => /\/node_modules\/(?:@vitest|pathe)\b/.test(url)],
  ['deriving the requests', ({ url }) => /\/dist\/src\/(?:contract|probes)\/|\/run\/plan\.js$/.test(url)],
  ['the reference', ({ url }) => /\/dist\/src\/reference\//.test(url)],
  [
    'sending and receiving',
    ({ url }) =>
      /\/dist\/src\/session\/|\/node_modules\/undici\/|^node:(?:net|_?http|internal\/streams)/.test(url),
  ],
  ['judging', ({ url }) => /\/dist\/(?:src\/judge|suites)\/|\/node_modules\/ajv/.test(url)],
  ['writing the reports', ({ url }) => /\/dist\/src\/(?:report|cli\/output)\//.test(url)],
  ['collecting garbage', ({ functionName }) => functionName === '(garbage collector)'],
];
const REST = 'node, and what belongs to no part';

/** Milliseconds of each part, the longest first. */
export function partsOf({ nodes, samples, timeDeltas }) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const partOf = new Map();
  const find = (id) => {
    if (id === undefined) return REST;
    if (!partOf.has(id)) {
      const [part] = PARTS.find(([, isIts]) => isIts(byId.get(id).callFrame)) ?? [];
      partOf.set(id, part ?? find(parents.get(id)));
    }
    return partOf.get(id);
  };
  const parts = {};
  for (const [index, id] of samples.entries()) {
    if (byId.get(id).callFrame.functionName === '(idle)') continue;
    const part = find(id);
    parts[part] = (parts[part] ?? 0) + timeDeltas[index] / 1000;
  }
  return Object.entries(parts).sort(([, one], [, other]) => other - one);
}

/** A Markdown table of where a run's time goes. */
export function whereTimeGoes() {
  const folder = mkdtempSync(join(tmpdir(), 'petspec-profile-'));
  try {
    const options = ['--cpu-prof', '--cpu-prof-interval', '500', '--cpu-prof-dir', folder];
    const argv = JSON.stringify(['node', 'petspec', 'run', '--quiet', '--out', join(folder, 'reports')]);
    spawnSync(process.execPath, [...options, '-e', `import('${MAIN}').then(({ main }) => main(${argv}))`]);
    const [profile] = readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'));
    const parts = partsOf(JSON.parse(readFileSync(join(folder, profile), 'utf8')));
    const total = parts.reduce((sum, [, ms]) => sum + ms, 0);
    const rows = parts.map(([part, ms]) => `| ${part} | ${((100 * ms) / total).toFixed(0)} % |`);
    return ['| part of a bundled run | share of its CPU time |', '|---|---|', ...rows, ''].join('\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (process.argv[1] === import.meta.filename) process.stdout.write(whereTimeGoes());
