import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

// The benchmarks run built files, which neither the compiler nor another test checks.

const FOLDER = new URL('../../bench/', import.meta.url);
const IMPORT = /import \{([^}]+)\} from '\.\.\/dist\/([^']+)\.js'/g;

const imports = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.js'))
  .flatMap((name) =>
    [...readFileSync(new URL(name, FOLDER), 'utf8').matchAll(IMPORT)].map(([, names = '', file = '']) => ({
      name,
      file,
      names: names.split(',').flatMap((each) => each.trim().split(' as ')[0] || []),
    })),
  );

test('the benchmarks import built files', () => {
  expect(imports.length).toBeGreaterThan(0);
});

test.each(imports)('$name imports what $file exports', async ({ file, names }) => {
  const exported = Object.keys((await import(new URL(`../../${file}.ts`, import.meta.url).href)) as object);
  expect(names.filter((each) => !exported.includes(each))).toEqual([]);
});
