import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

/** Paths of files that a command names. vitest takes the beginning of a path, and fails only if no file fits any of them. */
function pathsIn(command: string): string[] {
  const paths = command.match(/(?<=\s)(?:bench|dist\/scripts|src|suites|test)\/[\w./-]+/g) ?? [];
  return paths.map((path) => path.replace(/^dist\/(.*)\.js$/, '$1.ts'));
}

const named = [...Object.entries(scripts), ['.ci/run', read('.ci/run')] as const].flatMap(([name, command]) =>
  pathsIn(command).map((path) => [name, path] as const),
);

test('most scripts name files', () => {
  expect(named.length).toBeGreaterThan(15);
});

test.each(named)('%s: there is a file for %s', (_name, path) => {
  const files = readdirSync(join(ROOT, dirname(path)));
  expect(files.filter((each) => each.startsWith(basename(path)))).not.toEqual([]);
});
