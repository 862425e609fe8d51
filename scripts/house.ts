/**
 * How large the code is, and what makes it hard to read, by folder of `src/`:
 * `npm run build && node dist/scripts/house.js` prints a table. A test holds that no name of a type is declared twice.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageRoot } from '../src/model/package-root.ts';
import { folderOf, type Import, importsOf } from './architecture.ts';

const SHORT_FILE = 40;
const LARGE_FOLDER = 12;

interface SourceFile {
  path: string;
  text: string;
  lines: number;
}

const TYPE_DECLARATION = /^(?:export )?(?:interface|type|(?:abstract )?class) (\w+)/gm;
/** `...(x ? { x } : {})` and `...(x === undefined ? {} : { x })`, also over several lines. */
const CONDITIONAL_SPREAD = /\.\.\.\((?:(?!\.\.\.\()[^;])*?(?:\? \{\}\s*:|:\s*\{\}\s*\))/g;

const countOf = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length;

/** An import of a file in a folder above: the subfolder then cannot be understood without its parent. */
function runsUp({ from, to }: Import): boolean {
  const [below, above] = [dirname(from), dirname(to)];
  return folderOf(from) === folderOf(to) && below !== above && below.startsWith(`${above}/`);
}

/** Names of types that more than one file declares. */
export function repeatedNames(files: readonly Pick<SourceFile, 'text'>[]): string[] {
  const names = files.flatMap(({ text }) => [
    ...new Set([...text.matchAll(TYPE_DECLARATION)].map(([, name = '']) => name)),
  ]);
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))].sort();
}

function rowOf(files: readonly SourceFile[], imports: readonly Import[]): number[] {
  const folders = new Set(files.map(({ path }) => dirname(path)));
  const filesIn = (folder: string) => files.filter(({ path }) => dirname(path) === folder).length;
  return [
    files.reduce((sum, { lines }) => sum + lines, 0),
    files.length,
    files.filter(({ lines }) => lines < SHORT_FILE).length,
    [...folders].filter((folder) => filesIn(folder) > LARGE_FOLDER).length,
    repeatedNames(files).length,
    files.reduce((sum, { text }) => sum + countOf(text, CONDITIONAL_SPREAD), 0),
    imports.filter(runsUp).length,
  ];
}

const HEAD = [
  'folder',
  'lines',
  'files',
  `<${SHORT_FILE} lines`,
  `>${LARGE_FOLDER} files`,
  'same name',
  'spreads',
  'up',
];

function main(): void {
  const imports = importsOf();
  const paths = [...new Set(imports.flatMap(({ from, to }) => [from, to]))].sort();
  const files = paths.map((path) => {
    const text = readFileSync(join(packageRoot, path), 'utf8');
    return { path, text, lines: text.split('\n').length - 1 };
  });
  const folders = [...new Set(files.map(({ path }) => folderOf(path)))];
  const rows = folders.map((folder) => [
    folder,
    ...rowOf(
      files.filter(({ path }) => folderOf(path) === folder),
      imports.filter(({ from }) => folderOf(from) === folder),
    ),
  ]);
  for (const row of [HEAD, ...rows, ['all', ...rowOf(files, imports)]])
    console.log(
      row.map((cell, index) => (index === 0 ? `${cell}`.padEnd(14) : `${cell}`.padStart(11))).join(''),
    );
  console.log(`\ntypes of the same name: ${repeatedNames(files).join(', ')}`);
}

if (process.argv[1]?.endsWith('house.js')) main();
