import type { Credential } from '../../model/contract.ts';
import { BEARER } from '../../model/http/credential.ts';
import { type DocumentReading, type Node, written } from '../openapi/reading.ts';
import { isObject } from '../schema.ts';

/** Why petspec cannot send the key that an operation asks for; undefined if it can, or if none is asked for. */
export function unsupportedKey(document: Node, source: Node, reading: DocumentReading): string | undefined {
  const all = alternativesOf(document, source);
  const isPossible =
    all.length === 0 || all.some((each) => each.length === 0 || credentialsAmong(document, each, reading));
  if (isPossible) return undefined;
  const [names = []] = all;
  const what = names.length > 1 ? `${names.join(' and ')} together` : `the key '${names[0]}'`;
  return `it asks for ${what}, which petspec cannot send yet`;
}

/**
 * Where an operation takes its keys: the first alternative of its `security` that petspec can send, rather one with a single
 * key. Of several keys, each has the name of its scheme.
 */
export function credentialsOf(document: Node, source: Node, reading: DocumentReading): readonly Credential[] {
  const all = alternativesOf(document, source).filter((each) => each.length > 0);
  const [single, several] = [(each: string[]) => each.length === 1, (each: string[]) => each.length > 1];
  return (
    [...all.filter(single), ...all.filter(several)]
      .map((each) => credentialsAmong(document, each, reading))
      .find((each) => each !== undefined) ?? []
  );
}

/** The names of the schemes of each alternative. */
function alternativesOf(document: Node, source: Node): string[][] {
  const stated = source.security ?? document.security;
  return Array.isArray(stated) ? stated.map((each) => Object.keys(isObject(each) ? each : {})) : [];
}

/**
 * Undefined if petspec cannot send one of the keys, or if two of them have the same place. Several schemes of a bearer token, such
 * as two flows of OAuth 2, are one key.
 */
function credentialsAmong(
  document: Node,
  names: readonly string[],
  reading: DocumentReading,
): readonly Credential[] | undefined {
  const found = names.flatMap((name) => {
    const own = credentialNamed(document, name, reading);
    return own ? [names.length > 1 ? { ...own, key: name } : own] : [];
  });
  if (found.length === names.length && found.every(({ scheme }) => scheme === 'Bearer')) return [BEARER];
  const places = new Set(found.map(({ in: place, name }) => `${place} ${name.toLowerCase()}`));
  return places.size === names.length ? found : undefined;
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

/** What the name of a header or of a cookie consists of (RFC 9110 section 5.6.2). */
const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/;
