import type { Exchange, HeaderLine } from '../../model/exchange.ts';
import { partsOf, placeOf, type RepeatedRequest, type SentRequest } from '../../model/report/reproduction.ts';
import { KEY_EXPANSION, NEAR_PLACEHOLDERS, PLACEHOLDERS } from '../../secrets/keys/authorization.ts';
import { headerVariable, KEY_VARIABLE, shellWord } from '../facts/command-line.ts';

/** Valid header names. curl would read some invalid ones as a file name. */
const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/;
const VARIABLE = /^[A-Za-z_]\w*$/;

/** Characters that no shell treats specially between double quotes. */
const PLAIN = /^[\w .,:/+=@%-]*$/;

/** Headers that make no difference, or that curl sends itself: without a secret, the body may have another length. */
const LEFT_OUT: readonly string[] = ['user-agent', 'accept-encoding', 'traceparent', 'content-length'];

/** If the user set such a header, it may make a difference. */
function isLeftOut(name: string, value: string): boolean {
  return LEFT_OUT.includes(name.toLowerCase()) && value !== '[hidden]';
}

export interface CommandSettings {
  /** Whether curl must not verify the TLS certificate. */
  isInsecure?: boolean;
  /** The environment variable that holds the key. */
  keyVariable?: string | undefined;
}

/**
 * A shell command that repeats the request of an exchange. The exchange may come from a stranger's ledger, so everything
 * except the variable of the key is quoted.
 * @param options options of curl
 * @param word quotes a text as a word of a shell
 */
export function curlOf(
  {
    method,
    url,
    requestHeaders,
    requestBody,
  }: Pick<Exchange, 'method' | 'url' | 'requestHeaders' | 'requestBody'>,
  { isInsecure = false, keyVariable = KEY_VARIABLE }: CommandSettings = {},
  options = '-i',
  word: (text: string) => string = shellWord,
): string {
  const variable = VARIABLE.test(keyVariable) ? keyVariable : KEY_VARIABLE;
  return [
    `curl ${options}`,
    ...(isInsecure ? ['--insecure'] : []),
    // With a body, curl would send a POST.
    ...(method === 'GET' && requestBody === undefined
      ? []
      : [`-X ${/^[A-Z]+$/.test(method) ? method : shellWord(method)}`]),
    ...requestHeaders
      .filter(([name, value]) => TOKEN.test(name) && !isLeftOut(name, value))
      .map(([name, value]) => `-H ${headerWord(name, value, variable, word)}`),
    // By default, curl sends the Content-Type of a form.
    ...(requestBody === undefined || requestHeaders.some(([name]) => name.toLowerCase() === 'content-type')
      ? []
      : [`-H ${word('content-type:')}`]),
    ...(requestBody === undefined ? [] : [`--data-raw ${word(requestBody)}`]),
    // curl expands brackets and braces in an address, and takes one that starts with a hyphen for an option.
    ...(/[[\]{}]/.test(url) ? ['--globoff'] : []),
    ...(/^https?:/i.test(url) ? [] : ['--url']),
    addressWord(url, variable, word),
  ].join(' ');
}

/** A value that counts as empty for curl: after a colon, curl would leave the header out. */
const BLANK = /^[\t-\r ]*$/;

function headerWord(name: string, value: string, variable: string, word: (text: string) => string): string {
  if (BLANK.test(value)) return word(`${name};`);
  const isSecret = name.toLowerCase() === 'authorization' || KEY_VALUE.test(value);
  return isSecret ? authorizationWord(name, value, variable) : word(`${name}: ${value}`);
}

/** The value of a parameter that is a key, and nothing else. */
const KEY_PARAMETER = new RegExp(`(?<=[?&][^=&#]*=)(${PLACEHOLDERS}|${NEAR_PLACEHOLDERS})(?=&|$)`);

/** A header value that is only a key, or a cookie with a key. */
const KEY_VALUE = new RegExp(`^(?:[\\w-]+=[^;]*; )*(?:[\\w-]+=)?(?:${PLACEHOLDERS}|${NEAR_PLACEHOLDERS})$`);

/** An address as a word of a shell, with variables for the keys in its query. */
function addressWord(url: string, variable: string, word: (text: string) => string): string {
  const [before = '', ...parts] = url.split(KEY_PARAMETER);
  // Every second part is a key.
  const rest = parts.map((part, index) => {
    if (index % 2 === 0) return `"${part.replace(KEY_VARIABLE, () => variable)}"`;
    return part === '' ? '' : word(part);
  });
  return word(before) + rest.join('');
}

function authorizationWord(name: string, value: string, variable: string): string {
  // Every second part is an expansion of the key's variable.
  const parts = `${name === 'authorization' ? 'Authorization' : name}: ${value}`
    .split(KEY_EXPANSION)
    .map((part, index) => ({ isExpanded: index % 2 === 1, text: part }));
  const words = parts.map(({ isExpanded, text }) =>
    isExpanded ? text.replaceAll(KEY_VARIABLE, variable) : text,
  );
  if (parts.every(({ isExpanded, text }) => isExpanded || PLAIN.test(text))) return `"${words.join('')}"`;
  return words.map((word, index) => (parts[index]?.isExpanded ? `"${word}"` : shellWord(word))).join('');
}

/** The value that petspec shows for a header of the user, which may be a secret. */
const HIDDEN = '[hidden]';

const PLACEHOLDER = new RegExp(`${PLACEHOLDERS}|${NEAR_PLACEHOLDERS}`, 'g');

/** The variables of keys other than the key of the run: of another user, or of several keys that a request needs together. */
function otherKeysIn(text: string): string[] {
  const variables = (text.match(PLACEHOLDER) ?? []).map(
    (placeholder) => /PETSPEC_[A-Z\d_]+/.exec(placeholder)?.[0] ?? '',
  );
  return variables.filter(isOtherKey);
}

/** Whether a variable holds a key other than the key of the run. */
export function isOtherKey(variable: string): boolean {
  return /^PETSPEC_(?:SECOND_)?KEY/.test(variable);
}

/** The variables that the user has to set first, because petspec does not store their values. */
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
 * @param options options of curl, such as `-i`
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

/** Quotes a text as a word of a shell, with variables for its places. */
function wordWithPlaces(text: string): string {
  const parts = partsOf(text);
  if (parts.length === 1) return shellWord(text);
  const words = parts.map((part, index) => (index % 2 === 1 ? `"$${part}"` : part && shellWord(part)));
  return words.join('');
}
