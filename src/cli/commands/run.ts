import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { allChecks } from '../../../suites/index.ts';
import { CONFIG_FILE } from '../../config/config.ts';
import type { Contract } from '../../model/contract.ts';
import type { Report } from '../../model/report/report.ts';
import { assemble } from '../../report/assemble.ts';
import { REPORT_FILES } from '../../report/formats/files.ts';
import { renderInterface, renderStart } from '../../report/text/announcement.ts';
import { renderPlan } from '../../report/text/run-plan.ts';
import { interfaceOf } from '../../run/contract-of.ts';
import type { TestMeta } from '../../run/job.ts';
import { ofBundled, type RunOptions, UsageError } from '../../run/options.ts';
import { makePlan, type RunPlan } from '../../run/plan.ts';
import { exchangesOf, headerOf } from '../../session/ledger/ledger.ts';
import type { Conductor } from '../../vitest/vitest-run.ts';
import { openBaselines } from '../options/baselines.ts';
import { DEFAULT_FORMATS, FORMAT_HELP, FORMATS_HELP, formats } from '../options/formats.ts';
import { violatedIn } from '../options/report-file.ts';
import { resolveTarget } from '../options/resolve-target.ts';
import {
  DEFAULTS,
  detailOf,
  exhaustible,
  headerLine,
  int64,
  patterns,
  type RunFlags,
  seed,
  wholeNumber,
} from '../options/run-options.ts';
import { refuseSigned } from '../options/signed-certificate.ts';
import { deliver } from '../output/deliver.ts';
import { heedInterruption, INTERRUPTED } from '../output/interruption.ts';
import { clearFolder, openFolder } from '../output/out-folder.ts';
import { holdLedger, type OwnLedger } from '../output/own-ledger.ts';
import { showProgress } from '../output/progress.ts';
import { keepSecret } from '../output/secrets.ts';
import { renderWarnings } from '../output/warnings.ts';

/** `petspec run`: judges a target, writes the reports, prints the findings. */
export function runCommand(exit: (status: number) => void, conductor: Conductor): Command {
  const command = new Command('run')
    .description(
      'Judges a target against the whole interface. Without a target, judges the bundled reference in virtual time.',
    )
    .argument('[target]', TARGET_HELP)
    .option('--config <file>', `configuration file (default: ${CONFIG_FILE}, here or in a parent folder)`)
    .option('--all', 'judge every target of the configuration, concurrently');
  refuseBothExhaustions(command);
  addTarget(command);
  addSelection(command);
  addTiming(command);
  addConnection(command);
  return command
    .option('--out <dir>', 'folder for the reports', 'reports')
    .option('--format <names>', FORMAT_HELP, formats)
    .option('--ui', 'open the results in the vitest UI; running a test again there sends nothing')
    .option('--quiet', 'print only the violations and the verdict')
    .option('--verbose', 'print a line for each exchange, what was observed, and what a root cause explains')
    .addHelpText('after', FORMATS_HELP + EXAMPLES)
    .action(async (target: string | undefined, flags: RunFlags) => exit(await run(target, flags, conductor)));
}

/** What `--help` says about the target of a command. */
export const TARGET_HELP =
  'base URL, such as https://staging.example.com/v1, or a target name from the configuration';

function addTarget(command: Command): void {
  command
    .option(
      '--interface <path>',
      'OpenAPI 3.0 or 3.1 document, or its folder, to judge by; petspec then only reads',
      (path) => resolve(path),
    )
    .option('--api-url <url>', 'base URL of POST /messages; without it, its requirements are not tested')
    .option('--api-key <key>', 'API key (prefer the PETSPEC_API_KEY environment variable)')
    .option('--api-key-file <file>', 'read the API key from a file, or from stdin with -')
    .option(
      '--plan <name>',
      'rate plan of the key: free, pro, business or enterprise (default: told by the rate-limit headers)',
    )
    .option('--limit <n>', 'requests per minute of a custom plan', wholeNumber)
    .option('--day-limit <n>', 'requests per day of a custom plan', wholeNumber)
    .option('--category-id <n>', 'id of an existing category, if the listing shows none', int64)
    .option('--shared-key', 'others use this key during the run')
    .option('--no-shared-key', 'nobody else uses this key; overrides the configuration');
}

/** @throws UsageError if an interface is named that the bundled reference does not have, and no target */
function refuseWithoutService(target: string | undefined, flags: RunFlags): void {
  if (flags.interface === undefined) return;
  if (flags.all) throw new UsageError('cannot combine --all and --interface; name one target');
  if (target === undefined && !flags.dryRun)
    throw new UsageError(
      '--interface: no target named; the bundled reference has its own interface (or add --dry-run)',
    );
}

