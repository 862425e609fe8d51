import { createRequire } from 'node:module';
import { parseYaml } from '../../contract/parse-yaml.ts';
import { isObject } from '../../contract/schema.ts';
import { ContractError, type Credential, type Operation } from '../../model/contract.ts';
import type { HeaderLine } from '../../model/exchange.ts';
import { credentialsOf } from '../../model/http/credential.ts';
import { UsageError } from '../../model/usage-error.ts';
import { visible } from '../../model/visible.ts';
import { isWholeValue, type RunOptions } from '../../run/options.ts';
import { isHeaderName, isHeaderValue, isKeyHeader, isWrittenByHttp } from '../../run/settings/values.ts';
import type { NamedKeys } from '../../secrets/keys/keys-of-request.ts';
import { checkedKey, sameKeys } from './api-key.ts';
import { readText } from './named-file.ts';

/** The keys and headers that a file with users gives a run, and what petspec leaves out, a line each. */
interface FileKeys extends Pick<RunOptions, 'apiKey' | 'secondKey' | 'headers'> {
  /** Keys that operations need together, by their schemes. */
  keys: NamedKeys;
  /** Such keys of the second user. */
  secondKeys?: NamedKeys | undefined;
  leftOut: readonly string[];
}

interface User {
  name: string;
  headers: readonly HeaderLine[];
  logsIn: boolean;
}

/**
 * The keys of a file with users, as Web Fuzzing Commons describes it: the key of the run is that of the first user with a key, and the
 * second one is another user. Other fixed headers of the first go with every request. No message quotes a value of the file.
 * @throws UsageError with one line
 */
export function keysInFile(file: string, operations: readonly Operation[], isWholeKey: boolean): FileKeys {
  const users = usersIn(file);
  const credentials = credentialsOf({ operations });
  const usersWithKey = users.flatMap((user) => {
    const keys = credentials.flatMap((credential) => keyFor(credential, user.headers) ?? []);
    const key = keys.find(({ scheme }) => scheme === undefined);
    return keys.length === 0
      ? []
      : [{ user, key, taken: keys.filter((candidate) => candidate === key || candidate.scheme) }];
  });
  const [first, second] = usersWithKey;
  const logins = users.filter(({ logsIn }) => logsIn);
  const leftOut = [
    ...logins.map(
      ({ name }) =>
        `user '${shown(name)}' logs in, which petspec does not do; make the key with --api-key-command`,
    ),
    ...(second && furtherHeaders(second).length > 0
      ? [`further headers of the second user '${shown(second.user.name)}' are not sent`]
      : []),
    ...(usersWithKey.length > 2
      ? [`petspec uses two users; ${usersWithKey.length - 2} more are left out`]
      : []),
  ];
  if (!first) {
    const [login] = leftOut;
    throw new UsageError(`--auth-file '${file}': ${login ?? whyNoKey(users, credentials)}`);
  }
  const checked = ({ user }: typeof first, { text, isWhole = isWholeKey }: FoundKey) =>
    checkedKey(text, `--auth-file '${file}': the key of user '${shown(user.name)}'`, isWhole);
  const named = (user: typeof first): NamedKeys =>
    Object.fromEntries(user.taken.flatMap((key) => (key.scheme ? [[key.scheme, checked(user, key)]] : [])));
  const [keys, secondKeys] = [named(first), second && named(second)];
  const isSame = second?.key !== undefined && second.key.text === first.key?.text;
  if (second && (isSame || sameKeys({ operations }, keys, secondKeys ?? {})))
    throw new UsageError(
      `--auth-file '${file}': users '${shown(first.user.name)}' and '${shown(second.user.name)}' have the same key; expected keys of two users`,
    );
  return {
    apiKey: first.key && checked(first, first.key),
    secondKey: second?.key && checked(second, second.key),
    keys,
    secondKeys: Object.keys(secondKeys ?? {}).length === 0 ? undefined : secondKeys,
    headers: furtherHeaders(first).map((header) => usable(header, file)),
    leftOut: leftOut.map((reason) => `--auth-file: ${reason}`),
  };
}

function shown(text: string): string {
  return visible(text).slice(0, 100);
}

/** Why no user has a key. */
function whyNoKey(users: readonly User[], credentials: readonly Credential[]): string {
  for (const { name, scheme } of credentials) {
    const user = users.find(({ headers }) =>
      headers.some(([headerName]) => headerName.toLowerCase() === name.toLowerCase()),
    );
    if (user && scheme)
      return `the header ${name} of user '${shown(user.name)}' does not begin with '${scheme} ', as the interface says`;
  }
  const names = [...new Set(credentials.map(({ name }) => name))].join(' or ');
  return `no user has a fixed header ${names || 'that is a key'}, where the interface takes the key`;
}

