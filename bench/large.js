// What documents take that grew out of bounds: one read of many parameters, and many reads. A dry run is all that comes
// before the first request; a run sends it all to a service that answers with an empty list. Usage: node bench/large.js
import { spawn } from 'node:child_process';
import { once as event } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from './figures.js';
import { figuresBefore, keepFigures } from './history.js';

const PETSPEC = join(import.meta.dirname, '..', 'bin', 'petspec.js');

const SERVICE = `
  const server = require('node:http').createServer((_, response) => {
    response.setHeader('content-type', 'application/json').end('[]');
  });
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

const get = (parameters) => ({
  parameters,
  responses: {
    200: { description: 'A list.', content: { 'application/json': { schema: { type: 'array' } } } },
  },
});
const bounded = (_, index) => ({
  name: `p${index}`,
  in: 'query',
  schema: { type: 'integer', minimum: 1, maximum: 1_000 },
});

const DOCUMENTS = {
  parameters: (count) => ({ '/search': { get: get(Array.from({ length: count }, bounded)) } }),
  operations: (count) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`/r${index}`, { get: get([]) }])),
};
const COUNTS = { parameters: [5, 50, 500], operations: [100, 2_000, 10_000] };

/** Seconds and MB for a document: of the parser alone, of a dry run, and of a run. */
function measuredFor(folder, paths, baseUrl) {
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify({ openapi: '3.1.0', info: { title: 'Many', version: '1' }, paths }));
  const [own, out] = [
    ['--interface', file],
    ['--out', join(folder, 'out')],
  ];
  return {
    parser: once(['-e', `JSON.parse(require('node:fs').readFileSync(${JSON.stringify(file)}))`]),
    'dry run': once([PETSPEC, 'run', '--dry-run', ...own]),
    run: once([PETSPEC, 'run', baseUrl, '--quiet', ...own, ...out]),
  };
}

const shown = (figures) =>
  figures
    ? `${figures.wall.toFixed(1)} s, ${figures.cpu.toFixed(1)} s CPU, ${figures.megabytes.toFixed(0)} MB`
    : '';

const folder = mkdtempSync(join(tmpdir(), 'petspec-bench-'));
const service = spawn(process.execPath, ['-e', SERVICE], { stdio: ['ignore', 'pipe', 'inherit'] });
try {
  const [port] = await event(service.stdout, 'data');
  const all = {};
  for (const [kind, counts] of Object.entries(COUNTS))
    for (const count of counts) {
      const measured = measuredFor(folder, DOCUMENTS[kind](count), `http://127.0.0.1:${`${port}`.trim()}`);
      for (const [what, figures] of Object.entries(measured)) {
        const name = `${count} ${kind}, ${what}`;
        all[name] = figures;
        const before = figuresBefore(name)?.figures[name];
        process.stdout.write(
          `${name.padEnd(28)}${[figures, before].map((each) => shown(each).padStart(36)).join('')}\n`,
        );
      }
    }
  keepFigures(all);
} finally {
  service.kill();
  rmSync(folder, { recursive: true });
}
