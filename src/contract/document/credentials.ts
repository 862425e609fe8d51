import type { Credential } from '../../model/contract.ts';
import { BEARER } from '../../model/http/credential.ts';
import { type DocumentReading, type Node, written } from '../openapi/reading.ts';
import { isObject } from '../schema.ts';

/** Why petspec cannot send the key of an operation; undefined if it can, or if none is required. */
export function unsupportedKey(document: Node, source: Node, reading: DocumentReading): string | undefined {
  const alternatives = alternativesOf(document, source);
  const isPossible =
    alternatives.length === 0 ||
    alternatives.some(
      (alternative) => alternative.length === 0 || credentialsAmong(document, alternative, reading),
    );
  if (isPossible) return undefined;
  const [names = []] = alternatives;
  const what = names.length > 1 ? `${names.join(' and ')} together` : `the key '${names[0]}'`;
  return `it asks for ${what}, which petspec cannot send yet`;
}

/**
 * Where an operation takes its keys: the first alternative of its `security` that petspec can send, preferably with a single
 * key. Each of several keys has the name of its scheme.
 */
export function credentialsOf(document: Node, source: Node, reading: DocumentReading): readonly Credential[] {
  const alternatives = alternativesOf(document, source).filter((alternative) => alternative.length > 0);
  const [single, several] = [(names: string[]) => names.length === 1, (names: string[]) => names.length > 1];
  return (
    [...alternatives.filter(single), ...alternatives.filter(several)]
      .map((alternative) => credentialsAmong(document, alternative, reading))
      .find((credentials) => credentials !== undefined) ?? []
  );
}

/** The names of the schemes of each alternative. */
function alternativesOf(document: Node, source: Node): string[][] {
  const stated = source.security ?? document.security;
  return Array.isArray(stated)
    ? stated.map((alternative) => Object.keys(isObject(alternative) ? alternative : {}))
    : [];
}

/**
 * Undefined if petspec cannot send one of the keys, or if two keys have the same place. Several schemes of a bearer token, such
 * as two flows of OAuth 2, are one key.
 */
function credentialsAmong(
  document: Node,
  names: readonly string[],
  reading: DocumentReading,
): readonly Credential[] | undefined {
  const credentials = names.flatMap((name) => {
    const credential = credentialNamed(document, name, reading);
    return credential ? [names.length > 1 ? { ...credential, key: name } : credential] : [];
  });
  if (credentials.length === names.length && credentials.every(({ scheme }) => scheme === 'Bearer'))
    return [BEARER];
  const places = new Set(credentials.map(({ in: place, name }) => `${place} ${name.toLowerCase()}`));
  return places.size === names.length ? credentials : undefined;
}

function credentialNamed(document: Node, name: string, reading: DocumentReading): Credential | undefined {
  const components = isObject(document.components) ? document.components : {};
  const schemes = isObject(components.securitySchemes) ? components.securitySchemes : {};
  const stated = Object.hasOwn(schemes, name) ? schemes[name] : undefined;
  const isReference = isObject(stated) && typeof stated.$ref === 'string';
  return inScheme(isReference ? reading.follow(String(stated.$ref)).value : stated);
}

function inScheme(scheme: unknown): Credential | undefined {
  if (!isObject(scheme)) return undefined;
  const authorization = { in: 'header', name: 'Authorization' } as const;
  const named = written(scheme.scheme).toLowerCase();
  if (scheme.type === 'oauth2' || scheme.type === 'openIdConnect')
    return { ...authorization, scheme: 'Bearer' };
  if (scheme.type === 'http' && named === 'bearer') return { ...authorization, scheme: 'Bearer' };
  if (scheme.type === 'http' && named === 'basic') return { ...authorization, scheme: 'Basic' };
  const { type, name } = scheme;
  if (type !== 'apiKey' || typeof name !== 'string') return undefined;
  if (scheme.in === 'query' && name !== '') return { in: 'query', name };
  if (!TOKEN.test(name)) return undefined;
  return scheme.in === 'header' || scheme.in === 'cookie' ? { in: scheme.in, name } : undefined;
}

/** The name of a header or a cookie (RFC 9110 section 5.6.2). */
const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/;
