import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FORMATS } from '../../src/cli/options/option-values.ts';
import { writeReports } from '../../src/cli/output/deliver.ts';
import { reportProblem } from '../../src/model/report/report-schema.ts';
import { UsageError } from '../../src/model/usage-error.ts';
import { assemble } from '../../src/report/assemble/assemble.ts';
import { compareReports } from '../../src/report/compare/compare.ts';
import { renderCompareHtml } from '../../src/report/compare/compare-html.ts';
import { renderCompareMarkdown, renderCompareText } from '../../src/report/compare/compare-text.ts';
import { readReport } from '../../src/report/read-report.ts';
import { plain } from '../../src/report/text/style.ts';
import { ledgerOptions, planAgain, rejudge } from '../../src/run/judging/rejudge.ts';
import { DamagedLedger, exchangesOf, readLedger } from '../../src/session/ledger/ledger.ts';
import { checks, contract, sampleRun } from '../reports/sample-runs.ts';
import { cases, PATIENCE } from './budget.ts';
import { hostileText } from './texts.ts';
import { changedTree, type TreeChange, treeChange } from './trees.ts';

let folder: string;
let ledger: string;
let lines: string[];
let reportText: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'petspec-fuzz-'));
  ledger = join(folder, 'ledger.jsonl');
  const { report } = await sampleRun({ faults: ['list-one-too-many'], ledger });
  lines = readFileSync(ledger, 'utf8').trimEnd().split('\n');
  reportText = JSON.stringify(report);
}, PATIENCE);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What was done to a file: values of its JSON, whole lines, or its text. */
type Damage =
  | { kind: 'tree'; line: number; change: TreeChange }
  | { kind: 'line'; line: number; take: number; put: string[] }
  | { kind: 'text'; at: number; take: number; put: string };

/** A place near the ends more often than chance has it: there stand the header and the end. */
const lineNumber = fc.oneof(fc.constantFrom(0, 1_000_000), fc.nat(1_000));
const treeDamage = fc.record({ kind: fc.constant('tree' as const), line: lineNumber, change: treeChange });
const damage: fc.Arbitrary<Damage> = fc.oneof(
  { weight: 5, arbitrary: treeDamage },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('line' as const),
      line: lineNumber,
      take: fc.nat(3),
      put: fc.array(fc.oneof(fc.json(), fc.constantFrom('', '{}', '[]', 'null', '{"record":"end"}')), {
        maxLength: 2,
      }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('text' as const),
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      take: fc.nat(50),
      put: hostileText,
    }),
  },
);

function damaged(whole: readonly string[], damages: readonly Damage[]): string {
  const text = damages.reduce<string[]>(
    (all, each) => {
      if (each.kind === 'text') return all;
      const at = Math.min(each.line, all.length - 1);
      if (each.kind === 'line') return all.toSpliced(at, each.take, ...each.put);
      const line = all[at] ?? '';
      return isJson(line) ? all.with(at, JSON.stringify(changedTree(JSON.parse(line), each.change))) : all;
    },
    [...whole],
  );
  return damages.reduce(
    (all, each) => {
      if (each.kind !== 'text') return all;
      const from = Math.floor(each.at * all.length);
      return all.slice(0, from) + each.put + all.slice(from + each.take);
    },
    `${text.join('\n')}\n`,
  );
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test(
  'any ledger: a report in every format, or a line that says why there is none',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 3 }), async (damages) => {
        writeFileSync(ledger, damaged(lines, damages));
        let record: ReturnType<typeof rejudge>;
        try {
          record = rejudge(contract, checks, readLedger(ledger));
        } catch (error) {
          // Whatever else is thrown would be told as a bug of petspec.
          if (!(error instanceof UsageError) && !(error instanceof DamagedLedger)) throw error;
          expect(error.message).toMatch(/^[^\n]{1,400}$/);
          return;
        }
        const plan = planAgain(contract, checks, ledgerOptions(readLedger(ledger)));
        const report = assemble({ contract, checks }, record, exchangesOf(ledger), plan);
        expect(reportProblem(JSON.parse(JSON.stringify(report)))).toBeUndefined();
        const written = await writeReports(report, () => exchangesOf(ledger), FORMATS, folder);
        expect(written.problems).toEqual([]);
      }),
      cases(80),
    );
  },
  PATIENCE,
);

test(
  'any report.json: compared in every format, or a few words that say why it is none',
  () => {
    fc.assert(
      fc.property(fc.array(damage, { minLength: 1, maxLength: 3 }), (damages) => {
        const read = readReport(damaged([reportText], damages));
        if (typeof read === 'string') {
          expect(read).toMatch(/^[^\n]{1,400}$/);
          return;
        }
        const good = readReport(reportText);
        if (typeof good === 'string') throw new Error(good);
        const runs = [good, read].map((report, index) => ({ name: `run-${index}`, report }));
        for (const pair of [runs, runs.toReversed()]) {
          const comparison = compareReports(pair);
          renderCompareText(comparison, { style: plain, width: 80 });
          renderCompareMarkdown(comparison);
          renderCompareHtml(comparison);
        }
      }),
      cases(80),
    );
  },
  PATIENCE,
);
