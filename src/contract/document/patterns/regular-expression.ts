import { foreignIn } from './foreign.ts';

/** What means something else without the flag `u`. */
const UNICODE = /\\[pP]\{|\\u\{/;

/**
 * A text as a regular expression of JavaScript; undefined if it is none, or if it was written for another language. Many authors
 * escape more than the flag `u` allows, as in `^cus\\-\\d+$`.
 */
export function regularExpression(pattern: string): RegExp | undefined {
  if (foreignIn(pattern)) return undefined;
  const flags = UNICODE.test(pattern) ? ['u'] : ['u', ''];
  for (const each of flags) {
    try {
      return new RegExp(pattern, each);
    } catch {
      // Perhaps it is one without the flag.
    }
  }
  return undefined;
}

/** Why a pattern is not judged, in words; undefined if it is judged. */
export function patternMistake(pattern: string): string | undefined {
  if (regularExpression(pattern)) return undefined;
  const shown = pattern.slice(0, 60);
  const foreign = foreignIn(pattern);
  if (!foreign) return `the pattern ${shown} is no regular expression of JavaScript, so it is not judged`;
  const { part, here, elsewhere, instead } = foreign;
  return `the pattern ${shown} is not judged: in JavaScript, which JSON Schema uses, ${part} ${here}; elsewhere it ${elsewhere}; ${instead}`;
}

/** More mistakes than anybody mends at once: looking for the lines of all of them may take long. */
const MAX_PLACES = 100;

/** Names the line of a pattern in the text of a file, where it is found. */
export function linesOf(name: string, text: string): (pattern: string) => string {
  const known = new Map<string, string>();
  return (pattern) => {
    const found = known.get(pattern) ?? (known.size < MAX_PLACES ? placeIn(name, text, pattern) : '');
    known.set(pattern, found);
    return found;
  };
}

/** The keyword `pattern` before a value, or the keyword `patternProperties` some lines before a name. */
const BEFORE = /pattern["']?\s*:\s*["']?$|patternProperties["']?\s*:.*$/s;
const MAX_BEFORE = 1_000;

function placeIn(name: string, text: string, pattern: string): string {
  for (const written of new Set([
    pattern,
    JSON.stringify(pattern).slice(1, -1),
    pattern.replaceAll("'", "''"),
  ]))
    for (let at = text.indexOf(written); at >= 0; at = text.indexOf(written, at + 1))
      if (BEFORE.test(text.slice(Math.max(0, at - MAX_BEFORE), at)))
        return `${name}:${text.slice(0, at).split('\n').length}: `;
  return '';
}
