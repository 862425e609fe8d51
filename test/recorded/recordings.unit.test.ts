import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { rareFaults } from '../../src/reference/faults/lax/rare.ts';
import { simultaneousFaults } from '../../src/reference/faults/simultaneous.ts';
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

/** Faults that need more than a few requests in a row, and what they need. */
const NEEDING_MORE: Readonly<Record<string, string>> = {
  'create-id-race': 'two additions at once',
  'create-shared-variable': 'two additions at once',
  'keep-id-of-client': 'another addition between an addition and its read',
  'remaining-one-high': 'a place in the window',
  'reset-window-start': 'a place in the window',
  'added-fourth-id-again': 'four additions in a row',
  'added-seventh-lost': 'seven additions in a row',
  'right-then-wrong-fetch': 'a fetch of the same animal before it, and a fourth wrong key',
  'right-then-wrong-orders': 'a fourth wrong key',
  'forgets-after-half-a-minute': 'half a minute between an addition and its read',
  'status-lost-after-half-a-minute': 'half a minute between an addition and its read',
  'late-per-forwarded-together': 'more requests than a third of the window after the recovery',
  'missing-id-kept': 'a read of the id before an animal has it',
  'refused-for-status-added': 'a read of the id that only a refused animal got',
  'again-fetch-status': 'a list between an addition and its read',
  'again-fetch-evicted': 'other reads between an addition and its read',
};

test('every run looked for its findings again, and saw them unless they need chance, or more than a few requests', () => {
  const chance = [...simultaneousFaults, ...rareFaults].map(({ id }) => id);
  const allowed = new Set([...chance, ...Object.keys(NEEDING_MORE)].map((id) => `fault ${id}`));
  const unseen = [...foundBefore().values()].flatMap(({ id, problems }) =>
    Object.values(problems).some(([, , again]) => again === 'not-again' || again === null) ? [id] : [],
  );
  expect(unseen.filter((id) => !allowed.has(id))).toEqual([]);
  expect(unseen.length).toBeGreaterThan(0);
});
