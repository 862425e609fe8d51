import { isKeyText } from '../../model/http/key-text.ts';
import { UsageError } from '../../model/usage-error.ts';
import { MAX_SEED, type RunOptions } from '../options.ts';

/** The rate limits that a run may use up. */
export const EXHAUSTIBLE = ['minute', 'day', 'none'] as const satisfies readonly RunOptions['exhaust'][];

/** Whether a value is a positive integer, such as a number of seconds or requests. */
export function isPositiveInteger(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 1;
}

/** What `isDay` accepts, in words. */
export const A_DAY = 'a day such as 2030-12-06';

/** Whether a value is a day of the calendar, `YYYY-MM-DD`. */
export function isDay(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return false;
  const ms = Date.parse(value);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(value);
}

/** Whether a value is a seed: larger ones would repeat smaller ones. */
export function isSeed(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_SEED;
}

/** Whether a text is an int64, in decimal. */
export function isInt64(text: string): boolean {
  return /^-?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}

/** Whether a text can be the name of a header. */
export function isHeaderName(text: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(text);
}

/** Whether a text can be the value of a header. */
export function isHeaderValue(text: string): boolean {
  return !/[^\t\x20-\xff]/.test(text);
}

/** Whether this is the header with the API key, which is a setting of its own. */
export function isKeyHeader(name: string): boolean {
  return name.toLowerCase() === 'authorization';
}

/**
 * Whether a header belongs to the connection, or states how a body is sent (RFC 9110 sections 7.6.1, 8.6 and 10.1.1). HTTP writes
 * these, and the user's would break each request.
 */
export function isWrittenByHttp(name: string): boolean {
  return /^(?:connection|content-length|expect|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$/i.test(
    name,
  );
}

/**
 * Why a text cannot be an API key, in words that do not quote it. Spaces and line breaks around a key do not count.
 * @param isWholeValue whether a header takes it as it is: then it may begin with a scheme, as in `Token 1a2b`
 */
export function keyProblem(text: string, isWholeValue = false): string | undefined {
  const key = text.trim();
  if (isWholeValue && /^[\w-]+ [\x21-\x7e]+$/.test(key)) return undefined;
  if (key === '') return 'the key is empty';
  if (/^bearer(?:\s|$)/i.test(key))
    return "the key starts with 'Bearer'; leave that out, because petspec adds it";
  return isKeyText(key)
    ? undefined
    : 'the key has characters that a header cannot contain; expected ASCII without spaces';
}

/** Why a text cannot be a base URL, in words that quote no secret. @param headers where the user may state headers */
export function addressProblem(text: string, headers?: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    const what = /^https?:/i.test(text) ? 'a valid URL' : 'an http or https URL';
    return `'${withoutSecrets(text)}' is not ${what}; expected one like https://staging.example.com/v1`;
  }
  if (url.username || url.password)
    return `user and password in the URL are not supported; ${headers === undefined ? 'leave them out' : `send the headers of a gateway with ${headers}`}`;
  // Even an empty query or fragment would come before the paths of the interface.
  if (/[?#]/.test(url.href)) return `'${url.origin}${url.pathname}' has a query or a fragment; leave it out`;
  return undefined;
}

/** A text that is not a URL, without the part that may be a user and a password, and without its query. */
function withoutSecrets(text: string): string {
  return text.replace(/^([a-z][a-z\d+.-]*:\/\/)?.*@/is, '$1[hidden]@').replace(/[?#].*/s, '');
}

/**
 * A base URL without a slash at its end.
 * @param headers where the user may state headers
 * @throws UsageError if it is not an http or https URL
 */
export function address(text: string, where: string, headers?: string): string {
  const problem = addressProblem(text, headers);
  if (problem !== undefined) throw new UsageError(`${where}: ${problem}`);
  return new URL(text).href.replace(/\/+$/, '');
}
