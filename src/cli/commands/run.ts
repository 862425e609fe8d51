import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Command } from 'commander';
import { CONFIG_FILE } from '../../config/config.ts';
import type { Contract } from '../../model/contract.ts';
import type { Report } from '../../model/report/report.ts';
import { REPORT_FILES } from '../../report/formats/files.ts';
import type { TestMeta } from '../../run/job.ts';
import { ofBundled, type RunOptions, UsageError } from '../../run/options.ts';
import type { RunPlan } from '../../run/plan.ts';
import { DEFAULT_FORMATS, FORMAT_HELP, FORMATS_HELP, formats } from '../options/formats.ts';
import { resolveTarget } from '../options/resolve-target.ts';
import {
  DEFAULTS,
  detailOf,
  exhaustible,
  headerLine,
  int64,
  patterns,
  type RunFlags,
  wholeNumber,
} from '../options/run-options.ts';
import { refuseSigned } from '../options/signed-certificate.ts';
import { clearFolder, openFolder } from '../output/out-folder.ts';
import { holdLedger, type OwnLedger } from '../output/own-ledger.ts';
import { keepSecret } from '../output/secrets.ts';
import { renderWarnings } from '../output/warnings.ts';

/** `petspec run`: judges a target, writes the reports, prints what was found. */
export function runCommand(exit: (status: number) => void): Command {
  const command = new Command('run');
  refuseBothExhaustions(command);
  return command
    .summary('judge a target, or the bundled reference')
    .description(
      'Judges a target against the whole interface. Without a target: the bundled reference, in virtual time.',
    )
    .argument(
      '[target]',
      'base address, such as https://staging.example.com/v1, or a name from the configuration',
    )
    .option('--config <file>', `the configuration (default: ${CONFIG_FILE}, here or in a folder above)`)
    .option('--all', 'every target of the configuration, side by side')
    .option('--api-url <url>', 'where POST /messages lives; without it those requirements are not tested')
    .option('--api-key <key>', 'better: the environment variable PETSPEC_API_KEY, which it overrides')
    .option('--api-key-file <file>', 'a file with the key alone, or - for the standard input; as --api-key')
    .option(
      '--plan <name>',
      'free, pro, business or enterprise (default: told by the headers where they leave no doubt)',
    )
    .option('--limit <n>', 'requests per minute of a custom plan', wholeNumber)
    .option('--day-limit <n>', 'requests per day of a custom plan', wholeNumber)
    .option('--category-id <n>', 'a category that exists, where the listing shows none', int64)
    .option('--shared-key', 'others use this key too')
    .option('--no-shared-key', 'nobody else uses it, whatever the configuration says')
    .option('--read-only', 'send no POST')
    .option('--no-read-only', 'send POSTs, whatever the configuration says')
    .option(
      '--exhaust <window>',
      `the limit to use up: minute, day (costs a whole day of the key; incomplete unless --max-wait covers its rest) or none (default: ${DEFAULTS.exhaust})`,
      exhaustible,
    )
    .option('--no-exhaust', 'judge the rate-limit headers, but do not use up the limit')
    .option(
      '--only <ids>',
      'requirement ids, globs, sections or operations (repeatable, or with commas)',
      patterns,
    )
    .option('--strict', 'advisories count as violations')
    .option('--set <version>', 'judge by the requirements of that version of petspec (default: all)')
    .option('--baseline <file>', 'violations that are known: 0 while they are these exactly')
    .option('--write-baseline <file>', 'write the violations down as a baseline')
    .option('--dry-run', 'print the plan and its cost, send nothing')
    .option('--timeout <ms>', `for one request (default: ${DEFAULTS.timeout})`, wholeNumber)
    .option(
      '--max-wait <s>',
      `a longer wait for a rate limit is not waited (default: ${DEFAULTS.maxWait})`,
      wholeNumber,
    )
    .option(
      '--max-time <s>',
      'seconds after which the run ends with what is known (default: what its requests and waits may take, printed at the start)',
      wholeNumber,
    )
    .option(
      '--concurrency <n>',
      `requests under way at a time (default: ${DEFAULTS.concurrency})`,
      wholeNumber,
    )
    .option('--header <name: value>', 'sent with every request (repeatable)', headerLine)
    .option('--ca <file>', 'certificates (PEM) to trust besides the usual roots')
    .option('--client-cert <file>', 'certificate (PEM) by which petspec shows who it is')
    .option('--client-key <file>', 'its private key (PEM), if --client-cert does not hold it')
    .option('--insecure', 'do not verify certificates: anyone may answer, and gets the key')
    .option('--no-insecure', 'verify them, whatever the configuration says')
    .option('--out <dir>', 'where the reports go', 'reports')
    .option('--format <names>', FORMAT_HELP, formats)
    .option('--ui', 'open the suites in the vitest UI; a test that is run again there sends nothing twice')
    .option('--quiet', 'print the violations and the verdict alone')
    .option('--verbose', 'print a line for each exchange, and all that a root cause explains')
    .addHelpText('after', FORMATS_HELP + EXAMPLES)
    .action(async (target: string | undefined, flags: RunFlags) => exit(await run(target, flags)));
}

