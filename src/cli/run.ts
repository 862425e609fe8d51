import { join, relative } from 'node:path';
import { Command } from 'commander';
import { type RunOptions, UsageError } from '../harness/options.ts';
import type { Report } from '../report/model.ts';
import {
  DEFAULTS,
  headerLine,
  int64,
  patterns,
  prepareOut,
  type RunFlags,
  runOptions,
  wholeNumber,
} from './run-options.ts';

/** `petspec run`: judges a target, writes the reports, prints what was found. */
export function runCommand(exit: (status: number) => void): Command {
  return new Command('run')
    .summary('judge a target, or the bundled reference')
    .description(
      'Judges a target against the whole interface. Without a target: the bundled reference, in virtual time.',
    )
    .argument('[target]', 'base address, such as https://staging.example.com/v1')
    .option('--api-url <url>', 'where POST /messages lives; without it those requirements are not tested')
    .option('--api-key <key>', 'better: the environment variable PETSPEC_API_KEY')
    .option(
      '--plan <name>',
      'free, pro, business or enterprise (default: told by the headers where they leave no doubt)',
    )
    .option('--limit <n>', 'requests per minute of a custom plan', wholeNumber)
    .option('--day-limit <n>', 'requests per day of a custom plan', wholeNumber)
    .option('--category-id <n>', 'a category that exists, where the listing shows none', int64)
    .option('--shared-key', 'others use this key too')
    .option('--read-only', 'send no POST')
    .option('--no-exhaust', 'judge the rate-limit headers, but do not use up the limit')
    .option(
      '--only <ids>',
      'requirement ids, globs, sections or operations (repeatable, or with commas)',
      patterns,
    )
    .option('--strict', 'advisories count as violations')
    .option('--dry-run', 'print the plan and its cost, send nothing')
    .option('--timeout <ms>', 'for one request', wholeNumber, DEFAULTS.timeout)
    .option('--max-wait <s>', 'a longer wait for a rate limit is not waited', wholeNumber, DEFAULTS.maxWait)
    .option('--concurrency <n>', 'requests under way at a time', wholeNumber, DEFAULTS.concurrency)
    .option('--header <name: value>', 'sent with every request (repeatable)', headerLine)
    .option('--out <dir>', 'where the reports go', 'reports')
    .addHelpText('after', EXAMPLES)
    .action(async (target: string | undefined, flags: RunFlags) => exit(await run(target, flags)));
}

async function run(target: string | undefined, flags: RunFlags): Promise<number> {
  const [{ loadContract }, { allChecks }, { makePlan }, terminal] = await Promise.all([
    import('../contract/load.ts'),
    import('../../suites/index.ts'),
    import('../harness/plan.ts'),
    import('../report/terminal.ts'),
  ]);
  const contract = loadContract();
  const options = runOptions(target, flags, Object.keys(contract.plans));
  const plan = makePlan(contract, allChecks(contract), options);
  if (plan.probes.length === 0) throw new UsageError('these options leave nothing to send');
  const style = terminal.styleOf(process.stdout);
  if (flags.dryRun) {
    process.stdout.write(terminal.renderPlan(plan, options));
    return 0;
  }
  const out = prepareOut(flags.out);
  process.stderr.write(terminal.renderStart(plan, options));
  const report = await conduct(options, out);
  const written = await writeReports(report, out);
  process.stdout.write(terminal.renderReport(report, style));
  process.stdout.write(`${written.map((file) => relative(process.cwd(), file) || file).join('  ')}\n`);
  const { EXIT_STATUS } = await import('../report/model.ts');
  return EXIT_STATUS[report.verdict];
}

async function conduct(options: RunOptions, out: string): Promise<Report> {
  const [{ runInVitest }, { showProgress }] = await Promise.all([
    import('../harness/vitest-run.ts'),
    import('./progress.ts'),
  ]);
  const progress = showProgress(process.stderr);
  try {
    return await runInVitest({ options, ledger: join(out, 'ledger.jsonl') }, progress.update);
  } finally {
    progress.end();
  }
}

async function writeReports(report: Report, out: string): Promise<string[]> {
  const [{ writeFileAtomically }, { renderJunit }] = await Promise.all([
    import('../report/files.ts'),
    import('../report/junit.ts'),
  ]);
  const files: [name: string, text: string][] = [
    ['report.json', `${JSON.stringify(report, null, 2)}\n`],
    ['junit.xml', renderJunit(report)],
  ];
  return files.map(([name, text]) => writeFileAtomically(join(out, name), text));
}

const EXAMPLES = `
Examples:
  petspec run
  PETSPEC_API_KEY=... petspec run https://staging.example.com/v1 --api-url https://messages.example.com --plan free
  petspec run https://staging.example.com/v1 --read-only --no-exhaust
  petspec run --only 'listPets.*' --only Errors`;
