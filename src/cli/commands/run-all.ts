import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Check } from '../../judge/check.ts';
import type { Contract } from '../../model/contract.ts';
import { EXIT_STATUS, exitStatusOf, type Report } from '../../model/report/report.ts';
import { visible } from '../../model/visible.ts';
import { assemble } from '../../report/assemble.ts';
import { REPORT_FILES } from '../../report/formats/files.ts';
import { renderStart } from '../../report/text/announcement.ts';
import { baselineLines } from '../../report/text/baseline-lines.ts';
import { reasonOf, verdictWords } from '../../report/verdict.ts';
import { conductSideBySide, type NamedJob } from '../../run/concurrent-runs.ts';
import { type JobResult, recordOf } from '../../run/job.ts';
import { UsageError } from '../../run/options.ts';
import { makePlan } from '../../run/plan.ts';
import { exchangesOf } from '../../session/ledger/ledger.ts';
import { type Baselines, openBaselines } from '../options/baselines.ts';
import { DEFAULT_FORMATS } from '../options/formats.ts';
import { resolveAll } from '../options/resolve-target.ts';
import { detailOf, type RunFlags } from '../options/run-options.ts';
import { refuseSigned } from '../options/signed-certificate.ts';
import { COMPARISON_FILES, deliverComparison } from '../output/deliver-comparison.ts';
import { heedInterruption } from '../output/interruption.ts';
import { clearFolder, openFolder } from '../output/out-folder.ts';
import { type ProgressLines, showManyProgress } from '../output/progress-of-many.ts';
import { keepSecret, withoutSecrets } from '../output/secrets.ts';
import { renderWarnings } from '../output/warnings.ts';
import { writeReports } from '../output/write-reports.ts';

/** Exit status of a bug of petspec itself. */
const BUG = 4;

/**
 * Exit statuses from the best to the worst. A violation that was found stays found, whatever became of the other
 * targets; of a target that petspec itself failed on, less is known than of one that could not be judged in full.
 */
const FROM_BEST_TO_WORST = [
  EXIT_STATUS.conformant,
  EXIT_STATUS.incomplete,
  BUG,
  EXIT_STATUS['non-conformant'],
];

/** The worst exit status of several. */
export function worstOf(statuses: readonly number[]): number {
  return statuses.reduce(
    (worst, each) => (FROM_BEST_TO_WORST.indexOf(each) > FROM_BEST_TO_WORST.indexOf(worst) ? each : worst),
    EXIT_STATUS.conformant,
  );
}

/** What came of one target; no report where petspec itself failed. */
interface Outcome {
  name: string;
  status: number;
  report?: Report;
}

/**
 * `petspec run --all`: every target of the configuration, side by side, and one comparison of them at the end.
 * @returns the worst exit status
 * @throws UsageError, before anything is sent, where any of the targets is not ready to be judged
 */
export async function runAll(contract: Contract, checks: readonly Check[], flags: RunFlags): Promise<number> {
  forbid(flags);
  const targets = await resolveAll(flags, contract.ratePlans);
  const baselines = new Map(
    targets.map(({ name, baseline }) => [
      name,
      openBaselines(baseline === undefined ? {} : { baseline }, contract),
    ]),
  );
  const jobs = targets.map(({ name, options }): NamedJob => {
    const plan = makePlan(contract, checks, options);
    if (plan.probes.length === 0) throw new UsageError(`${name}: these options leave nothing to send`);
    const ledger = join(flags.out, name, REPORT_FILES.ledger);
    return { name, plan, job: { options, ledger, run: randomUUID() } };
  });
  const costs = jobs.map(({ name, plan, job }) =>
    renderStart(plan, job.options, flags.dryRun ? 'would judge' : 'judging')
      .trimEnd()
      .split('\n')
      .map((line) => `${name}: ${line}\n`)
      .join(''),
  );
  if (flags.dryRun) {
    process.stdout.write(`${costs.join('')}nothing was sent\n`);
    return 0;
  }
  for (const folder of [flags.out, ...targets.map(({ name }) => join(flags.out, name))]) refuseSigned(folder);
  for (const { name, options } of targets) {
    keepSecret(options);
    process.stderr.write(renderWarnings(options, false).replaceAll(/^petspec: /gm, `petspec: ${name}: `));
  }
  const out = openFolder(flags.out, (folder) => {
    for (const file of Object.values(COMPARISON_FILES)) rmSync(join(folder, file), { force: true });
  });
  const folders = out.problem
    ? [out]
    : [out, ...jobs.map(({ name }) => openFolder(join(flags.out, name), clearFolder))];
  for (const { problem } of folders) if (problem) process.stderr.write(`petspec: ${problem}\n`);
  if (!flags.quiet) process.stderr.write(costs.join(''));
  const isUnwritable = (folder: string) =>
    folders.some(({ path, problem }) => problem !== undefined && resolve(folder).startsWith(path));
  const outcomes = await conductAll(contract, checks, jobs, baselines, flags, isUnwritable);
  deliverComparison(
    outcomes.flatMap(({ name, report }) => (report ? [{ name, report }] : [])),
    {
      ...(out.problem ? {} : { out: out.path }),
      formats: flags.format ?? DEFAULT_FORMATS,
      quiet: flags.quiet ?? false,
    },
  );
  return worstOf(outcomes.map(({ status }) => status));
}

