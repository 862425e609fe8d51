import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import type { Deviation, Finding } from '../../src/model/finding.ts';
import { DEVIATION_KINDS } from '../../src/model/finding.ts';
import { exitStatusOf } from '../../src/model/report/report.ts';
import { assemble } from '../../src/report/assemble/assemble.ts';
import { recordOf } from '../../src/run/job.ts';
import { type Conducted, judge, type Outcome } from '../../src/run/judging/judge-outcome.ts';
import { DEFAULT_OPTIONS, ofBundled } from '../../src/run/options.ts';
import { seedOf } from '../../src/run/plan/probes.ts';
import { makePlan, type RunPlan } from '../../src/run/plan.ts';
import { nameOf, optionsOfTrial, seedFor, subjects } from '../../src/selfcheck/selfcheck.ts';
import { allChecks } from '../../suites/index.ts';
import { drawn, isNightly } from '../nightly/sampled.ts';
import { foundBefore, recordings } from '../recorded/recordings.ts';

// Texts are for people. Here every text that the judging code writes is replaced by other words as soon as it is written,
// by a wrapper around the function that wrote it. Everything after that sees only the other words.

const known = new Map<string, string>();

/** Other words for a text: the same for the same text, with nothing of it left. */
function reworded(text: string): string {
  const words =
    known.get(text) ?? `words-${[...String(known.size)].map((each) => 'abcdefghij'[Number(each)]).join('')}`;
  known.set(text, words);
  return words;
}

type Json = Record<string, unknown>;

/** A value with every reason, expected, received and observed in it reworded. */
function withOtherWords<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(withOtherWords) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const texts = Object.entries(value as Json).flatMap(([name, each]) => {
    if (TEXTS.has(name) && typeof each === 'string') return [[name, reworded(each)]];
    return NESTED.has(name) ? [[name, withOtherWords(each)]] : [];
  });
  return { ...value, ...Object.fromEntries(texts) };
}
const TEXTS = new Set(['reason', 'expected', 'received', 'observed']);
const NESTED = new Set(['deviations', 'hidden', 'deviation', 'inconclusive']);

/** The functions that write texts, by their file in src/. */
const WRITERS: Readonly<Record<string, readonly string[]>> = {
  'model/finding.ts': ['met', 'vacuous', 'violated', 'observed', 'notTested', 'followsFrom'],
  'judge/exchange/body.ts': ['judgeBody'],
  'judge/exchange/controls.ts': ['explainedBy', 'inconclusiveAfter'],
  'judge/exchange/headers.ts': ['judgeHeaders'],
  'judge/exchange/judge-exchange.ts': ['judgeExchange'],
  'judge/exchange/attribution/key-attribution.ts': ['attributeRefusedKeys'],
  'judge/exchange/shape.ts': ['judgeShape'],
  'judge/exchange/status.ts': ['statusDeviations'],
  'judge/exchange/attribution/failed-reads.ts': ['attributeLostReads'],
  'judge/exchange/attribution/wrong-bodies.ts': ['attributeWrongBodies'],
  'judge/limiter/attribution.ts': ['attributeToLimiter'],
};

const contract = loadContract();
const USUAL = { ...DEFAULT_OPTIONS, frugal: true };
const options = ofBundled(contract.ratePlans, USUAL);
const plan = makePlan(contract, allChecks(contract), options);
const recorded = recordings();
let otherPlan: RunPlan;
let judgeWithOtherWords: (outcome: Outcome) => Conducted;

beforeAll(async () => {
  vi.resetModules();
  for (const [file, names] of Object.entries(WRITERS))
    vi.doMock(`../../src/${file}`, async (original) => {
      const written = (await original()) as Record<string, (...values: unknown[]) => unknown>;
      const wrapped = names.map((name) => [
        name,
        (...values: unknown[]) => withOtherWords(written[name]?.(...values)),
      ]);
      return { ...written, ...Object.fromEntries(wrapped) };
    });
  vi.doMock('../../src/judge/evidence/check.ts', async (original) => {
    const checks = (await original()) as typeof import('../../src/judge/evidence/check.ts');
    const eachExchange: typeof checks.eachExchange = (check, examine) =>
      checks.eachExchange(check, (judged, evidence) => withOtherWords(examine(judged, evidence)));
    return { ...checks, eachExchange };
  });
  const other = {
    ...(await import('../../src/run/judging/judge-outcome.ts')),
    ...(await import('../../src/run/plan.ts')),
    ...(await import('../../suites/index.ts')),
  };
  const made = other.makePlan(contract, other.allChecks(contract), options);
  otherPlan = { ...made, probes: made.probes.map((each) => ({ ...each, title: reworded(each.title) })) };
  const otherContract = {
    ...contract,
    requirements: contract.requirements.map((each) => ({ ...each, statement: reworded(each.statement) })),
  };
  judgeWithOtherWords = (outcome) => other.judge(otherContract, otherPlan, options, outcome);
});

