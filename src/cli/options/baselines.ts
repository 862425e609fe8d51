import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { type Baseline, TODO_COMMENT } from '../../baseline/baseline.ts';
import { withBaseline } from '../../baseline/match.ts';
import { BaselineProblem, readBaseline } from '../../baseline/read.ts';
import { renderBaseline } from '../../baseline/write.ts';
import type { Contract } from '../../model/contract.ts';
import type { Report } from '../../model/report/report.ts';
import { writeFileAtomically } from '../../report/formats/files.ts';
import { UsageError } from '../../run/options.ts';
import type { RunPlan } from '../../run/plan.ts';
import { isFileError } from '../output/write-reports.ts';
import type { RunFlags } from './run-options.ts';
import { readNamed } from './signing.ts';

/** What `--baseline` and `--write-baseline` make of a report. */
export interface Baselines {
  compare(report: Report, plan: Pick<RunPlan, 'probes'>): Report;
  keep(report: Report): void;
}

/**
 * Reads the baseline that is in use, and sees to it that one that is to be written can be: before anything is sent.
 * @throws UsageError where the one is none, or the other is there already
 */
export function openBaselines(
  { baseline: used, writeBaseline: wanted }: Pick<RunFlags, 'baseline' | 'writeBaseline'>,
  contract: Contract,
): Baselines {
  const baseline = used === undefined ? undefined : known(used, contract);
  if (wanted !== undefined) refuseUnwritable(wanted);
  return {
    compare(report, { probes }) {
      if (!baseline) return report;
      return withBaseline(report, baseline, new Set(probes.map(({ id }) => id)));
    },
    keep(report) {
      if (wanted !== undefined) write(wanted, report, baseline);
    },
  };
}

function known(path: string, { requirements, newer }: Contract): Baseline {
  const ids = [...requirements, ...newer].map(({ id }) => id);
  try {
    return readBaseline(shortened(path), readNamed('--baseline', path).toString(), ids);
  } catch (error) {
    if (error instanceof BaselineProblem) throw new UsageError(`--baseline ${error.message}`);
    throw error;
  }
}

/** A path as it is short: from the working folder, if it is there. */
export function shortened(path: string): string {
  const short = relative(process.cwd(), resolve(path));
  return short === '' || short.startsWith('..') ? path : short;
}

function refuseUnwritable(path: string): void {
  if (existsSync(path))
    throw new UsageError(
      `--write-baseline ${path}: is there already, with comments; delete it first, or name another file`,
    );
  try {
    accessSync(dirname(resolve(path)), constants.W_OK);
  } catch (error) {
    if (!isFileError(error)) throw error;
    throw new UsageError(`--write-baseline ${path}: cannot be written (${error.code})`);
  }
}

function write(path: string, report: Report, earlier: Baseline | undefined): void {
  const say = (words: string) => process.stderr.write(`petspec: ${path}: ${words}\n`);
  if (report.stopped) return void say(`not written: ${report.stopped.message}`);
  try {
    const text = renderBaseline(report, earlier);
    writeFileAtomically(path, text);
    const count = text.split(TODO_COMMENT).length - 1;
    const due = count === 1 ? 'one of its comments is' : `${count} of its comments are`;
    say(count === 0 ? 'written' : `written; ${due} yours to fill in`);
  } catch (error) {
    if (!isFileError(error)) throw error;
    say(`cannot be written (${error.code})`);
  }
}
