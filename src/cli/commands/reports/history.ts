import { closeSync, existsSync, openSync, realpathSync, statSync } from 'node:fs';
import { Command } from 'commander';
import { sha256 } from '../../../certificate/statement.ts';
import { addEntries } from '../../../history/add.ts';
import { type Course, type CourseBuilder, courseBuilder } from '../../../history/course.ts';
import { entryOf, type HistoryEntry } from '../../../history/entry.ts';
import { LockProblem } from '../../../history/file-lock.ts';
import { renderHistory } from '../../../history/history-text.ts';
import { entriesOf, readEntry } from '../../../history/read.ts';
import { isFileError } from '../../../model/file-error.ts';
import { counted } from '../../../model/report/report.ts';
import { didYouMean, UsageError } from '../../../model/usage-error.ts';
import { visible } from '../../../model/visible.ts';
import { pageOf } from '../../../report/text/style.ts';
import { readReportFile } from '../../options/named-file.ts';

/** The default file of a history. */
const HISTORY_FILE = 'history.jsonl';

/** The most lines that are reported because they are not entries. */
const MAX_PROBLEMS = 5;

const FILE_HELP = 'file of the history';

interface AddFlags {
  file: string;
  name?: string | undefined;
  release?: string | undefined;
}

interface HistoryFlags {
  file: string;
  name?: string;
  failOnRegression?: boolean;
}

/** `petspec history`: how implementations change from run to run. */
export function historyCommand(exit: (status: number) => void): Command {
  const add = new Command('add')
    .description(
      'Adds runs to a history. Several jobs can add at the same time. A report that is already there is not added again.',
    )
    .summary('add runs to a history')
    .argument('<report...>', 'reports or their folders')
    .option('--file <file>', FILE_HELP, HISTORY_FILE)
    .option('--name <name>', 'name of the implementation (default: the base URL of the run)')
    .option('--release <version>', 'release of the implementation')
    .action((paths: string[], _: AddFlags, command: Command) => addReports(paths, command.optsWithGlobals()));
  return new Command('history')
    .description(
      'Prints how each implementation changes from run to run: what got better and worse, since when each requirement has been violated, what flickers, and trends.',
    )
    .option('--file <file>', FILE_HELP, HISTORY_FILE)
    .option('--name <name>', 'only this implementation')
    .option('--fail-on-regression', 'exit 1 if the last run violates a requirement that the one before met')
    .addHelpText('after', EXAMPLES)
    .addCommand(add)
    .action((flags: HistoryFlags) => exit(printHistory(flags)));
}

async function addReports(
  paths: readonly string[],
  { file, name, release, failOnRegression }: AddFlags & HistoryFlags,
): Promise<void> {
  // commander accepts options of the parent command after those of this command as well.
  if (failOnRegression)
    throw new UsageError('history add: --fail-on-regression is not supported; pass it to petspec history');
  for (const [option, text] of [
    ['--name', name],
    ['--release', release],
  ])
    if (text === '') throw new UsageError(`${option}: expected a text that is not empty`);
  const entries = paths.map((path) => entryFrom(path, { name, release }));
  try {
    // The lock is beside the file itself, also if the path is a link to it.
    const { isNew, removed } = await addEntries(existsSync(file) ? realpathSync(file) : file, entries);
    if (removed > 0)
      process.stderr.write(
        `petspec: ${visible(file)}: removed a cut last line of ${counted(removed, 'byte')}\n`,
      );
    const added = isNew.filter(Boolean).length;
    const present = isNew.length - added;
    process.stdout.write(
      `${visible(file)}: added ${counted(added, 'run')}${present > 0 ? `; ${present} already there` : ''}\n`,
    );
  } catch (error) {
    if (error instanceof LockProblem) throw new UsageError(error.message);
    if (!isFileError(error)) throw error;
    throw new UsageError(`--file: cannot write to '${file}' (${error.code}); nothing was added`);
  }
}

/** The entry of a report. @throws UsageError if there is no report, or a history cannot keep it */
function entryFrom(path: string, implementation: Pick<AddFlags, 'name' | 'release'>): HistoryEntry {
  const { report, bytes } = readReportFile(path);
  const entry = entryOf(report, sha256(bytes), implementation);
  const kept = readEntry(Buffer.from(JSON.stringify(entry)));
  if (typeof kept === 'string') throw new UsageError(`${path}: a history cannot keep this report: ${kept}`);
  return kept;
}

function printHistory({ file, name, failOnRegression }: HistoryFlags): number {
  const courses = readCourses(file);
  const names = courses.map((course) => course.name);
  if (name !== undefined && !names.includes(name))
    throw new UsageError(`--name: no run of '${name}' in ${file}${didYouMean(name, names)}`);
  const wanted = courses.filter((course) => name === undefined || course.name === name);
  process.stdout.write(renderHistory(wanted, pageOf(process.stdout, process.env)));
  const isWorse = wanted.some(({ requirements }) => requirements.some(({ change }) => change === 'worse'));
  return isWorse && failOnRegression ? 1 : 0;
}

/** The courses in a history, in the order of their first entries. @throws UsageError if it cannot be read, or has no run */
function readCourses(path: string): Course[] {
  const builders = new Map<string, CourseBuilder>();
  const problems: string[] = [];
  const file = openHistory(path);
  try {
    const entries = entriesOf(file, ({ line, problem }) => {
      if (problems.length < MAX_PROBLEMS) problems.push(`${path}: line ${line}: ${problem}`);
    });
    for (const entry of entries) {
      const builder = builders.get(entry.name) ?? courseBuilder(entry.name);
      builders.set(entry.name, builder);
      builder.add(entry);
    }
  } finally {
    closeSync(file);
  }
  const courses = [...builders.values()].flatMap((builder) => builder.course() ?? []);
  if (courses.length === 0)
    throw new UsageError(problems[0] ?? `${path}: no run in this history; add one with petspec history add`);
  for (const problem of problems) process.stderr.write(`petspec: ${visible(problem)}; ignored\n`);
  return courses;
}

function openHistory(path: string): number {
  try {
    if (!statSync(path).isFile()) throw new UsageError(`${path}: not a file`);
    return openSync(path, 'r');
  } catch (error) {
    if (!isFileError(error)) throw error;
    const why =
      error.code === 'ENOENT'
        ? 'no such history; petspec history add makes one'
        : `cannot read it (${error.code})`;
    throw new UsageError(`${path}: ${why}`);
  }
}

const EXAMPLES = `
Exit status: 0, or 1 for a regression with --fail-on-regression, or 2 if a file cannot be read.

Examples:
  petspec history add reports --name python-store --release 1.4.0
  petspec history add vendor-*/report.json --file runs/history.jsonl
  petspec history
  petspec history --name python-store --fail-on-regression`;
