import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { inTurns } from '../../model/large/steps.ts';
import type { Report } from '../../model/report/report.ts';
import { assembling } from '../../report/assemble/assemble.ts';
import { REPORT_FILES } from '../../report/files/formats.ts';
import { renderInterface, renderStart } from '../../report/text/announcement.ts';
import type { Interface } from '../../run/contract-of.ts';
import type { Job, TestMeta } from '../../run/job.ts';
import type { RunOptions } from '../../run/options.ts';
import type { RunPlan } from '../../run/plan.ts';
import { exchangesOf, headerOf } from '../../session/ledger/ledger.ts';
import type { Conductor } from '../../vitest/vitest-run.ts';
import { openBaselines } from '../options/baselines.ts';
import { DEFAULT_FORMATS } from '../options/option-values.ts';
import { detailOf, type RunFlags } from '../options/run-options.ts';
import { deliver } from '../output/deliver.ts';
import { heedInterruption, INTERRUPTED } from '../output/interruption.ts';
import {
  clearFolder,
  holdLedger,
  type OwnLedger,
  openFolder,
  openReportFolder,
} from '../output/out-folder.ts';
import { showProgress } from '../output/progress.ts';
import { keepSecret } from '../output/secrets.ts';

/** A run whose reports are written. */
export interface Delivered {
  report: Report;
  /** The exit status. */
  status: number;
  /** Absolute path of the folder with its reports; undefined if another run has taken it over. */
  out?: string | undefined;
}

/** Conducts a run, writes its reports and prints the findings. */
export async function conduct(
  judging: Interface,
  plan: RunPlan,
  options: RunOptions,
  flags: RunFlags,
  conductor: Conductor,
  begunAt: number,
): Promise<Delivered> {
  const { contract } = judging;
  const baselines = await openBaselines(flags, contract);
  const { path: out, problem } = openReportFolder(flags.out, clearFolder);
  const ledger = join(out, REPORT_FILES.ledger);
  const run = randomUUID();
  const startedAt = performance.now();
  if (!flags.quiet)
    process.stderr.write(`${renderInterface(contract)}${renderStart(contract, plan, options)}`);
  const job = { options, ledger, run, begunAt };
  const { record, openLedger } = await watched(job, flags, (watch) => conductor(judging, plan, job, watch));
  try {
    const { unwritten } = record;
    if (unwritten && !problem)
      process.stderr.write(`petspec: cannot write ${ledger}: ${unwritten.problem.message}\n`);
    const exchanges = () => unwritten?.exchanges ?? exchangesOf(openLedger?.file ?? ledger);
    const report = baselines.compare(await inTurns(assembling(judging, record, exchanges(), plan)), plan);
    // The folder may belong to another run by now. Its files must not mix with those of this run.
    const isOurs = () =>
      openLedger === undefined || (openLedger.isThere() && (headerOf(openLedger.file)?.run ?? run) === run);
    if (!problem && isOurs()) openFolder(flags.out, (folder) => clearFolder(folder, [REPORT_FILES.ledger]));
    const folder = problem || unwritten?.problem.isReplaced ? {} : { out, isOurs };
    const formats = flags.format ?? DEFAULT_FORMATS;
    // In virtual time, only the clock of the machine says how long a run takes.
    const ms = options.baseUrl === undefined ? performance.now() - startedAt : report.durationMs;
    const seconds = ms / 1000;
    const status = await deliver(report, exchanges, { formats, ...folder, detail: detailOf(flags), seconds });
    await baselines.keep(report, plan);
    return { report, status, out: 'out' in folder && isOurs() ? out : undefined };
  } finally {
    openLedger?.close();
  }
}

/** Conducts the run and shows its progress. @returns its record, and its ledger, held open, if it could be made */
async function watched(
  job: Job & { ledger: string },
  flags: RunFlags,
  conductWith: (watch: Parameters<Conductor>[3]) => ReturnType<Conductor>,
): Promise<{ record: NonNullable<TestMeta['run']>; openLedger?: OwnLedger | undefined }> {
  const { options, ledger } = job;
  const detail = detailOf(flags);
  const progress = showProgress(process.stderr, process.env, detail);
  const interruption = heedInterruption(() => progress.say(INTERRUPTED));
  let openLedger: OwnLedger | undefined;
  try {
    const record = await conductWith({
      onEvent(event) {
        if (event.kind === 'new-key') return keepSecret({ ...options, apiKey: event.key });
        if (event.kind === 'listening') openLedger = tryToHold(ledger);
        const isVirtual = event.kind === 'waiting' && options.baseUrl === undefined;
        const shown = isVirtual ? { ...event, why: `${event.why} (virtual time: skipped)` } : event;
        // After an interruption, the remaining requests are only skipped.
        if (event.kind !== 'sent' || !interruption.signal.aborted) progress.update(shown);
      },
      signal: interruption.signal,
    });
    return { record, openLedger };
  } finally {
    interruption.release();
    progress.end();
  }
}

/** Holds the ledger open. If that fails, the run reports at its end why it could not write the ledger. */
function tryToHold(ledger: string): OwnLedger | undefined {
  try {
    return holdLedger(ledger);
  } catch {
    return undefined;
  }
}