function addSelection(command: Command): void {
  command
    .option('--read-only', 'send only GET and HEAD requests')
    .option('--no-read-only', 'send POST requests; overrides the configuration')
    .option(
      '--exhaust <window>',
      `rate limit to use up: minute, day (uses all requests of the day; needs a large --max-wait) or none (default: ${DEFAULTS.exhaust})`,
      exhaustible,
    )
    .option('--no-exhaust', 'do not use up the rate limit; still judge its headers')
    .option(
      '--only <ids>',
      'judge only these requirement ids, globs, sections or operations (repeatable or comma-separated)',
      patterns,
    )
    .option(
      '--only-violated <report>',
      'judge only what this report (or the one in this folder) found violated',
    )
    .option('--strict', 'count advisories as violations')
    .option('--set <version>', 'judge only the requirements that this version of petspec has (default: all)')
    .option(
      '--seed <n>',
      'how the valid requests vary, or random; the same seed sends the same (default: one for each set of requirements)',
      seed,
    )
    .option(
      '--budget <requests>',
      'requests with the key in all, over several minutes: those that the run does not need test more (default: none)',
      wholeNumber,
    )
    .option('--deep', 'a budget of ten times the limit per minute')
    .option('--baseline <file>', 'file of known violations; exit 0 if the run finds exactly these')
    .option('--write-baseline <file>', 'write the violations to a baseline file')
    .option('--dry-run', 'print the requests and their cost, send nothing');
}

function addTiming(command: Command): void {
  command
    .option('--timeout <ms>', `maximum time for one request (default: ${DEFAULTS.timeout})`, wholeNumber)
    .option(
      '--max-wait <s>',
      `maximum seconds to wait for a rate limit (default: ${DEFAULTS.maxWait})`,
      wholeNumber,
    )
    .option(
      '--max-time <s>',
      'maximum seconds for the run, which then ends with the results so far (default: printed at the start)',
      wholeNumber,
    )
    .option(
      '--concurrency <n>',
      `maximum number of concurrent requests (default: ${DEFAULTS.concurrency})`,
      wholeNumber,
    );
}

function addConnection(command: Command): void {
  command
    .option('--header <name: value>', 'header to send with every request (repeatable)', headerLine)
    .option('--traceparent', 'send a W3C trace context with every request; each finding names its trace')
    .option('--ca <file>', 'trust the CA certificates in this PEM file, in addition to the usual ones')
    .option('--client-cert <file>', 'client certificate (PEM)')
    .option('--client-key <file>', 'private key of the client certificate (PEM), if that file lacks it')
    .option('--insecure', 'do not verify certificates; anyone in between can answer and read the key')
    .option('--no-insecure', 'verify certificates; overrides the configuration');
}

/** Refuses an option beside its negation, because commander would silently take the later one. */
function refuseBothExhaustions(command: Command): void {
  const stated = new Set<string>();
  for (const name of ['exhaust', 'no-exhaust'])
    command.on(`option:${name}`, (value) => {
      if (value !== 'none') stated.add(name);
      if (stated.size > 1) throw new UsageError('cannot combine --exhaust and --no-exhaust; leave one out');
    });
}

async function run(target: string | undefined, given: RunFlags, conductor: Conductor): Promise<number> {
  const { onlyViolated } = given;
  const flags =
    onlyViolated === undefined
      ? given
      : { ...given, only: [...(given.only ?? []), ...violatedIn(onlyViolated)] };
  if (flags.quiet && flags.verbose)
    throw new UsageError('cannot combine --quiet and --verbose; leave one out');
  const contract = await interfaceOf(flags);
  refuseWithoutService(target, flags);
  if (flags.all) {
    if (target !== undefined)
      throw new UsageError(`cannot combine --all and the target '${target}'; leave one out`);
    const { runAll } = await import('./run-all.ts');
    return runAll(contract, allChecks(contract), flags);
  }
  const { options: resolved, baseline } = await resolveTarget(target, flags, contract);
  const options = ofBundled(contract.ratePlans, resolved);
  keepSecret(options);
  const plan = makePlan(contract, allChecks(contract), options);
  if (plan.probes.length === 0)
    throw new UsageError('these options select no requests; nothing can be judged');
  if (flags.dryRun) {
    process.stdout.write(renderPlan(plan, options, contract));
    return 0;
  }
  refuseSigned(flags.out);
  process.stderr.write(renderWarnings(options, flags.apiKey !== undefined));
  if (flags.ui) return look(plan, options, flags);
  const stated = baseline === undefined ? flags : { baseline, ...flags };
  return (await conduct(contract, plan, options, stated, conductor)).status;
}

