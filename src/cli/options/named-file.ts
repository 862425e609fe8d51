import { readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { CONFIG_FILE, type Config, ConfigError } from '../../config/config.ts';
import { isFileError } from '../../model/file-error.ts';
import { isViolation, type Report } from '../../model/report/report.ts';
import { UsageError } from '../../model/usage-error.ts';
import { REPORT_FILES } from '../../report/files/formats.ts';
import { readReport, withoutExchanges } from '../../report/read-report.ts';

/** Reads a file that the user named. @throws UsageError if it cannot be read */
export function readNamed(option: string, path: string, missing = `no such file '${path}'`): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if (!isFileError(error)) throw error;
    const why = error.code === 'ENOENT' ? missing : `cannot read '${path}' (${error.code})`;
    throw new UsageError(`${option}: ${why}`);
  }
}

/** Reads the text of a file that the user named, or of a file descriptor. @throws UsageError if it cannot be read */
export function readText(option: string, name: string, from: string | number = name): string {
  try {
    return readFileSync(from, 'utf8');
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? error.code : error;
    throw new UsageError(`${option}: cannot read '${name}' (${why})`);
  }
}

/**
 * Reads the configuration: the named file, or else the nearest configuration in a folder or its parents.
 * @returns undefined if none is named and none is found
 * @throws UsageError if it cannot be read, or has a mistake
 */
export async function readConfig(
  named: string | undefined,
  folder = process.cwd(),
): Promise<Config | undefined> {
  const file = named ?? findConfig(folder);
  if (file === undefined) return undefined;
  const { parseConfig } = await import('../../config/parse.ts');
  try {
    return parseConfig(readFileSync(file, 'utf8'), relative(process.cwd(), file) || file);
  } catch (error) {
    if (error instanceof ConfigError) throw new UsageError(error.message, error.more);
    if (!isFileError(error)) throw error;
    const why = error.code === 'ENOENT' ? `no such file '${file}'` : `cannot read '${file}' (${error.code})`;
    throw new UsageError(named === undefined ? why : `--config: ${why}`);
  }
}

/** Path of the nearest configuration, in a folder or its parents. */
function findConfig(folder: string): string | undefined {
  const file = join(folder, CONFIG_FILE);
  if (statSync(file, { throwIfNoEntry: false })?.isFile()) return file;
  const above = dirname(folder);
  return above === folder ? undefined : findConfig(above);
}

/** The maximum size of a report, in bytes. petspec writes much smaller ones. */
const MAX_REPORT = 256 * 1024 * 1024;

/** A report, and the bytes of its file. */
interface ReadReport {
  report: Report;
  bytes: Buffer;
}

/**
 * Reads a report.
 * @param path the path of a report.json, or of the folder that has it
 * @throws UsageError if the report does not exist or cannot be read
 */
export function readReportFile(path: string): ReadReport {
  return readFrom(path, undefined, (bytes) => bytes);
}

/**
 * Reads a report without its exchanges, which may be a hundred thousand.
 * @param option the option that names it, for messages
 * @throws UsageError as {@link readReportFile} does
 */
export function readBareReport(path: string, option?: string): Report {
  return readFrom(path, option, withoutExchanges).report;
}

/** Reads the file once: a pipe cannot be read again. */
function readFrom(path: string, option: string | undefined, part: (bytes: Buffer) => Buffer): ReadReport {
  const name = option === undefined ? path : `${option}: ${path}`;
  try {
    const file = statSync(path).isDirectory() ? join(path, REPORT_FILES.json) : path;
    const kind = statSync(file);
    if (!kind.isFile() && !kind.isFIFO()) throw new UsageError(`${name}: not a file`);
    if (kind.size > MAX_REPORT)
      throw new UsageError(`${name}: not a petspec report: larger than ${MAX_REPORT / 1024 / 1024} MiB`);
    const bytes = readFileSync(file);
    const report = readReport(part(bytes).toString('utf8'));
    if (typeof report !== 'string') return { report, bytes };
    throw new UsageError(`${name}: ${report}`);
  } catch (error) {
    if (!isFileError(error)) throw error;
    throw new UsageError(error.code === 'ENOENT' ? `${name}: no such report` : error.message);
  }
}

/** The ids that a report found violated. @throws UsageError if there are none, because none would mean all */
export function violatedIn(path: string): string[] {
  const report = readBareReport(path, '--only-violated');
  const violated = report.requirements.filter((result) => isViolation(report, result)).map(({ id }) => id);
  if (violated.length === 0)
    throw new UsageError(`--only-violated: ${path} has no violation; there is nothing to judge again`);
  return violated;
}
