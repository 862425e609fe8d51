import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

/** Left to right, as data flows: a room imports only what stands left of it, or itself. */
const ROOMS = [
  'model',
  'contract',
  'probes',
  'session',
  'judge',
  'report',
  'harness',
  'vitest',
  'baseline',
  'certificate',
  'cli',
];

/** What any room may use: words about names, and where the package lies. */
const SHARED = ['src/nearest.ts', 'src/package-root.ts', 'src/model/json-pointer.ts'];

function sourcesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/(?:unit|selfcheck)\.test\.ts$/.test(name))
    .map((name) => join(folder, name));
}

/** What a file imports from this project, as paths from its root; `all` includes types, which leave nothing behind. */
function importsOf(file: string, all: boolean): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const found = [...text.matchAll(/^(?:import|export) (type )?[^;]*? from '(\.[^']+)';/gms)];
  return found
    .filter(([, type]) => all || !type)
    .map(([, , path]) => normalize(join(dirname(file), path ?? '')));
}

test('the reference shares nothing with the judging side but the clock', () => {
  const foreign = sourcesIn('src/reference').flatMap((file) =>
    importsOf(file, true)
      .filter((path) => !path.startsWith('src/reference/') && path !== 'src/session/clock.ts')
      .map((path) => `${file} imports ${path}`),
  );
  expect(foreign).toEqual([]);
});

test('what runs on the left imports nothing that stands on its right', () => {
  const backwards = ROOMS.flatMap((room, place) =>
    sourcesIn(`src/${room}`).flatMap((file) =>
      importsOf(file, false)
        .filter((path) => ROOMS.indexOf(path.split('/')[1] ?? '') > place)
        .map((path) => `${file} imports ${path}`),
    ),
  );
  expect(backwards).toEqual([]);
});

test('a configuration is data: it knows no other room, and only the command line knows it', () => {
  const known = sourcesIn('src/config').flatMap((file) =>
    importsOf(file, true)
      .filter((path) => !path.startsWith('src/config/') && !SHARED.includes(path))
      .map((path) => `${file} imports ${path}`),
  );
  const readers = [...ROOMS, 'reference']
    .filter((room) => room !== 'cli')
    .flatMap((room) => sourcesIn(`src/${room}`))
    .filter((file) => importsOf(file, true).some((path) => path.startsWith('src/config/')));
  expect([...known, ...readers]).toEqual([]);
});

test('only the contract reads the files of the interface', () => {
  const readers = ROOMS.flatMap((room) => sourcesIn(`src/${room}`)).filter((file) =>
    /openapi\.yaml|requirements\.yaml/.test(readFileSync(join(ROOT, file), 'utf8')),
  );
  expect(
    readers.map((file) => relative('src', file)).filter((file) => !file.startsWith('contract/')),
  ).toEqual([]);
});

test('judging is pure: no network, no files, no clock', () => {
  const impure = [...sourcesIn('src/judge'), ...sourcesIn('suites')].filter((file) =>
    /from '(?:node:|undici)|Date\.now|setTimeout|fetch\(/.test(readFileSync(join(ROOT, file), 'utf8')),
  );
  expect(impure).toEqual([]);
});
