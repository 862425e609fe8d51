import { expect, test } from 'vitest';
import { additionFaults, countFaults } from '../../src/reference/faults/history/additions.ts';
import { againFaults } from '../../src/reference/faults/history/again.ts';
import { connectionFaults } from '../../src/reference/faults/history/connection.ts';
import { keyHistoryFaults } from '../../src/reference/faults/history/keys.ts';
import { faults } from '../../src/reference/faults/index.ts';
import { rareFaults } from '../../src/reference/faults/lax/rare.ts';
import { simultaneousFaults } from '../../src/reference/faults/simultaneous.ts';
import { sampled } from '../nightly/sampled.ts';
import { foundOf, isShown } from './found.ts';

/** So many faults are played by day, and all at night. */
const BY_DAY = 24;

/** What shows only after other requests, over one connection, beside one, or now and then. */
const OF_SEVERAL: readonly object[] = [
  ...connectionFaults,
  ...keyHistoryFaults,
  ...additionFaults,
  ...againFaults,
  ...countFaults,
  ...simultaneousFaults,
  ...rareFaults,
];

/** What a few plain requests to a reference of its own do not show, and what it takes. */
const NEEDING_MORE: Readonly<Record<string, string>> = {
  'late-per-target-told-by-key': 'requests of several kinds that use up the limit',
  'early-additions-cost-five': 'requests of several kinds that use up the limit',
  'late-additions': 'requests of several kinds that use up the limit',
  'late-per-target': 'requests of several kinds that use up the limit',
  'late-per-path': 'requests of several kinds that use up the limit',
  'late-404': 'requests of several kinds that use up the limit',
  'early-told-per-operation': 'requests of several kinds that use up the limit',
  'list-default-10': 'the longer lists of the run',
  'list-default-from-second': 'the longer lists of the run',
  'list-public': 'a request that the run had let in',
  'keep-id-of-client': 'another addition between an addition and its read',
  'keep-category-through-double': 'what the run had added before it listed it',
  'http-hang-every-seventh': 'seven requests',
  'missing-id-kept': 'a request of the id before an animal has it',
};

/**
 * Plays what shows the findings of every `of`-th of these faults from `part` on: to the reference with the fault, where it has to
 * show what the finding claims, and to the plain one, where it must not.
 */
export function playEvery(part: number, of: number): void {
  const isAlone = (fault: (typeof faults)[number]) =>
    !OF_SEVERAL.includes(fault) && !(fault.id in NEEDING_MORE);
  const played = sampled(faults.filter(isAlone), BY_DAY, ({ id }) => id, 'claims');
  for (const fault of played.filter((_, index) => index % of === part)) {
    test(`what shows the findings of ${fault.id} shows them`, async () => {
      const found = foundOf(fault);
      expect(found).not.toEqual([]);
      for (const each of found) {
        const { id, reproduction } = each;
        if (reproduction === undefined) expect.fail(`nothing shows ${id}`);
        else if (typeof reproduction === 'object') {
          expect(await isShown(each, reproduction, fault, [fault]), id).toBe(true);
          expect(await isShown(each, reproduction, fault, []), `${id}, without the fault`).toBe(false);
        }
      }
    });
  }
}
