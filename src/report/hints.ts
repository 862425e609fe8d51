import type { Addresses, Hint } from '../model/report/hint.ts';
import type { HintResult } from '../model/report/report.ts';

/** Characters of a command; a longer one is of no use to anybody. */
const MAX_COMMAND = 1_000;

/** A hint as a report has it: in words, with the command to type where there is one. */
export function hintResult({ kind, text, instead }: Hint): HintResult {
  const command = instead && commandFor(instead);
  return { kind, text, ...(command === undefined || command.length > MAX_COMMAND ? {} : { command }) };
}

function commandFor({ baseUrl, apiUrl }: Addresses): string {
  return ['petspec run', word(baseUrl), ...(apiUrl === undefined ? [] : ['--api-url', word(apiUrl)])].join(
    ' ',
  );
}

/** A word for a POSIX shell. */
function word(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
