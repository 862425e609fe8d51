import { expect, onTestFinished, test } from 'vitest';
import { derivingChecks } from '../../src/judge/derived-checks.ts';
import { realClock } from '../../src/model/clock.ts';
import { whole } from '../../src/model/large/steps.ts';
import { conduct } from '../../src/run/conduct.ts';
import { DEFAULT_OPTIONS } from '../../src/run/options.ts';
import { makePlan } from '../../src/run/plan.ts';
import { tinyContract } from './contract.ts';
import { type Breakage, startLibrary, TOKEN } from './service.ts';

const derivedChecks = whole(derivingChecks);

const contract = tinyContract();
const checks = derivedChecks(contract);
const options = { ...DEFAULT_OPTIONS, exhaust: 'none' as const };

/** What the engine finds of a library, by requirement. */
async function findingsOf(breakage?: Breakage) {
  const { findings } = await judgedLibrary(breakage);
  return Object.entries(findings);
}

async function judgedLibrary(breakage?: Breakage) {
  const library = await startLibrary(breakage);
  onTestFinished(() => library.close());
  const target = { baseUrl: library.baseUrl, apiKey: TOKEN };
  const plan = makePlan(contract, checks, options);
  return conduct(contract, plan, options, target, { clock: realClock });
}

const violatedIn = (findings: Awaited<ReturnType<typeof findingsOf>>) =>
  findings.filter(([, { status }]) => status === 'violated').map(([id]) => id);

test('a service of another interface is judged by what its document implies', async () => {
  const findings = await findingsOf();
  const unmet = findings.filter(([, { status }]) => status !== 'met').map(([id, { reason }]) => [id, reason]);
  expect(unmet).toEqual([]);
  expect(findings).toHaveLength(18);
});

test('where no limit is known, copies of reads go out beside other requests', async () => {
  const { exchanges } = await judgedLibrary();
  const copies = exchanges.filter(({ stage }) => stage === 'beside');
  expect(copies.map(({ operation }) => operation)).toEqual(['findBooks']);
});

test.each([
  ['another status than the documented one', { added: 200 }, ['addBook.201']],
  [
    'a field that is missing',
    { shown: ({ number: _, ...book }: Record<string, unknown>) => book },
    ['Book.number'],
  ],
  [
    'a value that is not allowed',
    { shown: (book: Record<string, unknown>) => ({ ...book, shelf: 'cellar' }) },
    ['Book.shelf'],
  ],
  ['fields that are not checked', { isLenient: true }, ['NewBook.shelf', 'NewBook.title', 'addBook.body']],
] as const)('%s is found', async (_, breakage, ids) => {
  expect(violatedIn(await findingsOf(breakage)).sort()).toEqual([...ids].sort());
});
