import { Command, CommanderError } from 'commander';
import { packageVersion } from '../model/package-root.ts';
import { visible } from '../model/visible.ts';
import { UsageError } from '../run/options.ts';
import { type Conductor, runInVitest } from '../vitest/vitest-run.ts';
import { withoutSecrets } from './output/secrets.ts';

/** The exit statuses of wrong usage or configuration, and of a bug of petspec. */
const USAGE = 2;
const BUG = 4;

type Exit = (status: number) => void;

/** A command as the help lists it, and its code. */
interface Listed {
  args: string;
  summary: string;
  load: (exit: Exit, conductor: Conductor) => Promise<Command>;
}

/** The commands in the order of the help. Only the code of one that is named is loaded. */
export const COMMANDS: Readonly<Record<string, Listed>> = {
  run: {
    args: '[target]',
    summary: 'judge a target, or the bundled reference',
    load: async (exit, conductor) => (await import('./commands/run.ts')).runCommand(exit, conductor),
  },
  report: {
    args: '[folder]',
    summary: 'write the reports of a run again, from its ledger',
    load: async (exit) => (await import('./commands/report.ts')).reportCommand(exit),
  },
  compare: {
    args: '<report.json...>',
    summary: 'compare two or more runs',
    load: async (exit) => (await import('./commands/compare.ts')).compareCommand(exit),
  },
  certify: {
    args: '[target]',
    summary: 'judge a target, and write a certificate that others can verify',
    load: async (exit, conductor) => (await import('./commands/certify.ts')).certifyCommand(exit, conductor),
  },
  verify: {
    args: '<file>',
    summary: 'check a certificate, and explain what it proves',
    load: async (exit) => (await import('./commands/verify.ts')).verifyCommand(exit),
  },
  init: {
    args: '',
    summary: 'write a configuration and a CI workflow',
    load: async () => (await import('./init/init.ts')).initCommand(),
  },
  serve: {
    args: '',
    summary: 'serve the reference, for client developers',
    load: async () => (await import('./commands/serve.ts')).serveCommand(),
  },
  selfcheck: {
    args: '',
    summary: 'check that petspec finds every fault and passes every variant',
    load: async (exit) => (await import('./commands/selfcheck.ts')).selfcheckCommand(exit),
  },
  requirements: {
    args: '',
    summary: 'list the requirements',
    load: async () => (await import('./commands/requirements.ts')).requirementsCommand(),
  },
  faults: {
    args: '',
    summary: 'list the faults of the reference',
    load: async () => (await import('./commands/catalogue.ts')).faultsCommand(),
  },
  variants: {
    args: '',
    summary: 'list the variants of the reference',
    load: async () => (await import('./commands/catalogue.ts')).variantsCommand(),
  },
};

/** Runs the command line. @param argv like `process.argv` @returns the exit status */
export async function main(argv: readonly string[]): Promise<number> {
  // Hides the options, which may hold secrets, from other users of this machine (ps, /proc/<pid>/cmdline).
  process.title = 'petspec';
  surviveUnwritable();
  process.on('uncaughtException', (error) => process.exit(tellBug(error)));
  return execute(argv, runInVitest);
}

/**
 * Executes a command line, and leaves the process as it is.
 * @param argv like `process.argv`
 * @param conductor conducts a run of one target
 * @returns the exit status
 */
export async function execute(argv: readonly string[], conductor: Conductor): Promise<number> {
  let status = 0;
  const exit: Exit = (code) => {
    status = code;
  };
  const program = new Command('petspec')
    .description('Conformance suite for the animal store interface.')
    .version(packageVersion)
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(see petspec --help, or petspec <command> --help)')
    .addHelpText('after', EXIT_STATUS_HELP);
  try {
    for (const command of await commandsFor(argv, exit, conductor)) program.addCommand(command);
    for (const command of [program, ...program.commands])
      command.exitOverride().configureOutput(WITHOUT_VALUES);
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

/** The commands that the arguments name; if they name none, only what the help lists of each. */
async function commandsFor(argv: readonly string[], exit: Exit, conductor: Conductor): Promise<Command[]> {
  const named = Object.entries(COMMANDS).filter(([name]) => argv.slice(2).includes(name));
  if (named.length > 0)
    return Promise.all(
      named.map(async ([, { summary, load }]) => (await load(exit, conductor)).summary(summary)),
    );
  // The help prints `[options]` only for a command that has one.
  return Object.entries(COMMANDS).map(([name, { args, summary }]) => {
    const listed = new Command(name).summary(summary).option('--any');
    return args === '' ? listed : listed.arguments(args);
  });
}

/** Reports a bug of petspec. @returns its exit status */
function tellBug(error: unknown): number {
  const bug = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  process.stderr.write(
    `petspec: internal error, which says nothing about the target: ${visible(withoutSecrets(bug))}\n`,
  );
  if (process.env.PETSPEC_DEBUG && error instanceof Error)
    process.stderr.write(`${withoutSecrets(error.stack ?? '')}\n`);
  return BUG;
}

/** Removes the value of a mistyped option, which may be a key, from commander's errors, and gives them petspec's prefix. */
const WITHOUT_VALUES = {
  outputError: (text: string, write: (text: string) => void) =>
    write(text.replace(/^error: /, 'petspec: ').replace(/(unknown option '[^=']*)=[^\n]*'/, "$1'")),
};

/**
 * Keeps petspec running if stdout closes early (`petspec run | head`) or its disk is full (`> log.txt`). Otherwise Node
 * would exit with 1, which is a verdict, before the reports are written.
 */
function surviveUnwritable(): void {
  let isTold = false;
  process.stderr.on('error', () => {});
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE' || isTold) return;
    isTold = true;
    process.stderr.write(`petspec: cannot write to stdout (${code})\n`);
  });
}

const EXIT_STATUS_HELP = `
Exit status:
  0  conformant, or only the known violations of a baseline
  1  non-conformant
  2  wrong usage or configuration
  3  incomplete: some requirements could not be tested, or no must requirement was
  4  internal error: a bug of petspec, never held against the target

Examples:
  petspec run                                           judge the bundled reference
  petspec run https://staging.example.com/v1            judge a service; the key is in PETSPEC_API_KEY
  petspec run https://staging.example.com/v1 --dry-run  print the requests and their cost, send nothing
  petspec run --all                                     judge every target in petspec.config.yaml
  petspec init                                          write that file, and a CI workflow
  petspec report reports --format har                   write the reports of a run again, in another format
  petspec compare staging production                    compare two runs
  petspec certify https://staging.example.com/v1 ...    run the whole suite and write a certificate
  petspec serve --port 8080                             serve the reference, for client developers`;
