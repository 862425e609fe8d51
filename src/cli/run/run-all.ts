import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { inTurns } from '../../model/large/steps.ts';
import { lineOf } from '../../model/report/finding-lines.ts';
import { EXIT_STATUS, exitStatusOf, isViolation, type Report } from '../../model/report/report.ts';
import { UsageError } from '../../model/usage-error.ts';
import { visible } from '../../model/visible.ts';
import { assembling } from '../../report/assemble/assemble.ts';
import { comparedReports } from '../../report/compare/compare.ts';
import { reasonOf, verdictWords } from '../../report/facts/verdict.ts';
import { REPORT_FILES } from '../../report/files/formats.ts';
import { renderStart } from '../../report/text/announcement.ts';
import { nothingPlanned } from '../../report/text/run-plan.ts';
import { baselineLines } from '../../report/text/verdict-lines.ts';
import { conductSideBySide, type NamedJob, sharingWindows } from '../../run/concurrent-runs.ts';
import { type JobResult, recordOf } from '../../run/job.ts';
import { sharedPlans } from '../../run/plan.ts';
import { exchangesOf } from '../../session/ledger/ledger.ts';
import { type Baselines, openBaselines } from '../options/baselines.ts';
import { DEFAULT_FORMATS } from '../options/option-values.ts';
import { type NamedTarget, renderWarnings, resolveAll } from '../options/resolve-target.ts';
import { detailOf, type RunFlags } from '../options/run-options.ts';
import { refuseSigned } from '../options/signing.ts';
import { BUG, bugLine } from '../output/bugs.ts';
import { writeReports } from '../output/deliver.ts';
import { COMPARISON_FILES, deliverComparison } from '../output/deliver-comparison.ts';
import { heedInterruption, INTERRUPTED } from '../output/interruption.ts';
import { clearFolder, type OutFolder, openFolder, openReportFolder } from '../output/out-folder.ts';
import { type ProgressLines, showManyProgress } from '../output/progress.ts';
import { keepSecret } from '../output/secrets.ts';

/** Violations of each target that are printed. */
const MAX_FINDINGS = 5;

/**
 * Bad exit statuses, the worst first. A violation outweighs everything else. A target that petspec failed on is worse
 * than a target that could not be judged in full, because less is known about it.
 */
const WORST_FIRST = [EXIT_STATUS['non-conformant'], BUG, EXIT_STATUS.incomplete];

/** The worst of several exit statuses. */
export function worstOf(statuses: readonly number[]): number {
  return WORST_FIRST.find((status) => statuses.includes(status)) ?? EXIT_STATUS.conformant;
}

/** The result of one target. It has no report if petspec failed. */
interface TargetOutcome {
  name: string;
  status: number;
  report?: Report;
}

/** The runs of all targets, ready to start. */
interface Batch {
  jobs: readonly NamedJob[];
  baselines: ReadonlyMap<string, Baselines>;
  flags: RunFlags;
  isUnwritable: (folder: string) => boolean;
  /** Reduces a report to what the comparison needs: whole reports take much memory, and are on disk by then. */
  reduced: (report: Report) => Report;
}

/**
 * `petspec run --all`: judges every target of the configuration concurrently, and compares them at the end.
 * @returns the worst exit status
 * @throws UsageError before anything is sent, if a target cannot be judged
 */
