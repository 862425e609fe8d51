import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Command } from 'commander';
import { CONFIG_FILE } from '../../config/config.ts';
import { realClock } from '../../model/clock.ts';
import type { Contract } from '../../model/contract.ts';
import { inTurns } from '../../model/large/steps.ts';
import { UsageError } from '../../model/usage-error.ts';
import { commandLine } from '../../report/facts/command-line.ts';
import { REPORT_FILES } from '../../report/files/formats.ts';
import { renderStart } from '../../report/text/announcement.ts';
import { nothingPlanned, renderPlan, renderUnplanned } from '../../report/text/run-plan.ts';
import { isKeyWholeValue, type RunOptions } from '../../run/options.ts';
import { planning, type RunPlan } from '../../run/plan.ts';
import { fromHere } from '../../run/settings/stated-options.ts';
import type { Conductor } from '../../vitest/vitest-run.ts';
import { keysInFile } from '../options/auth-file.ts';
import { refuseQuietAndVerbose } from '../options/judging-flags.ts';
import { violatedIn } from '../options/named-file.ts';
import { FORMAT_HELP, FORMATS_HELP, formats, wholeNumber } from '../options/option-values.ts';
import { renderWarnings, resolveTarget } from '../options/resolve-target.ts';
import { addRunFlags, TARGET_HELP } from '../options/run-flags.ts';
import { OUT, type RunFlags } from '../options/run-options.ts';
import { refuseSigned } from '../options/signing.ts';
import { clearFolder, openFolder } from '../output/out-folder.ts';
import { keepSecret } from '../output/secrets.ts';
import { conduct } from '../run/conduct-run.ts';
import { waitForTarget } from '../run/wait-for-target.ts';

/** `petspec run`: judges a target, writes the reports, prints the findings. */
export function runCommand(exit: (status: number) => void, conductor: Conductor): Command {
  const command = new Command('run')
    .description(
      'Judges a target against the whole interface. Without a target, judges the bundled reference in virtual time.',
    )
    .argument('[target]', TARGET_HELP)
    .optionsGroup('Target:')
    .option('--config <file>', `configuration file (default: ${CONFIG_FILE}, here or in a parent folder)`)
    .option('--all', 'judge every target of the configuration, concurrently')
    .option(
      '--wait-for <s>',
      'seconds to wait at most until the target answers, before the run',
      wholeNumber,
    );
  addRunFlags(command);
  return command
    .optionsGroup('Output:')
    .option('--out <dir>', 'folder for the reports', OUT)
    .option('--format <names>', FORMAT_HELP, formats)
    .option(
      '--ui',
      'open the results in the vitest UI, where a test that runs again sends nothing; petspec report writes the reports; needs vitest and @vitest/ui beside petspec',
    )
    .option('--quiet', 'print only the violations and the verdict')
    .option('--verbose', 'print a line for each exchange, and every finding in full')
    .addHelpText('after', FORMATS_HELP + EXAMPLES)
    .action(async (target: string | undefined, flags: RunFlags) => exit(await run(target, flags, conductor)));
}

/** @throws UsageError if an interface is named but no target: the bundled reference has its own interface */
export function refuseWithoutService(target: string | undefined, flags: RunFlags): void {
  if (flags.interface === undefined) return;
  if (target === undefined && !flags.dryRun)
    throw new UsageError(
      '--interface: no target named; the bundled reference has its own interface (or add --dry-run)',
    );
}

async function run(target: string | undefined, given: RunFlags, conductor: Conductor): Promise<number> {
  const begunAt = realClock.now();
  const { onlyViolated } = given;
  const flags = onlyViolated === undefined ? given : { ...given, violatedBefore: violatedIn(onlyViolated) };
  refuseQuietAndVerbose(flags);
  refuseReportingInUi(flags);
  if (flags.all) {
    if (target !== undefined)
      throw new UsageError(`cannot combine --all and the target '${target}'; leave one out`);
    if (flags.waitFor !== undefined)
      throw new UsageError('cannot combine --all and --wait-for; leave one out');
    const { runAll } = await import('../run/run-all.ts');
    return runAll(flags);
  }
  refuseWithoutService(target, flags);
  const { options, baseline, judging } = await resolveTarget(target, flags);
  const { contract, checks } = judging;
  keepSecret(options);
  const plan = await inTurns(planning(contract, checks, options));
  if (plan.probes.length === 0) {
    if (flags.dryRun) process.stdout.write(renderUnplanned(contract, plan, options));
    throw new UsageError(nothingPlanned(contract, flags.dryRun));
  }
  if (flags.dryRun) {
    process.stdout.write(renderPlan(plan, options, contract));
    return 0;
  }
  refuseSigned(flags.out);
  const { authFile } = flags;
  const leftOut =
    authFile === undefined
      ? []
      : keysInFile(authFile, contract.operations, isKeyWholeValue(contract)).leftOut;
  process.stderr.write(renderWarnings(options, flags, leftOut));
  if (flags.waitFor !== undefined && options.baseUrl !== undefined)
    await waitForTarget(options.baseUrl, options, flags.waitFor, (line) => process.stderr.write(line));
  const stated = baseline === undefined ? flags : { baseline, ...flags };
  if (flags.ui) return openUi(contract, plan, options, stated);
  return (await conduct(judging, plan, options, stated, conductor, begunAt)).status;
}

/** Options for the reports, which the UI does not write. */
const REPORTING: Readonly<Record<string, string>> = {
  format: '--format',
  baseline: '--baseline',
  writeBaseline: '--write-baseline',
  quiet: '--quiet',
  verbose: '--verbose',
};

/** @throws UsageError if an option is stated that the UI would ignore */
function refuseReportingInUi(flags: RunFlags): void {
  if (!flags.ui) return;
  const [, option] = Object.entries(REPORTING).find(([name]) => flags[name as keyof RunFlags]) ?? [];
  if (option === undefined) return;
  const instead =
    option === '--write-baseline' ? 'leave one out' : `pass ${option} to petspec report afterwards`;
  throw new UsageError(`cannot combine --ui and ${option}; ${instead}`);
}

/** Opens the run in the vitest UI until Ctrl-C. */
async function openUi(
  contract: Contract,
  plan: RunPlan,
  options: RunOptions,
  flags: RunFlags,
): Promise<number> {
  const [{ openInVitestUi }, { uiOfVitest }] = await Promise.all([
    import('../../vitest/vitest-ui.ts'),
    import('../../vitest/ui-config.ts'),
  ]);
  const vitest = await uiOfVitest();
  const out = openFolder(flags.out, clearFolder);
  if (out.problem) throw new UsageError(`--out: ${out.problem}; --ui needs a folder that it can write to`);
  process.stderr.write(renderStart(contract, plan, options));
  const end = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end.abort());
  const files = {
    '--interface': options.interface,
    '--example': options.example,
    '--baseline': flags.baseline,
  };
  const named = Object.entries(files).flatMap(([option, path]) =>
    path === undefined ? [] : [option, fromHere(path)],
  );
  await openInVitestUi(
    vitest,
    { options, ledger: join(out.path, REPORT_FILES.ledger), run: randomUUID() },
    end.signal,
    (address) => {
      process.stdout.write(
        `${address}\nThis address works once. Press Ctrl-C to close the UI; then run ${commandLine(['report', flags.out, ...named])} to write the reports\n`,
      );
    },
  );
  return 0;
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
