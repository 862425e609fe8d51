import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import * as petspec from '../../src/index.ts';
import * as inVitest from '../../src/vitest/index.ts';

const ROOT = join(import.meta.dirname, '../..');

// What others rely on: a name that goes breaks them, and a name that comes is a promise.

test('the entries of the package', () => {
  const { exports, bin } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  expect(Object.keys(exports)).toEqual([
    '.',
    './suite',
    './vitest',
    './package.json',
    './petspec.config.schema.json',
    './petspec.requirements.schema.json',
    './report.schema.json',
  ]);
  expect(Object.keys(bin)).toEqual(['petspec']);
});

test.each([
  ['src/index.ts', petspec, ['UsageError', 'VirtualClock', 'realClock', 'run', 'startReference']],
  ['src/vitest/index.ts', inVitest, ['conformance', 'expectClient', 'matchers']],
])('what %s exports', (_, entry, names) => {
  expect(Object.keys(entry).sort()).toEqual(names);
});

test.each([
  [
    'src/index.ts',
    [
      'Clock',
      'Reference',
      'ReferenceOptions',
      'Report',
      'RequirementResult',
      'RunOptions',
      'RunSettings',
      'Verdict',
    ],
  ],
  [
    'src/vitest/index.ts',
    ['ClientExpectation', 'ConformanceOptions', 'Service', 'StartedTarget', 'Target', 'TargetAddress'],
  ],
])('the types that %s exports', (path, names) => {
  expect(typesOf(readFileSync(join(ROOT, path), 'utf8'))).toEqual(names);
});

/** The names of types that a module exports, read from its text: nothing of them is left when it runs. */
function typesOf(text: string): string[] {
  const lists = [...text.matchAll(/^export (type )?\{([^}]*)\}/gm)].flatMap(([, all, list = '']) =>
    list
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '' && (all !== undefined || each.startsWith('type ')))
      .map((each) => each.replace(/^type |^.* as /, '')),
  );
  const declared = [...text.matchAll(/^export (?:type|interface) (\w+)/gm)].map(([, name]) => String(name));
  return [...lists, ...declared].sort();
}

test('matchers are methods of `expect` as soon as the entry is imported', async () => {
  // Another file of the same worker may have imported it before.
  vi.resetModules();
  await import('../../src/vitest/index.ts');
  expect(Object.keys(inVitest.matchers)).toEqual(['toConformTo']);
  expect(expect({})).toHaveProperty('toConformTo');
});
