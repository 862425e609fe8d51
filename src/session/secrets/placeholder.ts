/** What stands in place of a secret. It is harmless in a JSON string, in a header, on a page. */
const ECHOED = '[key]';

/** Digits from which on a number may be a secret: fewer are a status, a limit, a year. */
const MIN_DIGITS = 5;

/** Characters on either side that tell what something is part of. */
const AROUND = 40;

const MAX_INT64 = 9223372036854775807n;

/** Numbers with commas between them, also over several lines and as JSON escapes those. */
const LIST = /^\d+(?:(?:\s|\\+[nrt])*,(?:\s|\\+[nrt])*\d+)+$/;

/**
 * What is shown in place of a secret that was found in a text of a target. Whatever has numbers keeps numbers of the
 * same kind, so that a redacted response is judged as the original would be: it is judged again from the ledger, which
 * has no other. The same number is replaced by the same number each time: what was equal is still equal.
 */
export function cover(text: string, found: string, place: number): string {
  const before = text.slice(Math.max(0, place - AROUND), place);
  const after = text.slice(place + found.length, place + found.length + AROUND);
  if (/^\d[\d.]*(?:e[+-]?\d+)?$/i.test(found) && isNumber(before, after))
    return found.length < MIN_DIGITS ? found : sameKind(found);
  if (LIST.test(found)) return found.replace(/\d+/g, '0');
  // A letter that was found may have been the half of an escape.
  const [, backslashes = ''] = /(\\*)$/.exec(before) ?? [];
  return backslashes.length % 2 === 0 ? ECHOED : `\\${ECHOED}`;
}

/** Whether digits stand where a JSON text, a header, a time or an address has a number, or a part of one. */
function isNumber(before: string, after: string): boolean {
  const isInJson =
    /(?:"\s*:|[[,]|^)\s*-?[\d.]*(?:e[+-]?)?$/i.test(before) &&
    /^[\d.]*(?:e[+-]?\d+)?\s*(?:[,\]}]|$)/i.test(after);
  const isInTime = /\d[-.:T]$/i.test(before) || /^[-.:T]\d/i.test(after);
  const isInAddress = /[/=]$/.test(before) && /^(?:[/?&#]|$)/.test(after);
  return isInJson || isInTime || isInAddress;
}

/** A number of as many digits that says nothing; beyond int64 where the other one is. */
function sameKind(number: string): string {
  const isBeyond = /^\d{19}$/.test(number) && BigInt(number) > MAX_INT64;
  return number.replace(/\d/g, isBeyond ? '9' : '1');
}
