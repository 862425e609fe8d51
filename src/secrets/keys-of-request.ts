import type { Credential, Operation } from '../model/contract.ts';
import type { HeaderLine } from '../model/exchange.ts';
import { credentialsIn } from '../model/http/credential.ts';
import type { KeyKind, Probe } from '../model/probe.ts';
import {
  credentialLine,
  IN_BASE64,
  KEY_PLACEHOLDER,
  type Keys,
  shownHeaders,
  shownQuery,
} from './authorization.ts';

/** Keys by the names of their schemes in the document: what an operation takes that needs several together. */
export type NamedKeys = Readonly<Record<string, string>>;

/** The keys of a target. */
export interface KeysOfTarget extends Keys {
  keys?: NamedKeys | undefined;
  /** The keys of another user. */
  secondKeys?: NamedKeys | undefined;
  /** Keys of the same form that the service does not know. */
  unknownKeys?: NamedKeys | undefined;
}

type KeyedProbe = Pick<Probe, 'key' | 'wrongKey'>;
type KeyedOperation = Pick<Operation, 'secured' | 'isKeyOptional' | 'credential' | 'furtherCredentials'>;

/** The environment variable with the key of a scheme: `PETSPEC_KEY_CLIENT_ID` for `clientId`. */
export function variableOfKey(scheme: string): string {
  return `PETSPEC_KEY_${inUpperCase(scheme)}`;
}

/** The one with the key of another user. */
export function variableOfSecondKey(scheme: string): string {
  return `PETSPEC_SECOND_KEY_${inUpperCase(scheme)}`;
}

function inUpperCase(scheme: string): string {
  const words = scheme.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2').replaceAll(/\W+/g, '_');
  return words.toUpperCase();
}

/** Whether the key of a scheme is stated. A scheme may have the name of something that every object has. */
export function hasKey(keys: NamedKeys | undefined, scheme: string): boolean {
  return keys !== undefined && Object.hasOwn(keys, scheme);
}

/** Placeholders in place of the keys of an operation. */
export function shownKeys(operation: KeyedOperation): { keys: NamedKeys; secondKeys: NamedKeys } {
  const names = credentialsIn(operation).flatMap(({ key }) => key ?? []);
  const shown = (variableOf: (scheme: string) => string) =>
    Object.fromEntries(names.map((name) => [name, `$${variableOf(name)}`]));
  return { keys: shown(variableOfKey), secondKeys: shown(variableOfSecondKey) };
}

/** What carries the keys of a request. An operation that may do without keys gets none if one is missing. */
export function keyLines(
  probe: KeyedProbe,
  operation: KeyedOperation,
  target: KeysOfTarget,
): { in: Credential['in']; name: string; value: string }[] {
  const credentials = credentialsIn(operation);
  const isMissing = ({ key }: Credential) =>
    key === undefined ? target.apiKey === '' : !hasKey(target.keys, key);
  if (!operation.secured && credentials.some(isMissing)) return [];
  return credentials.flatMap((each) => {
    const { key } = each;
    const own =
      key === undefined
        ? target
        : {
            apiKey: target.keys?.[key] ?? '',
            unknownKey: target.unknownKeys?.[key] ?? '',
            secondKey: target.secondKeys?.[key],
          };
    return credentialLine(kindOf(each, probe), own, each) ?? [];
  });
}

/** Of several keys, one at a time is wrong. */
function kindOf({ key }: Credential, { key: kind, wrongKey }: KeyedProbe): KeyKind {
  return wrongKey === undefined || wrongKey === key ? kind : 'valid';
}

/** The headers of a request as they are shown: without its keys, and without those of the user (`own`). */
export function headersShown(
  headers: readonly HeaderLine[],
  probe: KeyedProbe,
  operation: KeyedOperation,
  own: readonly HeaderLine[],
): HeaderLine[] {
  const named = namedRight(probe, operation);
  if (operation.credential?.key === undefined)
    return shownHeaders(headers, probe.key, own, operation.credential);
  return headers.map(([name, value]) => {
    if (own.some((each) => each[0] === name && each[1] === value)) return [name, '[hidden]'];
    const isIn = ({ in: place, name: of }: Credential) =>
      name.toLowerCase() === (place === 'cookie' ? 'cookie' : place === 'header' && of.toLowerCase());
    const shown = (text: string, each: Credential) => withPlaceholder(text, each, variableIn(probe));
    return [name, named.filter(isIn).reduce(shown, value)];
  });
}

/** The query of a request as it is shown: without its keys. */
export function queryShown(url: URL, probe: KeyedProbe, operation: KeyedOperation): string {
  if (operation.credential?.key === undefined) return shownQuery(url, probe.key, operation);
  const named = namedRight(probe, operation).filter(({ in: place }) => place === 'query');
  return named.reduce((query, { name, key = '' }) => {
    const begin = `${new URLSearchParams([[name, '']]).toString().replaceAll('+', '%20')}`;
    const parts = query.split('&').map((part) => {
      const start = part.startsWith('?') ? '?' : '';
      return part.startsWith(start + begin) ? `${start}${begin}$${variableIn(probe)(key)}` : part;
    });
    return parts.join('&');
  }, url.search);
}

/** The places of the right keys of a request, if it needs several together. A wrong key is nobody's secret. */
function namedRight(probe: KeyedProbe, operation: KeyedOperation): Credential[] {
  return credentialsIn(operation).filter((each) => ['valid', 'second'].includes(kindOf(each, probe)));
}

/** The variables of the keys that a request has. */
function variableIn({ key }: KeyedProbe): (scheme: string) => string {
  return key === 'second' ? variableOfSecondKey : variableOfKey;
}

function withPlaceholder(
  value: string,
  { in: place, name, scheme, key = '' }: Credential,
  variableOf: (scheme: string) => string,
): string {
  const variable = variableOf(key);
  if (scheme === 'Basic') return `Basic ${IN_BASE64.replace(KEY_PLACEHOLDER, () => `$${variable}`)}`;
  if (place === 'header') return scheme === undefined ? `$${variable}` : `${scheme} $${variable}`;
  const cookies = value.split('; ');
  return cookies.map((each) => (each.startsWith(`${name}=`) ? `${name}=$${variable}` : each)).join('; ');
}
