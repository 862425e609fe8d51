import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { rowOf } from '../../scripts/limiters.ts';
import { loadContract } from '../../src/contract/load.ts';
import { faults } from '../../src/reference/faults/index.ts';
import { limiterFaults } from '../../src/reference/faults/limiter/limiter.ts';
import { variants } from '../../src/reference/variants/index.ts';
import { limiterVariants } from '../../src/reference/variants/limiter/limiter.ts';
import { brokenPromises } from '../../src/selfcheck/promises.ts';
import {
  changeOf,
  compareWithCatalogue,
  conductChanged,
  planOfTrial,
  type Subject,
} from '../../src/selfcheck/selfcheck.ts';
import { metAgainstEvidence } from '../evidence/contradictions.ts';

const contract = loadContract();

/** The rows of docs/limiters.md, and what has one. */
const ROWS = readFileSync(new URL('../../docs/limiters.md', import.meta.url), 'utf8').split('\n');
const LIMITERS: readonly object[] = [...limiterFaults, ...limiterVariants];

/** What is not true of docs/limiters.md: `npm run build && node dist/scripts/limiters.js --write` makes it true. */
function wrongRow(subject: Subject, run: Parameters<typeof rowOf>[1]): string[] {
  if (!LIMITERS.includes(changeOf(subject))) return [];
  const row = rowOf(subject, run);
  return ROWS.includes(row) ? [] : [`docs/limiters.md lacks ${row}`];
}

/** Tries a change: what contradicts the catalogue, what was announced, or what the exchanges show; none is right. */
async function tried(subject: Subject) {
  const plan = planOfTrial(contract, subject);
  const run = await conductChanged(contract, plan, subject);
  const { problems, rootCause } = compareWithCatalogue(contract, subject, run);
  const broken = brokenPromises(plan.cost.most, run);
  return {
    problems: [
      ...problems,
      ...broken,
      ...metAgainstEvidence(run.exchanges, run.findings),
      ...wrongRow(subject, run),
    ],
    rootCause,
  };
}

/** Faults of every operation alike, by hand: of all others a root cause would be false. */
const EVERYWHERE: readonly string[] = [];

/** Runs on larger plans take long: `npm test` tries every twelfth fault that needs one, `npm run selfcheck` all. */
const triedFaults = faults.filter(({ plan }, index) => plan === undefined || index % 12 === 0);

/** Tries every `of`-th fault and variant from `part` on: files run side by side. */
export function tryEvery(part: number, of: number): void {
  const isOwn = (_: object, index: number) => index % of === part;

  test.each(triedFaults.filter(isOwn).map((fault) => [fault.id, fault] as const))(
    'fault %s is found by what it violates alone',
    async (_, fault) => {
      const { problems, rootCause } = await tried({ fault });
      expect(problems).toEqual([]);
      if (!EVERYWHERE.includes(fault.id)) expect(rootCause).toBeUndefined();
    },
  );

  test.each(variants.filter(isOwn).map((variant) => [variant.id, variant] as const))(
    'variant %s passes',
    async (_, variant) => {
      expect((await tried({ variant })).problems).toEqual([]);
    },
  );
}