/** Options that say something of one target alone. */
function forbid(flags: RunFlags): void {
  if (flags.ui) throw new UsageError('--ui shows one target: name it in place of --all');
  if (flags.baseline !== undefined || flags.writeBaseline !== undefined)
    throw new UsageError(
      '--baseline and --write-baseline are for one target: with --all each has its own (baseline)',
    );
  if (flags.apiKey !== undefined || flags.apiKeyFile !== undefined)
    throw new UsageError(
      '--api-key and --api-key-file are for one target: with --all each has its own (apiKeyVariable, apiKeyFile)',
    );
  if (flags.apiUrl !== undefined)
    throw new UsageError('--api-url is for one target: with --all each has its own (apiUrl)');
}

/** Conducts all runs, and writes the reports of each as soon as it has ended; outcomes in the order of the targets. */
async function conductAll(
  contract: Contract,
  checks: readonly Check[],
  jobs: readonly NamedJob[],
  baselines: ReadonlyMap<string, Baselines>,
  flags: RunFlags,
  isUnwritable: (folder: string) => boolean,
): Promise<Outcome[]> {
  const names = jobs.map(({ name }) => name);
  const detail = detailOf(flags);
  const progress = showManyProgress(process.stderr, process.env, names, detail);
  const interruption = heedInterruption(() =>
    progress.note('interrupted: finishing with what is known; once more ends petspec at once'),
  );
  const outcomes = new Map<string, Outcome>();
  try {
    await conductSideBySide(
      contract,
      jobs,
      {
        signal: interruption.signal,
        onNews: (name, news) =>
          news.kind === 'sent' && interruption.signal.aborted ? undefined : progress.update(name, news),
        onHeldBack: (name, others) =>
          progress.say(name, `begins after ${others.join(', ')}: the same key at the same origin`),
      },
      async (job, result) => {
        outcomes.set(
          job.name,
          await conclude(
            contract,
            checks,
            job,
            result,
            baselines.get(job.name),
            { ...flags, isUnwritable },
            progress,
          ),
        );
      },
    );
  } finally {
    interruption.release();
    progress.close();
  }
  return names.flatMap((name) => outcomes.get(name) ?? []);
}

/** Writes the reports of a run that has ended, and says what came of it. */
async function conclude(
  contract: Contract,
  checks: readonly Check[],
  { name, plan, job }: NamedJob,
  result: JobResult | Error,
  baselines: Baselines | undefined,
  flags: RunFlags & { isUnwritable: (folder: string) => boolean },
  progress: ProgressLines,
): Promise<Outcome> {
  try {
    if (result instanceof Error) throw result;
    const ledger = job.ledger ?? '';
    const { unwritten, ...record } = recordOf(contract, checks, plan, job, result);
    const exchanges = () => unwritten?.exchanges ?? exchangesOf(ledger);
    const found = assemble(contract, record, exchanges());
    const report = baselines?.compare(found, plan) ?? found;
    const isUnwritable = flags.isUnwritable(dirname(ledger));
    const problems =
      unwritten && !isUnwritable ? [`${ledger} could not be kept: ${unwritten.problem.message}`] : [];
    // What another run writes there is not to be mixed with what this one found.
    if (!isUnwritable && !unwritten?.problem.isReplaced) {
      const formats = flags.format ?? DEFAULT_FORMATS;
      problems.push(...(await writeReports(report, exchanges, formats, dirname(ledger))).problems);
    }
    for (const problem of problems) progress.note(`petspec: ${name}: ${problem}`);
    const compared = report.baseline ? `; violations: ${baselineLines(report.baseline).head}` : '';
    progress.end(name, visible(`${verdictWords(report)}: ${reasonOf(report)}${compared}`));
    // A hundred runs with all their exchanges would be a lot to hold: they are on disk.
    return { name, status: exitStatusOf(report), report: { ...report, exchanges: [] } };
  } catch (error) {
    const bug = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    progress.note(
      visible(
        `petspec: ${name}: a bug of petspec itself, which says nothing about the target: ${withoutSecrets(bug)}`,
      ),
    );
    progress.end(name, 'not judged');
    return { name, status: BUG };
  }
}