/** Opens the run in the vitest UI until Ctrl-C. */
async function look(plan: RunPlan, options: RunOptions, flags: RunFlags): Promise<number> {
  const { openInVitestUi } = await import('../../vitest/vitest-ui.ts');
  const out = openFolder(flags.out, clearFolder);
  if (out.problem) throw new UsageError(`--out: ${out.problem}; --ui needs a folder that it can write to`);
  process.stderr.write(renderStart(plan, options));
  const end = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end.abort());
  await openInVitestUi(
    { options, ledger: join(out.path, REPORT_FILES.ledger), run: randomUUID() },
    end.signal,
    (address) => {
      process.stdout.write(
        `${address}\nThis address works once. Press Ctrl-C to close the UI; then run petspec report ${flags.out} to write the reports\n`,
      );
    },
  );
  return 0;
}

/** A run whose reports are written. */
export interface Delivered {
  report: Report;
  /** The exit status. */
  status: number;
  /** Absolute path of the folder with its reports; undefined if another run has taken it over. */
  out?: string;
}

/** Conducts a run, writes its reports and prints the findings. */
export async function conduct(
  contract: Contract,
  plan: RunPlan,
  options: RunOptions,
  flags: RunFlags,
  conductor: Conductor,
): Promise<Delivered> {
  const baselines = await openBaselines(flags, contract);
  const { path: out, problem } = openFolder(flags.out, clearFolder);
  if (problem) process.stderr.write(`petspec: ${problem}\n`);
  const ledger = join(out, REPORT_FILES.ledger);
  const run = randomUUID();
  const startedAt = performance.now();
  if (!flags.quiet) process.stderr.write(`${renderInterface(contract)}${renderStart(plan, options)}`);
  const { record, own } = await watched(options, flags, { ledger, run }, conductor);
  try {
    const { unwritten } = record;
    if (unwritten && !problem)
      process.stderr.write(`petspec: cannot write ${ledger}: ${unwritten.problem.message}\n`);
    const exchanges = () => unwritten?.exchanges ?? exchangesOf(own?.file ?? ledger);
    const report = baselines.compare(assemble(contract, record, exchanges()), plan);
    // The folder may belong to another run by now. Its files must not mix with those of this run.
    const isOurs = () => own === undefined || (own.isThere() && (headerOf(own.file)?.run ?? run) === run);
    if (!problem && isOurs()) openFolder(flags.out, (folder) => clearFolder(folder, [REPORT_FILES.ledger]));
    const folder = problem || unwritten?.problem.isReplaced ? {} : { out, isOurs };
    const formats = flags.format ?? DEFAULT_FORMATS;
    const seconds = (performance.now() - startedAt) / 1000;
    const status = await deliver(report, exchanges, { formats, ...folder, detail: detailOf(flags), seconds });
    await baselines.keep(report);
    return { report, status, ...('out' in folder && isOurs() ? { out } : {}) };
  } finally {
    own?.close();
  }
}

/** Conducts the run and shows its progress. @returns its record, and its ledger, held open, if it could be made */
async function watched(
  options: RunOptions,
  flags: RunFlags,
  { ledger, run }: { ledger: string; run: string },
  conductor: Conductor,
): Promise<{ record: NonNullable<TestMeta['run']>; own?: OwnLedger }> {
  const detail = detailOf(flags);
  const progress = showProgress(process.stderr, process.env, detail);
  const interruption = heedInterruption(() => progress.say(INTERRUPTED));
  let own: OwnLedger | undefined;
  try {
    const record = await conductor(
      { options, ledger, run },
      {
        onNews(news) {
          if (news.kind === 'listening') own = held(ledger);
          const isVirtual = news.kind === 'waiting' && options.baseUrl === undefined;
          const told = isVirtual ? { ...news, why: `${news.why} (virtual time: skipped)` } : news;
          // After an interruption, the remaining requests are only skipped.
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

/** Holds the ledger open. If that fails, the run itself says at its end why it could not write the ledger. */
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
  petspec run http://localhost:3000 --interface openapi.yaml
  petspec run staging --plan pro                        a target of petspec.config.yaml; options override it
  petspec run --all --out reports
  petspec run --only 'listPets.*' --only Errors
  petspec run https://staging.example.com/v1 --write-baseline known.yaml
  petspec run https://staging.example.com/v1 --baseline known.yaml
  petspec run --format html,har --quiet
  petspec run https://staging.example.com/v1 --seed random

petspec uses the proxies in HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY.`;
