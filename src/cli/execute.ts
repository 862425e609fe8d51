import { Command, CommanderError } from 'commander';
import { packageVersion } from '../model/package-root.ts';
import { didYouMean, UsageError } from '../model/usage-error.ts';
import { visible } from '../model/visible.ts';
import { commandLine } from '../report/facts/command-line.ts';
import type { Conductor } from '../vitest/vitest-run.ts';
import { COMMANDS, type Exit, helpText } from './command-table.ts';
import { tellBug } from './output/bugs.ts';

/** The exit status of wrong usage or configuration. */
const USAGE = 2;

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
    if (argv[2] === 'complete' && !argv.slice(3).some((word) => ['--help', '-h'].includes(word))) {
      const names = Object.keys(COMMANDS).filter((name) => name !== 'complete');
      const { complete } = await import('./agents/complete.ts');
      await complete(argv.slice(2), await commandsFor(['', '', ...names], exit, conductor));
      return status;
    }
    for (const command of await commandsFor(argv, exit, conductor)) program.addCommand(command);
    for (const command of [program, ...program.commands.flatMap((child) => [child, ...child.commands])])
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

/** The commands that the arguments name; if they name none, every command as the help lists it. */
async function commandsFor(argv: readonly string[], exit: Exit, conductor: Conductor): Promise<Command[]> {
  const named = Object.entries(COMMANDS).filter(([name]) => argv.slice(2).includes(name));
  if (named.length > 0)
    return Promise.all(
      named.map(async ([, { summary, load }]) => (await load(exit, conductor)).summary(summary)),
    );
  // The help prints `[options]` only for a command with options.
  return Object.entries(COMMANDS).map(([name, { args, summary }]) => {
    const listed = new Command(name).summary(summary).option('--any');
    return args === '' ? listed : listed.arguments(args);
  });
}

/** @throws UsageError if the first word, or the word after `help`, is not a command */
function refuseUnknown([first, second]: readonly string[]): void {
  const name = first === 'help' ? second : first;
  if (name === undefined || name.startsWith('-') || name === 'help' || Object.hasOwn(COMMANDS, name)) return;
  if (/^https?:\/\//i.test(name))
    throw new UsageError(
      second === undefined
        ? `'${name}' is not a command; to judge it, type: ${commandLine(['run', name])}`
        : `'${name}' is not a command; to judge it, type the same with 'run' before it`,
    );
  const meant = Object.entries(COMMANDS).find(([, command]) =>
    command.meant?.includes(name.toLowerCase()),
  )?.[0];
  const words = meant ? `; did you mean '${meant}'?` : didYouMean(name, Object.keys(COMMANDS));
  throw new UsageError(`unknown command '${name}'${words || '; petspec --help lists them'}`);
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
        // One argument that a file or a CI service split into two: the word after the name may be a key as well.
        .replace(
          /unknown option '(\S+) [^\n]*'/,
          "unknown option '$1 ...'; as one argument, it needs = in place of the blank",
        ),
    ),
};