afterAll(() => {
  for (const file of [...Object.keys(WRITERS), 'judge/check.ts']) vi.doUnmock(`../../src/${file}`);
  vi.resetModules();
});

/** What came back, with other words for what petspec says of failures. */
function outcomeInOtherWords(outcome: Outcome): Outcome {
  return {
    ...outcome,
    exchanges: outcome.exchanges.map(({ failure, ...exchange }) =>
      failure ? { ...exchange, failure: { ...failure, message: reworded(failure.message) } } : exchange,
    ),
    unsent: outcome.unsent.map((each) => ({ ...each, reason: reworded(each.reason) })),
    ...(outcome.stopped
      ? { stopped: { ...outcome.stopped, message: reworded(outcome.stopped.message) } }
      : {}),
  };
}

/** All that a run found but its texts, with the verdict and the exit status. */
function resultOf(run: Conducted, of: RunPlan): object {
  const record = recordOf(contract, of.checks, of, { options }, run);
  const report = assemble({ contract, checks: of.checks }, record, run.exchanges, of);
  return {
    findings: Object.fromEntries(
      Object.entries(run.findings).map(([id, { reason, expected, received, observed, seen, ...rest }]) => [
        id,
        { ...rest, seen: seen?.map(({ what, ...each }) => each) },
      ]),
    ),
    verdict: report.verdict,
    exitStatus: exitStatusOf(report),
    rootCause: run.rootCause && { ...run.rootCause, statement: undefined },
    hints: run.hints.map(({ text: _, ...rest }) => rest),
    narrowed: report.narrowed,
  };
}

/** What is recorded with the usual options and the usual seed. */
const all = subjects().filter(
  (each) => isDeepStrictEqual(optionsOfTrial(each), USUAL) && seedFor(each, seedOf(contract)) === plan.seed,
);

/** The first fault of each kind of deviation and of each level, by night of each listed requirement, and some of the rest. */
const some = new Set(drawn(all, isNightly ? 240 : 8, nameOf, 'prose'));
const listed = new Set<string>(
  contract.requirements.filter(({ source }) => source === 'listed').map(({ id }) => id),
);
const found = foundBefore();
const levels = new Map(contract.requirements.map(({ id, level }) => [id as string, level]));
const shown = new Set<string | undefined>();
const chosen = all.filter((subject) => {
  const problems = Object.entries(found.get(nameOf(subject))?.problems ?? {});
  const news = problems
    .flatMap(([id, [kind]]) => [kind, levels.get(id), ...(isNightly && listed.has(id) ? [id] : [])])
    .filter((each) => !shown.has(each));
  for (const each of news) shown.add(each);
  return news.length > 0 || some.has(subject);
});

const kinds = new Set<Deviation['kind'] | undefined>();
const statuses = new Set<Finding['status']>();

test.each(chosen.map((subject) => ({ name: nameOf(subject), subject })))('$name', ({ subject }) => {
  const outcome = recorded.get(nameOf(subject))?.();
  if (!outcome) return expect.fail('it is not recorded: npm run record');
  const run = judge(contract, plan, options, outcome);
  const reread = judgeWithOtherWords(outcomeInOtherWords(outcome));
  expect(resultOf(reread, otherPlan)).toEqual(resultOf(run, plan));
  for (const { kind, status } of Object.values(run.findings)) {
    kinds.add(kind);
    statuses.add(status);
  }
  const texts = Object.values(reread.findings).flatMap(({ reason, expected, received, observed }) =>
    [reason, expected, received, observed].filter((text) => text),
  );
  expect(texts.length).toBeGreaterThan(0);
  expect(texts.filter((text) => !text?.startsWith('words-'))).toEqual([]);
});

test('every kind of deviation and every status was among them', () => {
  expect([...kinds].sort()).toEqual([...DEVIATION_KINDS, undefined].sort());
  expect([...statuses].sort()).toEqual(['advisory', 'met', 'not-tested', 'observed', 'violated']);
});
