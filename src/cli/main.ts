import { Command, CommanderError } from 'commander';
import { packageVersion } from '../model/package-root.ts';
import { visible } from '../model/visible.ts';
import { UsageError } from '../run/options.ts';
import { faultsCommand, variantsCommand } from './commands/catalogue.ts';
import { certifyCommand } from './commands/certify.ts';
import { compareCommand } from './commands/compare.ts';
import { reportCommand } from './commands/report.ts';
import { requirementsCommand } from './commands/requirements.ts';
import { runCommand } from './commands/run.ts';
import { selfcheckCommand } from './commands/selfcheck.ts';
import { serveCommand } from './commands/serve.ts';
import { verifyCommand } from './commands/verify.ts';
import { initCommand } from './init/init.ts';
import { withoutSecrets } from './output/secrets.ts';

/** Exit status of wrong usage or configuration, and of a bug of petspec itself. */
const USAGE = 2;
const BUG = 4;

/** Runs the command line and returns the exit status. @param argv as `process.argv` */
export async function main(argv: readonly string[]): Promise<number> {
  // Options are secrets at times, and whoever lists the processes of a machine sees them (ps, /proc/<pid>/cmdline).
  process.title = 'petspec';
  surviveUnwritable();
  process.on('uncaughtException', (error) => process.exit(tellBug(error)));
  let status = 0;
  const exit = (code: number) => {
    status = code;
  };
  const program = new Command('petspec')
    .description('Decides whether a service is an animal store service.')
    .version(packageVersion)
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(petspec --help lists the commands, petspec <command> --help their options)')
    .addHelpText('after', EXIT_STATUS_HELP);
  for (const command of [
    runCommand(exit),
    reportCommand(exit),
    compareCommand(exit),
    certifyCommand(exit),
    verifyCommand(exit),
    initCommand(),
    serveCommand(),
    selfcheckCommand(exit),
    requirementsCommand(),
    faultsCommand(),
    variantsCommand(),
  ])
    program.addCommand(command);
  for (const command of [program, ...program.commands])
    command.exitOverride().configureOutput(WITHOUT_VALUES);
  try {
    await program.parseAsync(argv);
    return status;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE;
    if (error instanceof UsageError) {
      process.stderr.write(`petspec: ${visible(error.message)}\n`);
      return USAGE;
    }
    return tellBug(error);
  }
}

/** Says that petspec is broken. @returns the exit status that says so, too */
function tellBug(error: unknown): number {
  const bug = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  process.stderr.write(
    `petspec: a bug of petspec itself, which says nothing about the target: ${visible(withoutSecrets(bug))}\n`,
  );
  if (process.env.PETSPEC_DEBUG && error instanceof Error)
    process.stderr.write(`${withoutSecrets(error.stack ?? '')}\n`);
  return BUG;
}

/** Whoever mistypes `--api-key=...` does not read the key again; commander's lines look like petspec's. */
const WITHOUT_VALUES = {
  outputError: (text: string, write: (text: string) => void) =>
    write(text.replace(/^error: /, 'petspec: ').replace(/(unknown option '[^=']*)=[^\n]*'/, "$1'")),
};

/**
 * A reader that has seen enough (`petspec run | head`), or a full disk below `> log.txt`, is no reason to lose reports,
 * or to end with a stack trace and its exit status, which would be a verdict.
 */
function surviveUnwritable(): void {
  let isTold = false;
  process.stderr.on('error', () => {});
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE' || isTold) return;
    isTold = true;
    process.stderr.write(`petspec: what is printed cannot be written (${code})\n`);
  });
}

const EXIT_STATUS_HELP = `
Exit status:
  0  conformant, or non-conformant exactly as a baseline in use knows
  1  non-conformant
  2  wrong usage or configuration
  3  incomplete: not everything could be judged, or nothing that binds the service was
  4  petspec itself failed (a bug, never held against the target)

Examples:
  petspec run                                           judge the bundled reference
  petspec run https://staging.example.com/v1            judge a service; the key is in PETSPEC_API_KEY
  petspec run https://staging.example.com/v1 --dry-run  what would be sent, and what it costs
  petspec run --all                                     every target of petspec.config.yaml, side by side
  petspec init                                          write that file, and a workflow for CI
  petspec report reports --format har                   its reports again, in other formats
  petspec compare staging production                    two runs side by side
  petspec certify https://staging.example.com/v1 ...    a whole run, and a certificate of it
  petspec serve --port 8080                             the reference, for people who write clients`;
