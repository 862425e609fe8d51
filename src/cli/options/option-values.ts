import { randomInt } from 'node:crypto';
import { InvalidArgumentError } from 'commander';
import { UsageError } from '../../model/usage-error.ts';
import { type Format, REPORT_FORMATS } from '../../report/files/formats.ts';
import { MAX_SEED, type RunOptions } from '../../run/options.ts';
import {
  A_DAY,
  EXHAUSTIBLE,
  isDay,
  isHeaderName,
  isHeaderValue,
  isInt64,
  isKeyHeader,
  isPositiveInteger,
  isSeed,
  isWrittenByHttp,
} from '../../run/settings/values.ts';
import { UNDOCUMENTED } from '../../traffic/coverage/undocumented.ts';

/** The choices of `--format`. */
export const FORMATS = Object.keys(REPORT_FORMATS) as readonly Format[];

export const DEFAULT_FORMATS: readonly Format[] = FORMATS.filter((name) => REPORT_FORMATS[name].isDefault);

/** The meaning of `--format` in `--help`. */
export const FORMAT_HELP = `report format (repeatable or comma-separated): ${FORMATS.join(', ')} (default: ${DEFAULT_FORMATS.join(',')})`;

/** The formats with their files, for the end of `--help`. */
export const FORMATS_HELP = `
Formats:
${FORMATS.map((name) => {
  const { file, description } = REPORT_FORMATS[name];
  return `  ${name.padEnd(10)}${file.padEnd(18)}${description}\n`;
}).join('')}`;

/** The meaning of `--interface` in `--help`, for commands that judge traffic. */
export const INTERFACE_HELP =
  'OpenAPI document, or a folder with one, to judge by (default: the animal store); suites/ in a folder are code that petspec executes';

/** The same for commands that take several documents. */
export const SEVERAL_HELP = `${INTERFACE_HELP}; name it again for each further document of the same server`;

/** The value of `--undocumented`. @throws InvalidArgumentError, which commander reports */
export function undocumented(text: string): (typeof UNDOCUMENTED)[number] {
  const choice = UNDOCUMENTED.find((name) => name === text);
  if (choice) return choice;
  throw new InvalidArgumentError('expected count, advisory or fail.');
}

export const UNDOCUMENTED_HELP =
  'operations, parameters and fields that the document does not list: count them, or make them advisories or violations: count, advisory or fail (default: count)';

/** Adds the formats of one more `--format`. @throws UsageError for an unknown format, or if the text names no format */
export function formats(text: string, earlier: readonly Format[] = []): readonly Format[] {
  if (separated(text).length === 0)
    throw new UsageError(`--format: no name; expected one of ${FORMATS.join(', ')}`);
  return [...new Set([...earlier, ...separated(text).map((name) => chosen('format', name, FORMATS))])];
}

/** The value of `--exhaust`. @throws InvalidArgumentError, which commander reports */
export function exhaustible(text: string): RunOptions['exhaust'] {
  const window = EXHAUSTIBLE.find((name) => name === text);
  if (window) return window;
  throw new InvalidArgumentError('expected minute, day or none.');
}

/** @throws InvalidArgumentError, which commander reports */
export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !isPositiveInteger(value))
    throw new InvalidArgumentError('expected a positive integer.');
  return value;
}

/** Reads a whole number within bounds. @throws InvalidArgumentError, which commander reports */
export function between(least: number, most: number, expected: string): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(expected);
  };
}

/** The value of `--port`. */
export const portNumber = between(0, 65_535, 'expected a port from 1 to 65535, or 0 for any free port.');

/** The value of `--seed`: a number, or a random one. @throws InvalidArgumentError, which commander reports */
export function seed(text: string): number {
  if (text === 'random') return randomInt(MAX_SEED + 1);
  const value = Number(text);
  if (!/^\d+$/.test(text) || !isSeed(value))
    throw new InvalidArgumentError(`expected random, or an integer from 0 to ${MAX_SEED}.`);
  return value;
}

/** Reads a day. @throws InvalidArgumentError, which commander reports */
export function day(text: string): string {
  if (!isDay(text)) throw new InvalidArgumentError(`expected ${A_DAY}.`);
  return text;
}

/** A share of something. @throws InvalidArgumentError, which commander reports */
export function percentage(text: string): number {
  const value = Number(text);
  if (/^\d{1,3}(?:\.\d+)?$/.test(text) && value <= 100) return value;
  throw new InvalidArgumentError('expected a number from 0 to 100.');
}

/** The name of a repository at GitHub. @throws InvalidArgumentError, which commander reports */
export function repositoryName(text: string): string {
  if (/^[\w.-]+\/[\w.-]+$/.test(text)) return text;
  throw new InvalidArgumentError('expected owner/name.');
}

/** @throws InvalidArgumentError, which commander reports */
export function int64(text: string): string {
  if (!isInt64(text)) throw new InvalidArgumentError('expected an int64.');
  return text;
}

/** Adds one more `--header`. @throws UsageError without the value, which may be a secret and which commander would quote */
export function headerLine(
  option: string,
): (text: string, earlier?: (readonly [string, string])[]) => (readonly [string, string])[] {
  return (text, earlier = []) => {
    const [, name = '', value = ''] = /^([^:]*):\s*(.*)$/s.exec(text) ?? [];
    if (!isHeaderName(name) || !isHeaderValue(value))
      throw new UsageError(`${option}: not a valid header; expected 'name: value'`);
    // The server of the document has a key of its own, or none.
    if (isKeyHeader(name) && option === '--header')
      throw new UsageError('--header: Authorization carries the API key; set it with PETSPEC_API_KEY');
    if (isWrittenByHttp(name))
      throw new UsageError(`${option}: ${name} is written by petspec itself; leave it out`);
    return [...earlier, [name, value]];
  };
}

/** The value of `--interface-digest`. @throws InvalidArgumentError, which commander reports */
export function digest(text: string): string {
  if (/^[0-9a-f]{64}$/i.test(text)) return text;
  throw new InvalidArgumentError('expected 64 hexadecimal digits.');
}

/** Adds one more value of a repeatable option. */
export function collect(value: string, earlier: string[] = []): string[] {
  return [...earlier, value];
}

/** A choice of an option. @throws UsageError if the name is not a choice */
export function chosen<Name extends string>(option: string, name: string, names: readonly Name[]): Name {
  const choice = names.find((candidate) => candidate === name);
  if (choice) return choice;
  throw new UsageError(`--${option}: unknown ${option} '${name}'; expected one of ${names.join(', ')}`);
}

/** The values of an option that are separated by commas. */
export function separated(text: string): string[] {
  return text
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');
}

/** Adds one more `--only`, or several with commas. @throws UsageError if it is empty, because that would not mean all */
export function patterns(text: string, earlier: string[] = []): string[] {
  const names = separated(text);
  if (names.length === 0)
    throw new UsageError('--only: no requirement named; leave it out to judge everything');
  return [...earlier, ...names];
}

/** Adds one more `--server`. @throws UsageError if it is not name=url */
export function serverAddress(
  text: string,
  earlier: (readonly [string, string])[] = [],
): (readonly [string, string])[] {
  const [, name, url] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (name === undefined || url === undefined)
    throw new UsageError(
      `--server: '${text}' is not name=url; expected one like --server files.example.com=http://localhost:4000`,
    );
  return [...earlier, [name, url]];
}
