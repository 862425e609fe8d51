import { bytesOf } from '../model/json/raw-bytes.ts';
import type { Hint } from '../model/report/diagnosis.ts';
import type { HintResult } from '../model/report/report.ts';
import { HIDDEN } from '../model/visible.ts';

/** The environment variable that petspec reads the key from. */
const KEY_VARIABLE = 'PETSPEC_API_KEY';

/**
 * A command line of petspec for a user to paste into a shell. It has the options of the run that it is about, and no secret: the key
 * is in a variable, and so are the values of headers, without which the shell executes nothing.
 * @param words the command, then its arguments and options
 * @param headers names of the headers that the user sends with every request
 * @param keyVariable the variable that holds the key, if a configuration names one
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

/** A text as a word of a shell, quoted only if it needs to be. */
function wordOf(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : shellWord(text);
}

/** The longest command, in characters, that is useful. */
const MAX_COMMAND = 1_000;

/**
 * A hint as it is in a report: in words, with a command to type if there is one.
 * @param keyVariable the environment variable that holds the key of the run
 */
export function hintResult(hint: Hint, keyVariable?: string): HintResult {
  const { kind, text } = hint;
  const command = commandFor(hint, keyVariable);
  return { kind, text, command: command === undefined || command.length > MAX_COMMAND ? undefined : command };
}

/** A run like the one that the hint is about, at other addresses. */
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

/** What needs escapes: hidden characters, and what a CI runner takes for a command. */
const UNFIT = new RegExp(`${HIDDEN.source}|##\\[`, 'u');
/** `!` too: an interactive shell expands it first. */
const ESCAPED = new RegExp(`${HIDDEN.source}|[\\\\'!#]`, 'gu');

function inBytes(character: string): string {
  return [...bytesOf(character)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
}
