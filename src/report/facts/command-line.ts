import { bytesOf } from '../../model/json/raw-bytes.ts';
import type { Hint } from '../../model/report/diagnosis.ts';
import type { HintResult } from '../../model/report/report.ts';
import { HIDDEN } from '../../model/visible.ts';

/** The environment variable that petspec reads the key from. */
export const KEY_VARIABLE = 'PETSPEC_API_KEY';

/**
 * A command line of petspec for a user to paste into a shell. It contains no secret: the key and the values of headers are
 * variables. If a header variable is not set, the shell refuses the command.
 * @param words the command, then its arguments and options
 * @param headers names of the headers that the user sends with every request
 * @param keyVariable the environment variable that holds the key
 */
export function commandLine(
  words: readonly string[],
  {
    headers = [],
    keyVariable = KEY_VARIABLE,
  }: { headers?: readonly string[]; keyVariable?: string | undefined } = {},
): string {
  return [
    ...(keyVariable === KEY_VARIABLE ? [] : [`${KEY_VARIABLE}="$${keyVariable}"`]),
    'npx petspec',
    ...words.map(wordOf),
    ...headers.map((name) => `--header ${shellWord(`${name}: `)}"\${${headerVariable(name)}:?}"`),
  ].join(' ');
}

/** The name of the variable for a header of the user. */
export function headerVariable(name: string): string {
  return `HEADER_${name.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`;
}

/** A text as a word of a shell, quoted only if necessary. */
function wordOf(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : shellWord(text);
}

/** The longest command of a hint, in characters. */
const MAX_COMMAND = 1_000;

/**
 * A hint in a report: a text, and a command if one helps.
 * @param keyVariable the environment variable that holds the key
 */
export function hintResult(hint: Hint, keyVariable?: string): HintResult {
  const { kind, text } = hint;
  const command = commandFor(hint, keyVariable);
  return { kind, text, command: command === undefined || command.length > MAX_COMMAND ? undefined : command };
}

/** The command that repeats the run at the addresses of the hint. */
function commandFor(
  { instead, options = [], headers = [] }: Hint,
  keyVariable: string | undefined,
): string | undefined {
  if (!instead) return undefined;
  const { baseUrl, apiUrl } = instead;
  const words = ['run', baseUrl, ...(apiUrl === undefined ? [] : ['--api-url', apiUrl]), ...options];
  return commandLine(words, { headers, keyVariable });
}

/**
 * Quotes a text as one word of a shell command, on one line. Hidden characters are written as escapes, which bash, zsh
 * and ksh understand. A NUL is left out: no argument can contain one.
 */
export function shellWord(text: string): string {
  const argument = text.replaceAll('\0', '');
  if (!UNFIT.test(argument)) return `'${argument.replaceAll("'", `'\\''`)}'`;
  return `$'${argument.replace(ESCAPED, inBytes)}'`;
}

/** Texts that need escapes: with hidden characters, or with the start of a command for CI runners. */
const UNFIT = new RegExp(`${HIDDEN.source}|##\\[`, 'u');
/** `!` too, because an interactive shell expands it before it parses quotes. */
const ESCAPED = new RegExp(`${HIDDEN.source}|[\\\\'!#]`, 'gu');

function inBytes(character: string): string {
  return [...bytesOf(character)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
}
