import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { rowOf } from '../../scripts/limiters.ts';
import { loadContract } from '../../src/contract/load.ts';
import { limiterFaults } from '../../src/reference/faults/index.ts';
import { limiterVariants } from '../../src/reference/variants/index.ts';
import type { Conducted } from '../../src/run/judging/judge-outcome.ts';
import {
  changeOf,
  compareWithCatalogue,
  nameOf,
  type Subject,
  subjects,
} from '../../src/selfcheck/selfcheck.ts';
import { metAgainstEvidence } from '../evidence/contradictions.ts';
import { isNightly } from '../nightly/sampled.ts';
import { recordedRun } from './recorded-run.ts';
import { digestOfLimiters, foundBefore, foundIn, LONG, type Long } from './recordings.ts';

const contract = loadContract();

/** The rows of docs/design/limiters.md, and what has one. */
const ROWS = readFileSync(new URL('../../docs/design/limiters.md', import.meta.url), 'utf8').split('\n');
const LIMITERS: readonly object[] = [...limiterFaults, ...limiterVariants];

/**
 * What need not be judged again by day: the recordings of one limiter in four take as long as all others, and no code that
 * explains limiters has changed since they were judged (`scripts/long-recordings.ts`).
 */
function known(): readonly string[] {
  const { sources, ids }: Long = JSON.parse(readFileSync(LONG, 'utf8'));
  return !isNightly && sources === digestOfLimiters() ? ids : [];
}

/** Judges every `of`-th recorded run again, from `part` on: files run side by side. */
export function judgeAgain(part: number, of: number): void {
  const before = foundBefore();
  const left = known();
  const wanted = subjects().filter((each) => !left.includes(nameOf(each)));
  const own = wanted.filter((_, index) => index % of === part);

  test.each(own.map((subject) => [nameOf(subject), subject] as const))(
    '%s is judged as it was, and as the catalog says',
    (name, subject) => {
      const { run } = recordedRun(subject);
      const { problems, rootCause } = compareWithCatalogue(contract, subject, run);
      expect([
        ...problems,
        ...metAgainstEvidence(run.exchanges, run.findings),
        ...wrongRow(subject, run),
        ...wrongReset(name, run),
      ]).toEqual([]);
      // Of faults, none fails everywhere in the same way.
      expect(rootCause).toBeUndefined();
      expect(foundIn(name, run)).toEqual(before.get(name));
    },
  );
}

/** What names a Reset that had not passed when a request was let through. */
const BEFORE =
  /^after a 429, no request is let through before X-RateLimit-Reset(?:: (\d+) of an earlier response)?$/;

/** Faults that are found by such a Reset, whatever else they say. */
const LET_THROUGH_BEFORE = ['reset-20-late', 'reset-in-a-minute', 'reset-alternates', 'reset-jitters'].map(
  (id) => `fault ${id}`,
);

/** What is not true of the Reset that a finding names: its evidence has it, and it had not passed. */
function wrongReset(name: string, { findings, exchanges }: Conducted): string[] {
  const { expected = '', evidence = [] } = findings['rate-limit.reset'] ?? {};
  const words = BEFORE.exec(expected);
  if (!words) return LET_THROUGH_BEFORE.includes(name) ? [`${name} names no Reset: ${expected}`] : [];
  const [shown, ...before] = evidence.map((number) => exchanges.find(({ id }) => id === number));
  const named = words[1] === undefined ? before[0]?.rate.reset : Number(words[1]);
  const isShown = before.some((each) => each?.rate.reset === named);
  const isAhead = (named ?? 0) * 1_000 > (shown?.receivedAt ?? Number.POSITIVE_INFINITY);
  return isShown && isAhead ? [] : [`${name} names a Reset that is not in its evidence, or had passed`];
}

/** What is not true of docs/design/limiters.md: `npm run build && node dist/scripts/limiters.js --write` makes it true. */
function wrongRow(subject: Subject, run: Conducted): string[] {
  if (!LIMITERS.includes(changeOf(subject))) return [];
  const row = rowOf(subject, run);
  return ROWS.includes(row) ? [] : [`docs/design/limiters.md lacks ${row}`];
}
