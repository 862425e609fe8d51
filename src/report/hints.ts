import type { Hint, StatedAddresses } from '../model/report/hint.ts';
import type { HintResult } from '../model/report/report.ts';
import { shellWord } from './shell-word.ts';

/** The longest command, in characters, that is useful. */
const MAX_COMMAND = 1_000;

/** A hint as it is in a report: in words, with a command to type if there is one. */
export function hintResult({ kind, text, instead, options = [] }: Hint): HintResult {
  const command = instead && commandFor(instead, options);
  return { kind, text, ...(command === undefined || command.length > MAX_COMMAND ? {} : { command }) };
}

function commandFor({ baseUrl, apiUrl }: StatedAddresses, options: readonly string[]): string {
  return [
    'npx petspec run',
    word(baseUrl),
    ...(apiUrl === undefined ? [] : ['--api-url', word(apiUrl)]),
    ...options.map(word),
  ].join(' ');
}

/** A text as a word of a shell, quoted only if it needs to be. */
function word(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : shellWord(text);
}
