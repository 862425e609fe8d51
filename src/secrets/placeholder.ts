/** Replaces a secret. It is harmless in a JSON string, in a header and on a page. */
export const PLACEHOLDER = '[key]';

/** Replaces the value of a parameter: `[hidden]`, percent-encoded so that the address stays valid. */
export const IN_QUERY = '%5Bhidden%5D';

/** Replaces a secret in a mail address, which may have no brackets. */
const IN_ADDRESS = 'key';

/** A number with fewer digits is not a secret: it is a status, a limit or a year. */
const MIN_DIGITS = 5;

/** Characters on either side that show whether digits are a number. */
const CONTEXT = 40;

const MAX_INT32 = 2147483647n;
const MAX_INT64 = 9223372036854775807n;

/** Numbers with commas between them, also over several lines. */
const LIST = /^[\d\s]*,[\d\s,]*$/;

/**
 * What replaces a secret that was found in a text of a target. A number is replaced by a number of the same kind, and
 * equal numbers by equal ones, so that the redacted response in the ledger is judged like the original.
 */
export function placeholderFor(text: string, secret: string, place: number): string {
  const before = text.slice(Math.max(0, place - CONTEXT), place);
  const after = text.slice(place + secret.length, place + secret.length + CONTEXT);
  if (/^\d[\d.]*(?:e[+-]?\d+)?$/i.test(secret) && isNumber(before, after))
    return secret.length < MIN_DIGITS ? secret : sameKind(secret);
  if (LIST.test(secret)) return secret.replace(/\d+/g, '0');
  // The first letter of the secret may belong to an escape.
  const [, backslashes = ''] = /(\\*)$/.exec(before) ?? [];
  const shown = isMailbox(before, after) ? IN_ADDRESS : PLACEHOLDER;
  return backslashes.length % 2 === 0 ? shown : `\\${shown}`;
}

/** Whether a placeholder is a text, and not a number of the same kind. */
export function isTextual(placeholder: string): boolean {
  return [IN_ADDRESS, PLACEHOLDER, IN_QUERY].some((text) => placeholder.endsWith(text));
}

/** Whether a secret between these texts is the name in a mail address, and not the password in a URL. */
function isMailbox(before: string, after: string): boolean {
  return /^@[\w-]+(?:\.[\w-]+)+/.test(after) && !/:\/\/[^\s"]*$/.test(before);
}

/** Whether digits are a number, or a part of one, in JSON, a header, a time or a URL. */
function isNumber(before: string, after: string): boolean {
  const isInJson =
    /(?:"\s*:|[[,]|^)\s*-?[\d.]*(?:e[+-]?)?$/i.test(before) &&
    /^[\d.]*(?:e[+-]?\d+)?\s*(?:[,\]}]|$)/i.test(after);
  const isInTime = /\d[-.:T]$/i.test(before) || /^[-.:T]\d/i.test(after);
  const isInUrl = /[/=]$/.test(before) && /^(?:[/?&#]|$)/.test(after);
  return isInJson || isInTime || isInUrl;
}

/** A meaningless number of as many digits; beyond int32 or int64 if the original is. */
function sameKind(number: string): string {
  const isBeyond =
    (/^\d{19}$/.test(number) && BigInt(number) > MAX_INT64) ||
    (/^\d{10}$/.test(number) && BigInt(number) > MAX_INT32);
  return number.replace(/\d/g, isBeyond ? '9' : '1');
}
