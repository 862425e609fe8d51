import { HIDDEN } from '../model/visible.ts';

/**
 * A text as a word of a command that a shell takes as it is, on one line. What a terminal would act on, or a reader
 * would not see, is written as bash, zsh and ksh read it back. A NUL, which no argument can hold, is left out.
 */
export function shellWord(text: string): string {
  const argument = text.replaceAll('\0', '');
  if (!UNFIT.test(argument)) return `'${argument.replaceAll("'", `'\\''`)}'`;
  return `$'${argument.replace(ESCAPED, inBytes)}'`;
}

/** What cannot stand on a line as it is: it would be hidden, or a runner of CI would take it for a command. */
const UNFIT = new RegExp(`${HIDDEN.source}|##\\[`, 'u');
/** An interactive shell looks for `!` in front of everything else. */
const ESCAPED = new RegExp(`${HIDDEN.source}|[\\\\'!#]`, 'gu');

function inBytes(character: string): string {
  return [...Buffer.from(character)].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
}