export async function runAll(flags: RunFlags): Promise<number> {
  refuseOptionsOfOneTarget(flags);
  const resolved = await resolveAll(flags);
  const shared = sharingWindows(resolved.map(({ options }) => options));
  const targets = resolved.map((target, index) => ({ ...target, options: shared[index] ?? target.options }));
  const baselines = new Map(
    await Promise.all(
      targets.map(
        async ({ name, baseline, judging }) =>
          [name, await openBaselines(baseline === undefined ? {} : { baseline }, judging.contract)] as const,
      ),
    ),
  );
  const makePlan = sharedPlans();
  const jobs = targets.map((target) => jobOf(target, makePlan, flags.out));
  if (flags.dryRun) {
    process.stdout.write(`${costsOf(jobs, 'would judge')}nothing was sent\n`);
    return 0;
  }
  for (const folder of [flags.out, ...targets.map(({ name }) => join(flags.out, name))]) refuseSigned(folder);
  for (const { name, options } of targets) {
    keepSecret(options);
    process.stderr.write(renderWarnings(options, {}).replaceAll(/^petspec: /gm, `petspec: ${name}: `));
  }
  const [out, ...folders] = openFolders(flags.out, jobs);
  if (!flags.quiet) process.stderr.write(costsOf(jobs, 'judging'));
  const unwritable = [out, ...folders].filter(({ problem }) => problem !== undefined).map(({ path }) => path);
  const isUnwritable = (folder: string) =>
    unwritable.includes(resolve(folder)) || unwritable.includes(dirname(resolve(folder)));
  const outcomes = await conductAll({
    jobs,
    baselines,
    flags,
    isUnwritable,
    reduced: jobs.length > 1 ? comparedReports() : (report) => report,
  });
  deliverComparison(
    outcomes.flatMap(({ name, report }) => (report ? [{ name, report }] : [])),
    {
      isPartial: outcomes.some(({ report }) => report === undefined),
      out: out.problem ? undefined : out.path,
      formats: flags.format ?? DEFAULT_FORMATS,
      quiet: flags.quiet ?? false,
    },
  );
  return worstOf(outcomes.map(({ status }) => status));
}

function refuseOptionsOfOneTarget(flags: RunFlags): void {
  if (flags.ui) throw new UsageError('cannot combine --ui and --all; name one target instead of --all');
  const refuse = (options: string, settings: string) => {
    throw new UsageError(
      `cannot combine ${options} with --all; set ${settings} of each target in the configuration`,
    );
  };
  if (flags.baseline !== undefined || flags.writeBaseline !== undefined)
    refuse('--baseline or --write-baseline', "'baseline'");
  if (flags.authFile !== undefined) refuse('--auth-file', "'apiKeyVariable' or 'apiKeyFile'");
  if (flags.apiKeyCommand !== undefined) refuse('--api-key-command', "'apiKeyVariable' or 'apiKeyFile'");
  if (flags.secondKey !== undefined)
    throw new UsageError('cannot combine --second-key with --all; leave one out');
  if (flags.apiKey !== undefined || flags.apiKeyFile !== undefined)
    refuse('--api-key or --api-key-file', "'apiKeyVariable' or 'apiKeyFile'");
  if (flags.apiUrl !== undefined) refuse('--api-url', "'apiUrl'");
  if (flags.server !== undefined) refuse('--server', "'servers'");
  if (flags.interface !== undefined) refuse('--interface', "'interface'");
}

function jobOf(
  { name, options, judging }: NamedTarget,
  makePlan: ReturnType<typeof sharedPlans>,
  out: string,
): NamedJob {
  const plan = makePlan(judging.contract, judging.checks, options);
  if (plan.probes.length === 0) throw new UsageError(`${name}: ${nothingPlanned(judging.contract)}`);
  return {
    name,
    judging,
    plan,
    job: { options, ledger: join(out, name, REPORT_FILES.ledger), run: randomUUID() },
  };
}

/** The cost of each run, with the name of its target in front of each line. */
function costsOf(jobs: readonly NamedJob[], verb: string): string {
  const costs = jobs.map(({ name, judging, plan, job }) =>
    renderStart(judging.contract, plan, job.options, verb).replaceAll(/^(?=.)/gm, `${name}: `),
  );
  return costs.join('');
}

/** Makes the folder for the comparison and a folder for each target, and reports which cannot be written. */
function openFolders(folder: string, jobs: readonly NamedJob[]): [OutFolder, ...OutFolder[]] {
  // If a folder is refused, the reports in the other folders stay.
  if (!openFolder(folder).problem) for (const { name } of jobs) openFolder(join(folder, name));
  const out = openReportFolder(folder, (path) => {
    for (const file of Object.values(COMPARISON_FILES)) rmSync(join(path, file), { force: true });
  });
  const folders = out.problem
    ? []
    : jobs.map(({ name }) => openReportFolder(join(folder, name), clearFolder));
  return [out, ...folders];
}

