/** What stands in place of a secret. It is harmless in a JSON string, in a header, on a page. */
const ECHOED = '[key]';

/** Characters on either side that tell what something is part of. */
const AROUND = 40;

/**
 * What is shown in place of a secret that was found in a text of a target, so that the text is judged as the original
 * would be. Lists of numbers stay lists of as many numbers, and a number of a JSON text is left alone.
 */
export function cover(text: string, found: string, place: number): string {
  const before = text.slice(Math.max(0, place - AROUND), place);
  const after = text.slice(place + found.length, place + found.length + AROUND);
  if (/^\d+$/.test(found) && isNumber(before, after)) return found;
  if (/^\d+(?:(?:[\s,]|\\+[nrt])+\d+)+$/.test(found)) return found.replace(/\d+/g, '0');
  // A letter that was found may have been the half of an escape.
  const [, backslashes = ''] = /(\\*)$/.exec(before) ?? [];
  return backslashes.length % 2 === 0 ? ECHOED : `\\${ECHOED}`;
}

/** Whether digits stand where a JSON text has a number. */
function isNumber(before: string, after: string): boolean {
  return /(?:"\s*:|[[,])\s*-?$/.test(before) && /^\s*(?:[,\]}]|$)/.test(after);
}
