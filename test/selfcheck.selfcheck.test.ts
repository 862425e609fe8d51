import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { rowOf } from '../scripts/limiters.ts';
import { loadContract } from '../src/contract/load.ts';
import { faults } from '../src/reference/faults/index.ts';
import { limiterFaults } from '../src/reference/faults/limiter/limiter.ts';
import { variants } from '../src/reference/variants/index.ts';
import { limiterVariants } from '../src/reference/variants/limiter/limiter.ts';
import { OPEN } from '../src/reference/variants/open.ts';
import { brokenPromises } from '../src/selfcheck/promises.ts';
import {
  changeOf,
  compareWithCatalogue,
  conductChanged,
  planOfTrial,
  type Subject,
} from '../src/selfcheck/selfcheck.ts';
import { metAgainstEvidence } from './evidence/contradictions.ts';

const contract = loadContract();

/** The rows of docs/limiters.md, and what has one. */
const ROWS = readFileSync(new URL('../docs/limiters.md', import.meta.url), 'utf8').split('\n');
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

test.each(triedFaults.map((fault) => [fault.id, fault] as const))(
  'fault %s is found by what it violates alone',
  async (_, fault) => {
    const { problems, rootCause } = await tried({ fault });
    expect(problems).toEqual([]);
    if (!EVERYWHERE.includes(fault.id)) expect(rootCause).toBeUndefined();
  },
);

test.each(variants.map((variant) => [variant.id, variant] as const))(
  'variant %s passes',
  async (_, variant) => {
    expect((await tried({ variant })).problems).toEqual([]);
  },
);

test('every requirement that is judged is violated by a fault, each must by two', () => {
  const named = faults.flatMap(({ violates }) => violates as string[]);
  const lacking = contract.requirements.filter(({ id, level }) => {
    const wanted = { must: 2, should: 1, open: 0 }[level];
    return named.filter((each) => each === id).length < wanted;
  });
  expect(lacking.map(({ id }) => id)).toEqual([]);
});

test('faults and variants name requirements that exist, each under an id of its own', () => {
  const known = new Set(contract.requirements.map(({ id }) => id));
  const names = [
    ...faults.flatMap(({ violates }) => violates),
    ...variants.flatMap(({ untested }) => untested ?? []),
  ];
  expect(names.filter((id) => !known.has(id))).toEqual([]);
  const ids = [...faults, ...variants].map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test('what the interface leaves open has a variant each, and no fault', () => {
  const open = contract.requirements.filter(({ level }) => level === 'open').map(({ id }) => id);
  expect(Object.keys(OPEN).sort()).toEqual([...open].sort());
  const known = new Set(variants.map(({ id }) => id));
  for (const [id, shown] of Object.entries(OPEN)) {
    expect(shown, id).not.toEqual([]);
    expect(
      shown.filter((each) => !known.has(each)),
      id,
    ).toEqual([]);
  }
  expect(faults.filter(({ violates }) => violates.some((id) => open.includes(id)))).toEqual([]);
});

test('a second violated requirement has a written reason', () => {
  const unexplained = faults.filter(({ violates, because }) => violates.length > 1 && !because);
  expect(unexplained.map(({ id }) => id)).toEqual([]);
});
