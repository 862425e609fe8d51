import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderOf, importsOf, LAYERS, renderArchitecture } from '../../scripts/architecture.ts';
import { repeatedNames } from '../../scripts/house.ts';

const ROOT = join(import.meta.dirname, '../..');
const imports = importsOf();
const layerOf = new Map(
  LAYERS.flatMap((folders, layer) => folders.map((folder) => [folder, layer] as const)),
);

test('the graph is that of the code: every folder is in it, and it is not empty', () => {
  const folders = new Set(imports.flatMap(({ from, to }) => [folderOf(from), folderOf(to)]));
  expect([...folders].filter((each) => !layerOf.has(each))).toEqual([]);
  expect(imports.length).toBeGreaterThan(500);
});

test('a folder imports only folders below it, types and dynamic imports counted', () => {
  const upwards = imports.filter(({ from, to }) => {
    const [above, below] = [folderOf(from), folderOf(to)];
    return above !== below && (layerOf.get(above) ?? 0) <= (layerOf.get(below) ?? 0);
  });
  expect(upwards.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
});

test('no file imports itself by way of others', () => {
  const below = new Map<string, string[]>();
  for (const { from, to } of imports) below.set(from, [...(below.get(from) ?? []), to]);
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: readonly string[]) => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' > '));
    if (done.has(file) || path.includes(file)) return;
    for (const each of below.get(file) ?? []) visit(each, [...path, file]);
    done.add(file);
  };
  for (const file of below.keys()) visit(file, []);
  expect(circles).toEqual([]);
});

test('the reference knows the model alone: one mistake cannot hide on both sides', () => {
  const foreign = imports.filter(
    ({ from, to }) => folderOf(from) === 'reference' && !['reference', 'model'].includes(folderOf(to)),
  );
  expect(foreign).toEqual([]);
  const shared = imports.filter(({ from, to }) => folderOf(from) === 'reference' && folderOf(to) === 'model');
  expect([...new Set(shared.map(({ to }) => to))]).toEqual([
    'src/model/clock.ts',
    'src/model/http/key-text.ts',
    'src/model/usage-error.ts',
  ]);
});

test.each(['session', 'judge', 'report'])('inside %s, no room imports itself by way of others', (folder) => {
  const roomOf = (file: string) => file.slice(0, file.lastIndexOf('/'));
  const below = new Map<string, Set<string>>();
  for (const { from, to } of imports)
    if (folderOf(from) === folder && folderOf(to) === folder && roomOf(from) !== roomOf(to))
      below.set(roomOf(from), (below.get(roomOf(from)) ?? new Set()).add(roomOf(to)));
  const reached = (room: string, seen = new Set<string>()): Set<string> => {
    for (const each of below.get(room) ?? []) if (!seen.has(each)) reached(each, seen.add(each));
    return seen;
  };
  expect(below.size).toBeGreaterThan(3);
  expect([...below.keys()].filter((room) => reached(room).has(room))).toEqual([]);
});

test.each(['report', 'judge'])(
  '%s knows requests as they are sent, and not how they are derived or sent',
  (folder) => {
    const reached = imports.filter(
      ({ from, to }) => folderOf(from) === folder && ['probes', 'session'].includes(folderOf(to)),
    );
    expect(reached).toEqual([]);
  },
);

test('only the command line knows a configuration, and nothing but the model is known to it', () => {
  const readers = imports.filter(({ from, to }) => folderOf(to) === 'config' && folderOf(from) !== 'config');
  expect([...new Set(readers.map(({ from }) => folderOf(from)))]).toEqual(['cli']);
});

const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const files = [...new Set(imports.flatMap(({ from, to }) => [from, to]))];

test('only the contract reads the files of the interface', () => {
  const readers = files.filter((file) => /'[a-z.-]*(?:openapi|requirements)\.yaml'/.test(textOf(file)));
  expect(readers.sort()).toEqual([
    'src/contract/document/own-requirements.ts',
    'src/contract/document/read-files.ts',
    'src/contract/document/readings.ts',
    'src/contract/load.ts',
  ]);
});

test('judging is pure: no network, no files, no clock', () => {
  const impure = files.filter(
    (file) =>
      ['judge', 'limiter', 'suites'].includes(folderOf(file)) &&
      /from '(?:node:|undici)|Date\.now|setTimeout|fetch\(/.test(textOf(file)),
  );
  expect(impure).toEqual([]);
});

test('the name of a type is declared once', () => {
  const again = [{ text: 'export interface Page {' }, { text: 'type Page = string;' }];
  expect(repeatedNames(again)).toEqual(['Page']);
  expect(repeatedNames(files.map((file) => ({ text: textOf(file) })))).toEqual([]);
});

test('a folder holds about a dozen files', () => {
  const large = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
    .filter((each) => each.isDirectory())
    .map((each) => join(each.parentPath, each.name))
    .filter(
      (folder) =>
        readdirSync(folder).filter((name) => /\.ts$/.test(name) && !/test\.ts$/.test(name)).length > 16,
    );
  expect(large).toEqual([]);
});

test('the picture in CONTRIBUTING.md is that of the code (npm run build && node dist/scripts/architecture.js)', () => {
  expect(readFileSync(join(ROOT, 'docs', 'architecture.svg'), 'utf8')).toBe(renderArchitecture(imports));
  expect(textOf('CONTRIBUTING.md')).toContain('docs/architecture.svg');
});
