import type { HeaderLine } from '../../model/exchange.ts';
import { partsOf, placeOf, type RepeatedRequest, type SentRequest } from '../../model/report/reproduction.ts';
import { PLACEHOLDERS } from '../../secrets/authorization.ts';
import { headerVariable, shellWord } from '../command-line.ts';
import { type CommandSettings, curlOf } from '../curl.ts';

/** The value that petspec shows for a header of the user, which may be a secret. */
const HIDDEN = '[hidden]';

const PLACEHOLDER = new RegExp(PLACEHOLDERS, 'g');

/** The variables with keys beside that of the run: of another user, or one of several that a request needs together. */
function otherKeysIn(text: string): string[] {
  return (text.match(PLACEHOLDER) ?? []).map((each) => each.slice(1)).filter(isOtherKey);
}

/** Whether a variable holds such a key. */
export function isOtherKey(variable: string): boolean {
  return /^PETSPEC_(?:SECOND_)?KEY/.test(variable);
}

/** The variables that a user has to set first, because petspec does not know their values. */
export function unknownVariables(requests: readonly SentRequest[]): string[] {
  const names = requests.flatMap(({ url, requestHeaders }) => [
    ...otherKeysIn(url),
    ...requestHeaders.flatMap(([name, value]) => variablesIn(name, value)),
  ]);
  return [...new Set(names)];
}

function variablesIn(name: string, value: string): string[] {
  return value === HIDDEN ? [headerVariable(name)] : otherKeysIn(value);
}

/**
 * A curl command for a request. Everything is quoted; only places become variables.
 * @param options such as `-i`
 */
export function commandOf(request: RepeatedRequest, options: string, settings: CommandSettings): string {
  const { method } = request;
  const requestHeaders = request.requestHeaders.map(
    ([name, value]): HeaderLine => [name, value === HIDDEN ? placeOf(headerVariable(name)) : value],
  );
  const repeated = { ...request, requestHeaders, method: method === 'HEAD' ? 'GET' : method };
  return curlOf(repeated, settings, options, wordWithPlaces);
}

/** The curl options that show the outcome of a request: its response with headers, or the failure. */
export function showing({ method, failure, seconds, isEncoded }: SentRequest): string {
  return [
    // With -X HEAD, curl would wait for a body.
    method === 'HEAD' ? '--head' : '-i',
    ...(failure === 'timeout' ? [`--max-time ${seconds}`] : []),
    // By default curl stops at the end of the response and does not show what follows.
    ...(failure === 'surplus'
      ? [`--raw --ignore-content-length -H 'connection: close' -w '\\n%{size_download} bytes of body\\n'`]
      : []),
    ...(isEncoded ? ['--compressed'] : []),
  ].join(' ');
}

/** Quotes a text as a word of a shell. Its places become variables. */
function wordWithPlaces(text: string): string {
  const parts = partsOf(text);
  if (parts.length === 1) return shellWord(text);
  const words = parts.map((part, index) => (index % 2 === 1 ? `"$${part}"` : part && shellWord(part)));
  return words.join('');
}
