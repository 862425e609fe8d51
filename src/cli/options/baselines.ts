import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Baseline, type PlannedRun, TODO_COMMENT, withBaseline } from '../../baseline/baseline.ts';
import type { Contract } from '../../model/contract.ts';
import { fileErrorOf } from '../../model/file-error.ts';
import { counted, type Report } from '../../model/report/report.ts';
import { UsageError } from '../../model/usage-error.ts';
import { writeFileAtomically } from '../../report/files/formats.ts';
import { fromHere } from '../../run/settings/stated-options.ts';
import { readNamed } from './named-file.ts';
import type { RunFlags } from './run-options.ts';

/** The effects of `--baseline` and `--write-baseline` on a report. */
export interface Baselines {
  /** @param sent the plan of the run; absent for traffic that petspec did not plan */
  compare(report: Report, sent?: PlannedRun): Report;
  keep(report: Report, sent?: PlannedRun): Promise<void>;
}

/**
 * Reads the baseline of `--baseline`, and checks that the file of `--write-baseline` can be written, before anything is
 * sent.
 * @throws UsageError if the first is not valid, or the second exists
 */
export async function openBaselines(
  { baseline: existing, writeBaseline: wanted }: Pick<RunFlags, 'baseline' | 'writeBaseline'>,
  contract: Pick<Contract, 'requirements' | 'newer' | 'operations'>,
): Promise<Baselines> {
  const baseline = existing === undefined ? undefined : await readKnown('--baseline', existing, contract);
  if (wanted !== undefined) refuseUnwritable(wanted);
  return {
    compare: (report, sent) => (baseline ? withBaseline(report, baseline, sent) : report),
    async keep(report, sent) {
      if (wanted !== undefined)
        process.stderr.write(`petspec: ${wanted}: ${await written(wanted, report, sent, baseline)}\n`);
    },
  };
}

/**
 * Reads a baseline.
 * @param option the option that names it, for messages
 * @throws UsageError if it is not a baseline, or names something that the contract does not know
 */
export async function readKnown(
  option: string,
  path: string,
  { requirements, newer, operations }: Pick<Contract, 'requirements' | 'newer' | 'operations'>,
): Promise<Baseline> {
  const { BaselineProblem, readBaseline } = await import('../../baseline/baseline-file.ts');
  const names = {
    requirements: [...requirements, ...newer].map(({ id }) => id),
    operations: operations.map(({ id }) => id),
  };
  try {
    return readBaseline(fromHere(path), readNamed(option, path).toString(), names);
  } catch (error) {
    if (error instanceof BaselineProblem) throw new UsageError(`${option}: ${error.message}`);
    throw error;
  }
}

function refuseUnwritable(path: string): void {
  if (existsSync(path))
    throw new UsageError(
      `--write-baseline: '${path}' already exists, and may have comments; delete it, or name another file`,
    );
  const error = fileErrorOf(() => accessSync(dirname(resolve(path)), constants.W_OK));
  if (error) throw new UsageError(`--write-baseline: cannot write '${path}' (${error.code})`);
}

/** Writes a baseline. @returns the outcome, in words */
async function written(
  path: string,
  report: Report,
  sent: PlannedRun | undefined,
  earlier: Baseline | undefined,
): Promise<string> {
  if (report.stopped) return `not written: ${report.stopped.message}`;
  const { renderBaseline } = await import('../../baseline/baseline-file.ts');
  const text = renderBaseline(report, sent, earlier);
  const error = fileErrorOf(() => writeFileAtomically(path, text));
  if (error) return `cannot write it (${error.code})`;
  const count = text.split(TODO_COMMENT).length - 1;
  return count === 0 ? 'written' : `written; fill in ${counted(count, 'comment')}`;
}