/** The headers of a user without the keys: other cookies in the same header stay. */
function furtherHeaders({ user, taken }: { user: User; taken: readonly FoundKey[] }): readonly HeaderLine[] {
  return user.headers.flatMap((header): HeaderLine[] => {
    const keys = taken.filter(({ from }) => from === header);
    if (keys.length === 0) return [header];
    const kept = keys.reduce(
      (rest, { cookie }) => rest.filter((candidate) => candidate !== cookie),
      cookiesOf(header),
    );
    return keys.every(({ cookie }) => cookie === undefined) || kept.length === 0
      ? []
      : [[header[0], kept.join('; ')]];
  });
}

function cookiesOf([, value]: HeaderLine): string[] {
  return value.split(/; */);
}

function usable([name, value]: HeaderLine, file: string): HeaderLine {
  if (isKeyHeader(name) || isWrittenByHttp(name) || !isHeaderName(name) || !isHeaderValue(value))
    throw new UsageError(`--auth-file '${file}': petspec cannot send a further header '${shown(name)}'`);
  return [name, value];
}

/** A key, and the header that has it. */
interface FoundKey {
  text: string;
  from: HeaderLine;
  cookie?: string;
  /** Its scheme, if an operation needs it together with others. */
  scheme: string | undefined;
  /** Whether such a key is the whole value of `Authorization`. */
  isWhole?: boolean;
}

/** The key in a header, as petspec takes it: without the scheme that the interface states, and user and password as they are. */
function keyFor(credential: Credential, headers: readonly HeaderLine[]): FoundKey | undefined {
  const { in: place, name, scheme, key } = credential;
  const wanted = place === 'cookie' ? 'cookie' : name.toLowerCase();
  const from =
    place === 'query' ? undefined : headers.find(([headerName]) => headerName.toLowerCase() === wanted);
  if (!from) return undefined;
  const [, value] = from;
  const source = { from, scheme: key, ...(key === undefined ? {} : { isWhole: isWholeValue(credential) }) };
  if (place === 'cookie') {
    const cookie = cookiesOf(from).find((candidate) => candidate.startsWith(`${name}=`));
    return cookie === undefined ? undefined : { ...source, text: cookie.slice(name.length + 1), cookie };
  }
  if (scheme === undefined) return { ...source, text: value };
  const [, stated = '', rest = ''] = /^(\S+) +(.+)$/.exec(value.trim()) ?? [];
  if (stated.toLowerCase() !== scheme.toLowerCase()) return undefined;
  return { ...source, text: scheme === 'Basic' ? Buffer.from(rest, 'base64').toString() : rest };
}

function usersIn(file: string): User[] {
  const { auth, authTemplate = {} } = mappingIn(file);
  const fail = (problem: string) => new UsageError(`--auth-file '${file}': ${problem}`);
  if (!Array.isArray(auth) || auth.length === 0)
    throw fail(
      'expected a list of users, such as auth: [{ name: alice, fixedHeaders: [{ name: Authorization, value: Bearer ... }] }]',
    );
  return auth.map((user: unknown, index) => {
    if (!isObject(user)) throw fail(`user ${index + 1} is not a mapping`);
    const {
      name,
      fixedHeaders = [],
      loginEndpointAuth,
    } = { ...(isObject(authTemplate) ? authTemplate : {}), ...user };
    if (typeof name !== 'string') throw fail(`user ${index + 1} has no name`);
    if (!Array.isArray(fixedHeaders)) throw fail(`user ${index + 1}: 'fixedHeaders' is not a list`);
    const headers = fixedHeaders.map((header: unknown): HeaderLine => {
      const { name: headerName, value } = isObject(header) ? header : {};
      if (typeof headerName !== 'string' || typeof value !== 'string')
        throw fail(`user ${index + 1}: a fixed header needs a 'name' and a 'value', both texts`);
      return [headerName, value];
    });
    return { name, headers, logsIn: loginEndpointAuth !== undefined && loginEndpointAuth !== null };
  });
}

/** A parser's message may quote the file, so only its place is shown. JSON is YAML. */
function mappingIn(file: string): Readonly<Record<string, unknown>> {
  const text = readText('--auth-file', file);
  const isToml = file.toLowerCase().endsWith('.toml');
  try {
    return isToml ? toml().parse(text) : parseYaml(file, text);
  } catch (error) {
    const place = isToml ? placeInToml(error) : placeInYaml(error, file);
    const format = isToml ? 'it is not TOML' : 'it is not a mapping in YAML or JSON';
    throw new UsageError(`--auth-file '${file}'${place}: ${format}`);
  }
}

/** Loads the parser when a file needs it: most runs have no file with users. */
function toml(): typeof import('smol-toml') {
  return createRequire(import.meta.url)('smol-toml');
}

function placeInToml(error: unknown): string {
  if (!(error instanceof toml().TomlError)) throw error;
  return `:${error.line}:${error.column}`;
}

function placeInYaml(error: unknown, file: string): string {
  if (!(error instanceof ContractError)) throw error;
  const place = /^:\d+:\d+(?=: )/.exec(error.message.slice(file.length))?.[0];
  return place ?? '';
}