/**
 * Sets by how many percent of the live objects the heap grows before garbage is collected; 0 leaves that to V8, which lets it grow
 * to a multiple. Most of what many runs allocate is soon garbage.
 */
function growHeapBy(percent: number): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}

/** Conducts all runs, and writes the reports of each as soon as it ends. @returns the outcomes in the order of the targets */
async function conductAll(batch: Batch): Promise<TargetOutcome[]> {
  const { jobs, flags } = batch;
  const names = jobs.map(({ name }) => name);
  const progress = showManyProgress(process.stderr, process.env, names, detailOf(flags));
  const interruption = heedInterruption(() => progress.note(INTERRUPTED));
  const { signal } = interruption;
  const outcomes = new Map<string, TargetOutcome>();
  growHeapBy(40);
  try {
    await conductSideBySide(
      jobs,
      {
        signal,
        onEvent: (name, event) =>
          event.kind === 'sent' && signal.aborted ? undefined : progress.update(name, event),
        onHeldBack: (name, others) =>
          progress.say(name, `starts after ${others.join(', ')}: same key at the same origin`),
      },
      async (job, result) => {
        outcomes.set(job.name, await conclude(batch, job, result, progress));
      },
    );
  } finally {
    growHeapBy(0);
    interruption.release();
    progress.close();
  }
  return names.flatMap((name) => outcomes.get(name) ?? []);
}

/** Writes the reports of a run that has ended, and prints its verdict. */
async function conclude(
  batch: Batch,
  { name, ...job }: NamedJob,
  result: JobResult | Error,
  progress: ProgressLines,
): Promise<TargetOutcome> {
  try {
    if (result instanceof Error) throw result;
    const { report, problems } = await reportOf(batch, { name, ...job }, result);
    for (const problem of problems) progress.note(`petspec: ${name}: ${problem}`);
    const compared = report.baseline ? `; violations: ${baselineLines(report.baseline).head}` : '';
    progress.end(name, visible(`${verdictWords(report)}: ${reasonOf(report)}${compared}`));
    for (const line of shortFindings(report)) progress.say(name, visible(line));
    return { name, status: exitStatusOf(report), report: batch.reduced(report) };
  } catch (error) {
    progress.note(`petspec: ${name}: ${bugLine(error)}`);
    progress.end(name, 'not judged');
    return { name, status: BUG };
  }
}

/** The first violations of a report, a line each. */
function shortFindings(report: Report): string[] {
  const violated = report.requirements.filter((result) => isViolation(report, result));
  const more = violated.length - MAX_FINDINGS;
  return [
    ...violated.slice(0, MAX_FINDINGS).map((result) => `  ✗ ${result.id}: ${lineOf(result)}`),
    ...(more > 0 ? [`  and ${more} more, in its report`] : []),
  ];
}

/** The report of a run, written into its folder unless that is impossible; `problems` says why. */
async function reportOf(
  { baselines, flags, isUnwritable }: Batch,
  { name, judging, plan, job }: NamedJob,
  result: JobResult,
): Promise<{ report: Report; problems: string[] }> {
  const ledger = job.ledger ?? '';
  const out = dirname(ledger);
  const { unwritten, ...record } = recordOf(judging.contract, judging.checks, plan, job, result);
  const exchanges = () => unwritten?.exchanges ?? exchangesOf(ledger);
  const assembled = await inTurns(assembling(judging, record, exchanges(), plan));
  const report = baselines.get(name)?.compare(assembled, plan) ?? assembled;
  if (isUnwritable(out)) return { report, problems: [] };
  const problems = unwritten ? [`cannot write ${ledger}: ${unwritten.problem.message}`] : [];
  // The folder belongs to another run by now. Its files must not mix with those of this run.
  if (unwritten?.problem.isReplaced) return { report, problems };
  const written = await writeReports(report, exchanges, flags.format ?? DEFAULT_FORMATS, out);
  return { report, problems: [...problems, ...written.problems] };
}
