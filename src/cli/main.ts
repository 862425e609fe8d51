import { Command, CommanderError } from 'commander';
import { packageVersion } from '../model/package-root.ts';
import { didYouMean, UsageError } from '../model/usage-error.ts';
import { visible } from '../model/visible.ts';
import { commandLine } from '../report/command-line.ts';
import { type Conductor, runInVitest } from '../vitest/vitest-run.ts';
import { BUG, bugLine, bugStack } from './output/secrets.ts';

/** The exit status of wrong usage or configuration. */
const USAGE = 2;

type Exit = (status: number) => void;

/** A command as the help lists it, and its code. */
interface ListedCommand {
  args: string;
  summary: string;
  /** What people type who mean this command. */
  meant?: readonly string[];
  load: (exit: Exit, conductor: Conductor) => Promise<Command>;
}

/** The commands in the order of the help. Only the code of one that is named is loaded. */
export const COMMANDS: Readonly<Record<string, ListedCommand>> = {
  run: {
    args: '[target]',
    summary: 'judge a target, or the bundled reference',
    meant: ['test', 'check', 'validate', 'conformance', 'start'],
    load: async (exit, conductor) => (await import('./commands/run.ts')).runCommand(exit, conductor),
  },
  report: {
    args: '[folder]',
    summary: 'write the reports of a run again, from its ledger',
    meant: ['html', 'render', 'junit'],
    load: async (exit) => (await import('./commands/report.ts')).reportCommand(exit),
  },
  judge: {
    args: '<file...>',
    summary: 'judge recorded traffic, such as a HAR',
    meant: ['har', 'recording', 'replay', 'traffic', 'drift'],
    load: async (exit) => (await import('./commands/judge.ts')).judgeCommand(exit),
  },
  proxy: {
    args: '<target>',
    summary: 'judge live traffic, as a reverse proxy in front of a service',
    meant: ['live', 'gateway', 'monitor', 'watch', 'forward'],
    load: async (exit) => (await import('./commands/proxy.ts')).proxyCommand(exit),
  },
  compare: {
    args: '<report.json...>',
    summary: 'compare two or more runs',
    meant: ['regression'],
    load: async (exit) => (await import('./commands/compare.ts')).compareCommand(exit),
  },
  history: {
    args: '[command]',
    summary: 'how implementations change from run to run',
    meant: ['trend', 'trends', 'log'],
    load: async (exit) => (await import('./commands/history.ts')).historyCommand(exit),
  },
  board: {
    args: '<path...>',
    summary: 'make a site of many implementations and their runs',
    meant: ['site', 'dashboard', 'publish'],
    load: async () => (await import('./commands/board.ts')).boardCommand(),
  },
  certify: {
    args: '[target]',
    summary: 'judge a target, and write a certificate that others can verify',
    meant: ['certificate', 'sign', 'badge'],
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
    meant: ['setup', 'config', 'new', 'ci'],
    load: async () => (await import('./init/init.ts')).initCommand(),
  },
  serve: {
    args: '',
    summary: 'serve the reference, for client developers',
    meant: ['server', 'mock', 'reference', 'stub'],
    load: async () => (await import('./commands/serve.ts')).serveCommand(),
  },
  client: {
    args: '-- <command...>',
    summary: 'judge a client: run it against the reference',
    meant: ['consumer', 'sdk'],
    load: async (exit) => (await import('./commands/client.ts')).clientCommand(exit),
  },
  selfcheck: {
    args: '',
    summary: 'check that petspec finds every fault and passes every variant',
    meant: ['self-test', 'self-check', 'selftest', 'doctor'],
    load: async (exit) => (await import('./commands/selfcheck.ts')).selfcheckCommand(exit),
  },
  requirements: {
    args: '',
    summary: 'list the requirements',
    meant: ['rules', 'checks', 'list', 'spec'],
    load: async () => (await import('./commands/requirements.ts')).requirementsCommand(),
  },
  explain: {
    args: '<id>',
    summary: 'explain how petspec reads a requirement',
    meant: ['why', 'describe', 'reading', 'show', 'requirement'],
    load: async () => (await import('./commands/explain.ts')).explainCommand(),
  },
  diff: {
    args: '<old> <new>',
    summary: 'what changes between two versions of an interface',
    meant: ['changes', 'breaking', 'changelog', 'evolve'],
    load: async (exit) => (await import('./commands/diff.ts')).diffCommand(exit),
  },
  faults: {
    args: '',
    summary: 'list the faults of the reference',
    meant: ['mutants', 'bugs'],
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
    .version(packageVersion)
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(see petspec --help, or petspec <command> --help)');
  program.helpInformation = helpText;
  try {
    refuseUnknown(argv.slice(2));
    for (const command of await commandsFor(argv, exit, conductor)) program.addCommand(command);
    for (const command of [program, ...program.commands.flatMap((each) => [each, ...each.commands])])
      command.exitOverride().configureOutput(WITHOUT_VALUES);
    await program.parseAsync(argv);
    return status;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE;
    if (error instanceof UsageError) {
      for (const line of [error.message, ...error.more]) process.stderr.write(`petspec: ${visible(line)}\n`);
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

/** @throws UsageError if the first word, or the one after `help`, is not a command */
function refuseUnknown([first, second]: readonly string[]): void {
  const name = first === 'help' ? second : first;
  if (name === undefined || name.startsWith('-') || name === 'help' || Object.hasOwn(COMMANDS, name)) return;
  if (/^https?:\/\//i.test(name))
    throw new UsageError(
      second === undefined
        ? `'${name}' is not a command; to judge it, type: ${commandLine(['run', name])}`
        : `'${name}' is not a command; to judge it, type the same with 'run' before it`,
    );
  const meant = Object.entries(COMMANDS).find(([, each]) => each.meant?.includes(name.toLowerCase()))?.[0];
  const words = meant ? `; did you mean '${meant}'?` : didYouMean(name, Object.keys(COMMANDS));
  throw new UsageError(`unknown command '${name}'${words || '; petspec --help lists them'}`);
}

/** Reports a bug of petspec. @returns its exit status */
function tellBug(error: unknown): number {
  process.stderr.write(`petspec: ${bugLine(error)}\n`);
  if (process.env.PETSPEC_DEBUG && error instanceof Error) process.stderr.write(`${bugStack(error)}\n`);
  return BUG;
}

/**
 * Removes the value of a mistyped option, which may be a key, from commander's errors, and gives them petspec's prefix and
 * words.
 */
const WITHOUT_VALUES = {
  outputError: (text: string, write: (text: string) => void) =>
    write(
      text
        .replace(/^error: /, 'petspec: ')
        .replace(
          /option '[^']*(--[\w-]+)[^']*' argument '(.*)' is invalid\. (.*)\.$/ms,
          "$1: '$2' is not valid; $3",
        )
        .replace(/(unknown option '[^=']*)=[^\n]*'/, "$1'")
        // One argument that a file or a CI service made of two: what follows the name may be a key as well.
        .replace(
          /unknown option '(\S+) [^\n]*'/,
          "unknown option '$1 ...'; as one argument, it needs = in place of the blank",
        ),
    ),
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

/** What most people need first; the help lists the others by name alone. */
const FIRST = ['run', 'init', 'compare', 'report', 'serve'];

/** Names in lines of at most 78 columns. */
function wrapped(names: readonly string[]): string {
  return names
    .join(', ')
    .replace(/(.{1,76})(?: |$)/g, '  $1\n')
    .trimEnd();
}

/** The help of petspec itself: one screen of 80 columns and 24 rows. */
function helpText(): string {
  const rows = FIRST.map((name) => {
    const { args = '', summary = '' } = COMMANDS[name] ?? {};
    return `  ${`${name} ${args}`.padEnd(25)} ${summary}`;
  });
  const others = Object.keys(COMMANDS).filter((name) => !FIRST.includes(name));
  return `Usage: petspec <command> [options]

Decides whether a service conforms to the animal store interface.

${rows.join('\n')}
${wrapped(others)}

petspec <command> --help explains a command; petspec --version is the version.

Examples:
  petspec run                                    judge the bundled reference
  petspec run https://staging.example.com/v1     the key is in PETSPEC_API_KEY
  petspec run https://staging.example.com/v1 --dry-run    send nothing

Exit status: 0 conformant, 1 non-conformant, 2 wrong usage or configuration,
3 incomplete, 4 a bug of petspec, never held against the target: please report
it with what PETSPEC_DEBUG=1 prints
`;
}