/** Commander takes the later one of an option and its negation. */
function refuseBothExhaustions(command: Command): void {
  const stated = new Set<string>();
  for (const name of ['exhaust', 'no-exhaust'])
    command.on(`option:${name}`, (value) => {
      if (value !== 'none') stated.add(name);
      if (stated.size > 1) throw new UsageError('--exhaust and --no-exhaust contradict each other');
    });
}

async function run(target: string | undefined, flags: RunFlags): Promise<number> {
  const [{ contractOf }, { allChecks }, { makePlan }, { renderPlan }] = await Promise.all([
    import('../../run/contract-of.ts'),
    import('../../../suites/index.ts'),
    import('../../run/plan.ts'),
    import('../../report/text/announcement.ts'),
  ]);
  if (flags.quiet && flags.verbose) throw new UsageError('--quiet and --verbose contradict each other');
  const contract = contractOf(flags);
  if (flags.all) {
    if (target !== undefined)
      throw new UsageError(`--all judges every target: leave ${target} out, or --all`);
    const { runAll } = await import('./run-all.ts');
    return runAll(contract, allChecks(contract), flags);
  }
  const { options: given, baseline } = await resolveTarget(target, flags, contract.ratePlans);
  const options = ofBundled(contract.ratePlans, given);
  keepSecret(options);
  const plan = makePlan(contract, allChecks(contract), options);
  if (plan.probes.length === 0) throw new UsageError('these options leave nothing to send');
  if (flags.dryRun) {
    process.stdout.write(renderPlan(plan, options));
    return 0;
  }
  refuseSigned(flags.out);
  process.stderr.write(renderWarnings(options, flags.apiKey !== undefined));
  if (flags.ui) return look(plan, options, flags);
  return (
    await conduct(contract, plan, options, { ...(baseline === undefined ? {} : { baseline }), ...flags })
  ).status;
}

/** Opens the run in the vitest UI, until it is interrupted. */
async function look(plan: RunPlan, options: RunOptions, flags: RunFlags): Promise<number> {
  const [{ openInVitestUi }, { renderStart }] = await Promise.all([
    import('../../vitest/vitest-ui.ts'),
    import('../../report/text/announcement.ts'),
  ]);
  const out = openFolder(flags.out, clearFolder);
  if (out.problem) throw new UsageError(`--out ${out.problem}; the UI needs it`);
  process.stderr.write(renderStart(plan, options));
  const end = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end.abort());
  await openInVitestUi(
    { options, ledger: join(out.path, REPORT_FILES.ledger), run: randomUUID() },
    end.signal,
    (address) => {
      process.stdout.write(
        `${address}\nThis address works once. Ctrl-C ends the UI; petspec report ${flags.out} renders the reports then\n`,
      );
    },
  );
  return 0;
}

/** What came of a run, its reports delivered. */
export interface Delivered {
  report: Report;
  /** The exit status. */
  status: number;
  /** Absolute path of the folder with its reports; none where another run has taken it. */
  out?: string;
}

