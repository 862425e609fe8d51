import type { Exchange } from '../model/exchange.ts';
import { KEY_EXPANSION, KEY_PLACEHOLDER, PLACEHOLDERS } from '../secrets/authorization.ts';
import { shellWord } from './command-line.ts';

/** Valid header names. curl would read some invalid ones as a file name. */
const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/;
const VARIABLE = /^[A-Za-z_]\w*$/;
const KEY_VARIABLE = 'PETSPEC_API_KEY';

/** Characters that no shell treats specially between double quotes. */
const PLAIN = /^[\w .,:/+=@%-]*$/;

/** Headers that make no difference, or that curl sends: the length of the body may not be what it was, without a secret. */
const LEFT_OUT: readonly string[] = ['user-agent', 'accept-encoding', 'traceparent', 'content-length'];

/** What the user sends in place of one of these may make a difference. */
function isLeftOut(name: string, value: string): boolean {
  return LEFT_OUT.includes(name.toLowerCase()) && value !== '[hidden]';
}

/** Settings for every command of a run. */
export interface CommandSettings {
  /** Whether certificates are not verified. */
  isInsecure?: boolean;
  /** The environment variable that holds the key. */
  keyVariable?: string | undefined;
}

/**
 * A shell command that repeats the request of an exchange. The exchange may come from somebody else's ledger, so
 * everything but the variable of the key is quoted.
 * @param options of curl
 * @param word quotes a text of the exchange as a word of a shell
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
  return [
    `curl ${options}`,
    ...(isInsecure ? ['--insecure'] : []),
    // With a body, curl would send a POST.
    ...(method === 'GET' && requestBody === undefined
      ? []
      : [`-X ${/^[A-Z]+$/.test(method) ? method : shellWord(method)}`]),
    ...requestHeaders
      .filter(([name, value]) => TOKEN.test(name) && !isLeftOut(name, value))
      .map(([name, value]) => `-H ${headerWord(name, value, keyVariable, word)}`),
    // Of its own, curl says that a body is a form.
    ...(requestBody === undefined || requestHeaders.some(([name]) => name.toLowerCase() === 'content-type')
      ? []
      : [`-H ${word('content-type:')}`]),
    ...(requestBody === undefined ? [] : [`--data-raw ${word(requestBody)}`]),
    // curl expands brackets and braces in an address, and takes one that starts with a hyphen for an option.
    ...(/[[\]{}]/.test(url) ? ['--globoff'] : []),
    ...(/^https?:/i.test(url) ? [] : ['--url']),
    addressWord(url, keyVariable, word),
  ].join(' ');
}

/** A value that curl takes for none: after a colon, it would leave the header out. */
const BLANK = /^[\t-\r ]*$/;

function headerWord(name: string, value: string, variable: string, word: (text: string) => string): string {
  if (BLANK.test(value)) return word(`${name};`);
  const isSecret = name.toLowerCase() === 'authorization' || KEY_VALUE.test(value);
  return isSecret ? authorizationWord(name, value, variable) : word(`${name}: ${value}`);
}

/** The value of a parameter that is a key, and nothing else. */
const KEY_PARAMETER = new RegExp(`(?<=[?&][^=&#]*=)(${PLACEHOLDERS})(?=&|$)`);

/** The value of a header that is a key alone, or a cookie. */
const KEY_VALUE = new RegExp(`^(?:[\\w-]+=[^;]*; )*(?:[\\w-]+=)?${PLACEHOLDERS}$`);

/** An address as words of a shell, the keys in its query as their variables. */
function addressWord(url: string, variable: string, word: (text: string) => string): string {
  const named = VARIABLE.test(variable) ? variable : KEY_VARIABLE;
  const [before = '', ...parts] = url.split(KEY_PARAMETER);
  // Every second part is a key.
  const rest = parts.map((part, index) => {
    if (index % 2 === 0) return `"${part === KEY_PLACEHOLDER ? `$${named}` : part}"`;
    return part === '' ? '' : word(part);
  });
  return word(before) + rest.join('');
}

function authorizationWord(name: string, value: string, variable: string): string {
  const named = VARIABLE.test(variable) ? variable : KEY_VARIABLE;
  // Every second part is an expansion of the key's variable.
  const parts = `${name === 'authorization' ? 'Authorization' : name}: ${value}`
    .split(KEY_EXPANSION)
    .map((part, index) => ({ isExpanded: index % 2 === 1, text: part }));
  const words = parts.map(({ isExpanded, text }) =>
    isExpanded ? text.replaceAll(KEY_VARIABLE, named) : text,
  );
  if (parts.every(({ isExpanded, text }) => isExpanded || PLAIN.test(text))) return `"${words.join('')}"`;
  return words.map((word, index) => (parts[index]?.isExpanded ? `"${word}"` : shellWord(word))).join('');
}
