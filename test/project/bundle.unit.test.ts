import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const { ENTRIES } = (await import(join(ROOT, 'scripts/bundle/code.js'))) as { ENTRIES: string[] };

test('each module that petspec loads by its place is an entry of the bundle', () => {
  const loaded = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.unit.test.ts'))
    .flatMap((name) => [...read(`src/${name}`).matchAll(/ownModule\('([^']+)'\)/g)])
    .map(([, module]) => module);
  expect(loaded.length).toBeGreaterThan(3);
  expect(loaded.filter((module = '') => !ENTRIES.includes(module))).toEqual([]);
});

test('the executable and the exports of the package are entries of the bundle', () => {
  const { exports } = JSON.parse(read('package.json'));
  const places = Object.values<{ default?: string; types?: string }>(exports).flatMap((each) =>
    typeof each === 'string' ? [] : [each.default ?? '', each.types ?? ''],
  );
  const started = [...read('bin/petspec.js').matchAll(/import\('\.\.\/([^']+)'\)/g)].map(
    ([, path]) => `./${path}`,
  );
  expect(started).toHaveLength(1);
  for (const place of [...places, ...started])
    expect(ENTRIES).toContain(/^\.\/dist\/package\/(.*?)\.(?:js|d\.ts)$/.exec(place)?.[1]);
});

test('no other file finds its place by import.meta.url, which is another one in the bundle', () => {
  const relative = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .filter((name) => /(?<!createRequire\()import\.meta\.(?:url|dirname|filename)/.test(read(`src/${name}`)));
  expect(relative).toEqual(['model/package-root.ts']);
});