/** Conducts a run, writes its reports and prints what was found. */
export async function conduct(
  contract: Contract,
  plan: RunPlan,
  options: RunOptions,
  flags: RunFlags,
): Promise<Delivered> {
  const [{ assemble }, { deliver }, { exchangesOf, headerOf }, { openBaselines }] = await Promise.all([
    import('../../report/assemble.ts'),
    import('../output/deliver.ts'),
    import('../../session/ledger/ledger.ts'),
    import('../options/baselines.ts'),
  ]);
  const baselines = openBaselines(flags, contract);
  const { path: out, problem } = openFolder(flags.out, clearFolder);
  if (problem) process.stderr.write(`petspec: ${problem}\n`);
  const ledger = join(out, REPORT_FILES.ledger);
  const run = randomUUID();
  const { record, own } = await watched(plan, options, flags, { ledger, run });
  try {
    const { unwritten } = record;
    if (unwritten && !problem)
      process.stderr.write(`petspec: ${ledger} could not be kept: ${unwritten.problem.message}\n`);
    const exchanges = () => unwritten?.exchanges ?? exchangesOf(own?.file ?? ledger);
    const report = baselines.compare(assemble(contract, record, exchanges()), plan);
    // What another run writes there is not to be mixed with what this one found, nor what one that gave way has left.
    const isOurs = () => own === undefined || (own.isThere() && (headerOf(own.file)?.run ?? run) === run);
    if (!problem && isOurs()) openFolder(flags.out, (folder) => clearFolder(folder, [REPORT_FILES.ledger]));
    const folder = problem || unwritten?.problem.isReplaced ? {} : { out, isOurs };
    const formats = flags.format ?? DEFAULT_FORMATS;
    const status = await deliver(report, exchanges, { formats, ...folder, detail: detailOf(flags) });
    baselines.keep(report);
    return { report, status, ...('out' in folder && isOurs() ? { out } : {}) };
  } finally {
    own?.close();
  }
}

/** Conducts the run and shows how far it is. @returns with it its ledger, held open; none where it could not be made */
async function watched(
  plan: RunPlan,
  options: RunOptions,
  flags: RunFlags,
  { ledger, run }: { ledger: string; run: string },
): Promise<{ record: NonNullable<TestMeta['run']>; own?: OwnLedger }> {
  const [{ runInVitest }, { showProgress }, { heedInterruption }, { renderStart }] = await Promise.all([
    import('../../vitest/vitest-run.ts'),
    import('../output/progress.ts'),
    import('../output/interruption.ts'),
    import('../../report/text/announcement.ts'),
  ]);
  const detail = detailOf(flags);
  if (!flags.quiet) process.stderr.write(renderStart(plan, options));
  const progress = showProgress(process.stderr, process.env, detail);
  const interruption = heedInterruption(() =>
    progress.say('interrupted: finishing with what is known; once more ends petspec at once'),
  );
  let own: OwnLedger | undefined;
  try {
    const record = await runInVitest(
      { options, ledger, run },
      {
        onNews(news) {
          if (news.kind === 'listening') own = held(ledger);
          // What is only skipped after an interruption is no progress.
          const isVirtual = news.kind === 'waiting' && options.baseUrl === undefined;
          const told = isVirtual ? { ...news, why: `${news.why} (virtual time: it is over at once)` } : news;
          if (news.kind !== 'sent' || !interruption.signal.aborted) progress.update(told);
        },
        signal: interruption.signal,
      },
    );
    return { record, ...(own ? { own } : {}) };
  } finally {
    interruption.release();
    progress.end();
  }
}

/** Why there is none is said at the end of the run, by what could not write it. */
function held(ledger: string): OwnLedger | undefined {
  try {
    return holdLedger(ledger);
  } catch {
    return undefined;
  }
}

const EXAMPLES = `
Examples:
  petspec run
  PETSPEC_API_KEY=... petspec run https://staging.example.com/v1 --api-url https://messages.example.com --plan free
  petspec run https://staging.example.com/v1 --read-only --no-exhaust
  petspec run staging --plan pro                        a name from petspec.config.yaml; the option wins
  petspec run --all --out reports
  petspec run --only 'listPets.*' --only Errors
  petspec run https://staging.example.com/v1 --write-baseline known.yaml
  petspec run https://staging.example.com/v1 --baseline known.yaml
  petspec run --format html,har --quiet

A proxy is taken from HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY.`;
