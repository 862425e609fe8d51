import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { assemble } from '../../src/report/assemble/assemble.ts';
import { LearntValues } from '../../src/requests/learnt/learnt-values.ts';
import { conductBundled } from '../../src/run/bundled.ts';
import { recordOf } from '../../src/run/job.ts';
import { type Conducted, judge, type Outcome } from '../../src/run/judging/judge-outcome.ts';
import { DEFAULT_OPTIONS } from '../../src/run/options.ts';
import { makePlan } from '../../src/run/plan.ts';
import { checks, contract } from '../reports/sample-runs.ts';
import { type Answer, answer, withAnswer } from './answers.ts';
import { cases, PATIENCE } from './budget.ts';

const options = DEFAULT_OPTIONS;
const plan = makePlan(contract, checks, options);
let run: Conducted;

beforeAll(async () => {
  run = await conductBundled(contract, plan, options, { start: Date.UTC(2026, 10, 21, 10) });
}, PATIENCE);

interface Happening {
  answers: [at: number, answer: Answer][];
  unsent: [at: number, cause: number][];
  referencesKnown: boolean;
  today: number;
}

/** Some exchanges of a run that went well, and what came in place of their answers; and those that were not sent. */
const happening: fc.Arbitrary<Happening> = fc.record({
  answers: fc.array(fc.tuple(fc.nat(1_000), answer), { minLength: 1, maxLength: 12 }),
  unsent: fc.array(fc.tuple(fc.nat(1_000), fc.nat(1_000)), { maxLength: 4 }),
  referencesKnown: fc.boolean(),
  today: fc.constantFrom(Date.UTC(2026, 10, 21), Date.UTC(2031, 0, 1)),
});

function outcomeOf(happened: Happening): Outcome {
  const exchanges = [...run.exchanges];
  const place = (number: number) => number % exchanges.length;
  for (const [at, each] of happened.answers) {
    const exchange = exchanges[place(at)];
    if (exchange) exchanges[place(at)] = withAnswer(exchange, each);
  }
  const gone = new Map(happened.unsent.map(([at, cause]) => [run.exchanges[place(at)]?.probe, cause]));
  return {
    ...run,
    exchanges: exchanges.filter(({ probe }) => !gone.has(probe)),
    unsent: [...gone].map(([probe = '', cause]) => ({
      probe,
      reason: 'not sent',
      cause: run.exchanges[place(cause)]?.probe ?? '',
    })),
    referencesKnown: happened.referencesKnown,
    startedAt: happened.today,
  };
}

test(
  'whatever a target answers: it is judged, each time alike, within bounds',
  () => {
    fc.assert(
      fc.property(happening, (happened) => {
        const outcome = outcomeOf(happened);
        const before = JSON.stringify(outcome);
        const judged = judge(contract, plan, options, outcome);
        expect(JSON.stringify(outcome)).toBe(before);
        const again = judge(contract, plan, options, structuredClone(outcome));
        expect(JSON.stringify(again.findings)).toBe(JSON.stringify(judged.findings));
        const record = recordOf(contract, checks, plan, { options }, judged);
        const report = assemble({ contract, checks }, record, outcome.exchanges, plan);
        expect(report.requirements).toHaveLength(contract.requirements.length);
        for (const { reason, expected = '', received = '', observed = '' } of report.requirements)
          for (const text of [reason, expected, received, observed]) expect(text.length).toBeLessThan(2_100);
      }),
      cases(60),
    );
  },
  PATIENCE,
);

test(
  'whatever a target answers: what later requests take from it is a value, or nothing',
  () => {
    fc.assert(
      fc.property(fc.nat(1_000), answer, (at, each) => {
        const exchange = run.exchanges[at % run.exchanges.length];
        if (!exchange) return;
        const values = new LearntValues(undefined, () => 7n);
        values.learn(withAnswer(exchange, each));
        const source = { probe: exchange.probe, pointer: '/id' };
        const id = values.resolve({ late: 'response', sources: [source] });
        expect(id === undefined || typeof id === 'string').toBe(true);
        const category = values.resolve({ late: 'reference', name: 'categoryId', as: 'value' });
        expect(['number', 'bigint']).toContain(typeof category);
      }),
      cases(200),
    );
  },
  PATIENCE,
);
