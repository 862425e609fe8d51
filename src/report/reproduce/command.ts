import type { Exchange, HeaderLine } from '../../model/exchange.ts';
import { curlOf } from '../curl.ts';
import { shellWord } from '../shell-word.ts';
import type { Sent } from './sent-request.ts';

/** What holds for every command of a run. */
export interface CommandSettings {
  isInsecure: boolean;
  /** The environment variable that holds the key. */
  keyVariable?: string;
}

/** How petspec shows a header of the user's own: its value may be a secret. */
const HIDDEN = '[hidden]';

/** What marks the place of a variable while a command is quoted. No argument of a command can hold this character. */
const MARK = '\0';

/** Text in a request that the shell is to replace by the value of a variable. */
export function variable(name: string): string {
  return `${MARK}${name}${MARK}`;
}

/** A request without marks: variables are put into it later. */
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

/** The variable that holds the value of a header of the user's own. */
function headerVariable(name: string): string {
  return `HEADER_${name.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`;
}

/** The variables that whoever runs a command has to set first, as petspec does not know what they hold. */
export function unknownVariables(requests: readonly Sent[]): string[] {
  const names = requests.flatMap(({ requestHeaders }) =>
    requestHeaders.flatMap(([name, value]) => (value === HIDDEN ? [headerVariable(name)] : [])),
  );
  return [...new Set(names)];
}

/**
 * A curl command with options of its own. What a request holds is quoted as it is; only variables are replaced.
 * @param request without marks but those of `variable`
 * @param options `-i` and the like
 */
export function commandOf(request: Sent, options: string, settings: CommandSettings): string {
  const { method } = request;
  const requestHeaders = request.requestHeaders.map(
    ([name, value]): HeaderLine => [name, value === HIDDEN ? variable(headerVariable(name)) : value],
  );
  const exchange = { ...request, requestHeaders, method: method === 'HEAD' ? 'GET' : method };
  const { isInsecure, keyVariable } = settings;
  const command = curlOf(exchange as unknown as Exchange, isInsecure, keyVariable, wordOf);
  return `curl ${options}${command.slice('curl -i'.length)}`;
}

/** The options that show what became of a request: its answer with the headers, or why there is none. */
export function showing({ method, failure, seconds, isEncoded }: Sent): string {
  return [
    // curl waits for the body that -X HEAD makes it expect.
    method === 'HEAD' ? '--head' : '-i',
    ...(failure === 'timeout' ? [`--max-time ${seconds}`] : []),
    // What follows a complete response shows only where curl does not stop at its end.
    ...(failure === 'surplus'
      ? [`--raw --ignore-content-length -H 'connection: close' -w '\\n%{size_download} bytes of body\\n'`]
      : []),
    ...(isEncoded ? ['--compressed'] : []),
  ].join(' ');
}

/** A text as a word of a shell: taken as it is, but for its variables. */
export function wordOf(text: string): string {
  const parts = text.split(/\0(\w+)\0/);
  if (parts.length === 1) return shellWord(text);
  const words = parts.map((part, index) => (index % 2 === 1 ? `"$${part}"` : part && shellWord(part)));
  return words.join('');
}
