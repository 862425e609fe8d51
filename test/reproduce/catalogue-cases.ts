import { expect, test } from 'vitest';
import { faults } from '../../src/reference/faults/index.ts';
import { findingsOf, type Shape, shapeOf, statusAfter } from './catalogue.ts';

/** Shapes whose scripts compare answers themselves: bash runs one of each kind. */
export const COMPARING: readonly Shape[] = [
  'a record',
  'entries',
  'until two are the same',
  'together',
  'limits in turn',
  'limits again',
  'answers again',
];

/** Plays what every `of`-th fault from `part` on prints: against itself, where it shows, and against the plain reference. */
export function playEvery(part: number, of: number): void {
  for (const fault of faults.filter((_, index) => index % of === part)) {
    test.concurrent(`what ${fault.id} prints shows it`, async () => {
      const found = await findingsOf(fault);
      expect(found.problems).not.toEqual([]);
      for (const problem of found.problems) {
        const script = problem.reproduce?.script ?? '';
        expect(script).not.toBe('');
        if (COMPARING.includes(shapeOf(script))) continue;
        expect(await statusAfter(found, problem, [fault]), script).toBe(problem.status);
        expect(['met', 'not-tested'], script).toContain(await statusAfter(found, problem, []));
      }
    });
  }
}
