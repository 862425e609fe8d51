import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { nameOf, subjects } from '../../src/selfcheck/selfcheck.ts';
import { digestOfSources, foundBefore, recordings, SOURCES } from './recordings.ts';

test('every fault and every variant is recorded, and nothing else', () => {
  const all = subjects().map(nameOf);
  expect([...recordings().keys()]).toEqual(all);
  expect([...foundBefore().keys()]).toEqual(all);
});

test('what sends is what was recorded: npm run record records it again', () => {
  expect(readFileSync(SOURCES, 'utf8').trim()).toBe(digestOfSources());
});
