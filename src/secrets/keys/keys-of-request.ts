import type { Credential, Operation } from '../../model/contract.ts';
import type { HeaderLine } from '../../model/exchange.ts';
import { credentialsIn } from '../../model/http/credential.ts';
import type { KeyKind, Probe } from '../../model/probe.ts';
import {
  credentialLine,
  hasNearKeys,
  IN_BASE64,
  isNear,
  isOfKey,
  KEY_PLACEHOLDER,
  type Keys,
  shownHeaders,
  shownKey,
  shownQuery,
} from './authorization.ts';

/** Keys by the names of their schemes in the document, for operations that need several keys together. */
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
type KeyedOperation = Pick<
  Operation,
  'secured' | 'isKeyOptional' | 'credential' | 'furtherCredentials' | 'mayRefuse'
>;

/** The environment variable with the key of a scheme: `PETSPEC_KEY_CLIENT_ID` for `clientId`. */
export function variableOfKey(scheme: string): string {
  return `PETSPEC_KEY_${inUpperCase(scheme)}`;
}

/** The environment variable with the key of another user. */
export function variableOfSecondKey(scheme: string): string {
  return `PETSPEC_SECOND_KEY_${inUpperCase(scheme)}`;
}

function inUpperCase(scheme: string): string {
  const words = scheme.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2').replaceAll(/\W+/g, '_');
  return words.toUpperCase();
}

/** Whether the key of a scheme is stated. A scheme may be called `constructor`, so only own properties count. */
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

/** The lines that carry the keys of a request. If a key is missing and the operation also works without keys, none is sent. */
export function keyLines(
  probe: KeyedProbe,
  operation: KeyedOperation,
  target: KeysOfTarget,
): { in: Credential['in']; name: string; value: string }[] {
  const credentials = credentialsIn(operation);
  const isMissing = ({ key }: Credential) =>
    key === undefined ? target.apiKey === '' : !hasKey(target.keys, key);
  if (!operation.secured && credentials.some(isMissing)) return [];
  return credentials.flatMap(
    (credential) => credentialLine(kindOf(credential, probe), keysAt(credential, target), credential) ?? [],
  );
}

/** Whether a service that a document describes may see the right key, or that of somebody else, in the near key of a request. */
export function isKeyInDoubt(probe: KeyedProbe, operation: KeyedOperation, target: KeysOfTarget): boolean {
  if (!operation.mayRefuse) return false;
  return credentialsIn(operation).some(
    (credential) => isNear(kindOf(credential, probe)) && !hasNearKeys(keysAt(credential, target).apiKey),
  );
}

/** The keys of a credential. */
function keysAt({ key }: Credential, target: KeysOfTarget): Keys {
  if (key === undefined) return target;
  return {
    apiKey: target.keys?.[key] ?? '',
    unknownKey: target.unknownKeys?.[key] ?? '',
    secondKey: target.secondKeys?.[key],
  };
}

/** Of several keys, one at a time is wrong. */
function kindOf({ key }: Credential, { key: kind, wrongKey }: KeyedProbe): KeyKind {
  return wrongKey === undefined || wrongKey === key ? kind : 'valid';
}

/** The headers of a request as they are shown: without its keys, and without the values of the user's headers. */
export function headersShown(
  headers: readonly HeaderLine[],
  probe: KeyedProbe,
  operation: KeyedOperation,
  userHeaders: readonly HeaderLine[],
): HeaderLine[] {
  const credentials = keyCredentials(probe, operation);
  if (operation.credential?.key === undefined)
    return shownHeaders(headers, probe.key, userHeaders, operation.credential);
  return headers.map(([name, value]) => {
    if (userHeaders.some((line) => line[0] === name && line[1] === value)) return [name, '[hidden]'];
    const isIn = ({ in: place, name: carrier }: Credential) =>
      name.toLowerCase() === (place === 'cookie' ? 'cookie' : place === 'header' && carrier.toLowerCase());
    const shown = (text: string, credential: Credential) =>
      withPlaceholder(text, credential, placeholderAt(credential, probe));
    return [name, credentials.filter(isIn).reduce(shown, value)];
  });
}

/** The query of a request as it is shown: without its keys. */
export function queryShown(url: URL, probe: KeyedProbe, operation: KeyedOperation): string {
  if (operation.credential?.key === undefined) return shownQuery(url, probe.key, operation);
  const credentials = keyCredentials(probe, operation).filter(({ in: place }) => place === 'query');
  return credentials.reduce((query, credential) => {
    const prefix = new URLSearchParams([[credential.name, '']]).toString().replaceAll('+', '%20');
    const parts = query.split('&').map((part) => {
      const start = part.startsWith('?') ? '?' : '';
      return part.startsWith(start + prefix) ? `${start}${prefix}${placeholderAt(credential, probe)}` : part;
    });
    return parts.join('&');
  }, url.search);
}

/** The credentials of a request that carry a right key, or nearly so. Any other wrong key is nobody's secret. */
function keyCredentials(probe: KeyedProbe, operation: KeyedOperation): Credential[] {
  return credentialsIn(operation).filter((credential) => isOfKey(kindOf(credential, probe)));
}

/** What is shown in place of a key that has a name. */
function placeholderAt(credential: Credential, probe: KeyedProbe): string {
  const variableOf = probe.key === 'second' ? variableOfSecondKey : variableOfKey;
  return shownKey(kindOf(credential, probe), `$${variableOf(credential.key ?? '')}`);
}

function withPlaceholder(
  value: string,
  { in: place, name, scheme }: Credential,
  placeholder: string,
): string {
  if (scheme === 'Basic') return `Basic ${IN_BASE64.replace(KEY_PLACEHOLDER, () => placeholder)}`;
  if (place === 'header') return scheme === undefined ? placeholder : `${scheme} ${placeholder}`;
  const cookies = value.split('; ');
  return cookies.map((pair) => (pair.startsWith(`${name}=`) ? `${name}=${placeholder}` : pair)).join('; ');
}
