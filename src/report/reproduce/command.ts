import type { Exchange, HeaderLine } from '../../model/exchange.ts';
import { headerVariable } from '../command-line.ts';
import { type CommandSettings, curlOf } from '../curl.ts';
import { shellWord } from '../shell-word.ts';
import type { SentRequest } from './sent-request.ts';

/** The value that petspec shows for a header of the user, which may be a secret. */
const HIDDEN = '[hidden]';

/** Marks the place of a variable until a command is quoted. No argument of a command can contain it. */
const MARK = '\0';

/** A placeholder in a request that becomes a shell variable. */
export function variable(name: string): string {
  return `${MARK}${name}${MARK}`;
}

/** A request without the marker character, before placeholders are put in. */
export function unmarked<Request extends Pick<Exchange, 'url' | 'requestHeaders' | 'requestBody'>>(
  request: Request,
): Request {
  const clean = (text: string) => text.replaceAll(MARK, '');
  const { url, requestHeaders, requestBody } = request;
  return {
    ...request,
    url: clean(url),
    requestHeaders: requestHeaders.map(([name, value]) => [clean(name), clean(value)] as const),
    ...(requestBody === undefined ? {} : { requestBody: clean(requestBody) }),
  };
}

/** The variables that a user has to set first, because petspec does not know their values. */
export function unknownVariables(requests: readonly SentRequest[]): string[] {
  const names = requests.flatMap(({ requestHeaders }) =>
    requestHeaders.flatMap(([name, value]) => (value === HIDDEN ? [headerVariable(name)] : [])),
  );
  return [...new Set(names)];
}

/**
 * A curl command for a request. Everything is quoted; only placeholders become variables.
 * @param request without marker characters, except in placeholders
 * @param options such as `-i`
 */
export function commandOf(request: SentRequest, options: string, settings: CommandSettings): string {
  const { method } = request;
  const requestHeaders = request.requestHeaders.map(
    ([name, value]): HeaderLine => [name, value === HIDDEN ? variable(headerVariable(name)) : value],
  );
  const repeated = { ...request, requestHeaders, method: method === 'HEAD' ? 'GET' : method };
  return curlOf(repeated, settings, options, wordOf);
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

/** Quotes a text as a word of a shell. Its placeholders become variables. */
export function wordOf(text: string): string {
  const parts = text.split(/\0(\w+)\0/);
  if (parts.length === 1) return shellWord(text);
  const words = parts.map((part, index) => (index % 2 === 1 ? `"$${part}"` : part && shellWord(part)));
  return words.join('');
}
