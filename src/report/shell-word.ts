import { bytesOf } from '../model/json/raw-bytes.ts';
import { HIDDEN } from '../model/visible.ts';

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
