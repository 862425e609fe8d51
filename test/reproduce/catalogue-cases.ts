import { expect, test } from 'vitest';
import { simultaneousFaults } from '../../src/reference/faults/concurrency/simultaneous.ts';
import { additionFaults } from '../../src/reference/faults/history/additions.ts';
import { againFaults } from '../../src/reference/faults/history/again.ts';
import { connectionFaults } from '../../src/reference/faults/history/connection.ts';
import { countFaults } from '../../src/reference/faults/history/counts.ts';
import { keyHistoryFaults } from '../../src/reference/faults/history/keys.ts';
import { faults } from '../../src/reference/faults/index.ts';
import { rareFaults } from '../../src/reference/faults/lax/rare.ts';
import { contradictedBy, findingsOf, type Shape, shapeOf, statusAfter } from './catalogue.ts';

/** Shapes whose scripts compare answers themselves: bash runs one of each kind. */
export const COMPARING: readonly Shape[] = [
  'a record',
  'entries',
  'until two are the same',
  'together',
  'limits again',
  'answers again',
];

/** Shapes whose scripts show the figures of a limit in a row: bash runs one of each kind, too. */
export const FIGURES: readonly Shape[] = ['limits in turn', 'limits in turn and again'];

/** `npm test` plays what every twentieth fault prints, `npm run test:scripts` all. */
const STEP = process.env.PETSPEC_ALL_SCRIPTS ? 1 : 20;

/** What shows only after other requests, beside one, or now and then: a script of one request does not show it. */
const OF_SEVERAL: readonly object[] = [
  ...connectionFaults,
  ...keyHistoryFaults,
  ...additionFaults,
  ...againFaults,
  ...countFaults,
  ...simultaneousFaults,
  ...rareFaults,
];

/**
 * What shows in lists of what the run added: the script asks the same service again, which still has it. A new reference
 * does not.
 */
const OF_ADDED: Readonly<Record<string, string>> = { 'keep-category-through-double': 'Pet.categoryId' };

/** Its Reset is wrong only beside the Retry-After of a refusal, which one read does not show. */
const OF_REFUSALS: readonly string[] = ['reset-midnight'];

/**
 * Plays what every `of`-th of these faults from `part` on prints: against itself, where it shows, and against the plain
 * reference.
 */
export function playEvery(part: number, of: number): void {
  const isAlone = (fault: (typeof faults)[number]) =>
    !OF_SEVERAL.includes(fault) && !OF_REFUSALS.includes(fault.id);
  const played = faults.filter((fault, index) => index % STEP === 0 && isAlone(fault));
  for (const fault of played.filter((_, index) => index % of === part)) {
    test.concurrent(`what ${fault.id} prints shows it`, async () => {
      const found = await findingsOf(fault);
      expect(found.problems).not.toEqual([]);
      for (const problem of found.problems) {
        const script = problem.reproduce?.script ?? '';
        expect(script).not.toBe('');
        if (OF_ADDED[fault.id] === problem.id) continue;
        if (COMPARING.includes(shapeOf(script))) continue;
        if (FIGURES.includes(shapeOf(script))) {
          expect(await contradictedBy(found, problem, [fault]), script).toBe(true);
          expect(await contradictedBy(found, problem, []), script).toBe(false);
          continue;
        }
        const isShown = (await statusAfter(found, problem, [fault])) === problem.status;
        expect(isShown, script).toBe(true);
        expect(['met', 'not-tested'], script).toContain(await statusAfter(found, problem, []));
      }
    });
  }
}
