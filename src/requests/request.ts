import type { Address, Credential, Operation } from '../model/contract.ts';
import type { HeaderLine } from '../model/exchange.ts';
import { percentEncoded } from '../model/http/percent-encoding.ts';
import { newTrace } from '../model/http/trace-context.ts';
import { packageVersion } from '../model/package-root.ts';
import { isLate, type Probe, type RequestVariation, type Spelling } from '../model/probe.ts';
import { type KeysOfTarget, keyLines } from '../secrets/keys/keys-of-request.ts';
import { fill, type LearntValues, leadsElsewhere } from './learnt/learnt-values.ts';
import { inPath } from './parameter-styles.ts';
import { writeBody, writeJson } from './write-body.ts';

/** A request as it is sent. */
export interface Outgoing {
  method: string;
  url: URL;
  /** With `Transfer-Encoding: chunked` the body is sent in chunks. */
  headers: readonly HeaderLine[];
  body?: string;
}

/** Where requests go, and with which keys. */
export interface TargetAccess extends KeysOfTarget {
  baseUrl: string;
  /** The address of the messages; without it none are sent. */
  apiUrl?: string | undefined;
  /** The other servers, by name. */
  servers?: Readonly<Record<string, string>> | undefined;
  /** Headers that the user adds to every request. */
  headers: readonly (readonly [name: string, value: string])[];
  /** Sends a new W3C trace context with every request. */
  traceparent?: boolean | undefined;
}

/** The request of a probe; undefined if a value that it needs, or its address, is unknown. */
export function requestOf(
  probe: Probe,
  operation: Operation,
  values: LearntValues,
  target: TargetAccess,
  variations: readonly RequestVariation[] = [],
): Outgoing | undefined {
  const address = addressIn(target, operation.address);
  if (address === undefined) return undefined;
  let path = operation.path;
  for (const [name, value] of Object.entries(probe.path)) {
    const filled = isLate(value) ? values.resolve(value) : value;
    if (filled === undefined || leadsElsewhere(filled)) return undefined;
    const written = inPathOf(operation, name, filled, isLate(value) && value.late !== 'stated');
    path = path.replace(`{${name}}`, () => written);
  }
  if (probe.spelling) path = spelled(path, probe.spelling);
  const written = writtenBody(probe, operation, values, variations);
  const body = written?.text;
  const keys = keyLines(probe, operation, target);
  const keysIn = (place: Credential['in']) => keys.filter((key) => key.in === place);
  const statedQuery = values.queryFor(probe);
  if (!statedQuery) return undefined;
  const pairs = keysIn('query').reduce(withKey, statedQuery);
  const query = queryOf(pairs, operation);
  const url = new URL(`${address.replace(/\/+$/, '')}${path}${query === '' ? '' : `?${query}`}`);
  const cookies = [
    ...(probe.cookies ?? []).map(([name, value]) => `${name}=${value}`),
    ...keysIn('cookie').map(({ value }) => value),
  ];
  const headersOfProbe = headersOf(probe, url, values);
  if (!headersOfProbe) return undefined;
  const style = variations.find((variation) => variation.kind === 'header-names')?.style;
  const usual: HeaderLine[] = [
    ['accept', acceptedTypes(operation)],
    ['accept-encoding', 'gzip, deflate, br'],
    ['user-agent', `petspec/${packageVersion}`],
    ...(target.traceparent ? [newTrace()] : []),
  ];
  const stated = new Set([...target.headers, ...headersOfProbe].map(([name]) => name.toLowerCase()));
  const lines: HeaderLine[] = [
    // Headers of the user and of the probe replace the usual ones.
    ...usual.filter(([name]) => !stated.has(name)),
    ...keysIn('header').map(({ name, value }) => [name, value] as const),
    ...(cookies.length === 0 ? [] : [['cookie', cookies.join('; ')] as const]),
    ...headersOfProbe,
    ...(written?.mediaType === undefined ? [] : [['content-type', written.mediaType] as const]),
  ];
  // The names of the user's headers stay as they are, because they are hidden by name.
  const headers = [
    ...lines.map(([name, value]) => [inStyle(name, style), value] as const),
    ...target.headers,
  ];
  return { method: operation.method, url, headers, ...(body === undefined ? {} : { body }) };
}

/** The query may come from a response, and have the key already. */
function withKey(query: Probe['query'], { name, value }: { name: string; value: string }): Probe['query'] {
  return [...query.filter(([parameter]) => parameter !== name), [name, value]];
}

/** A value in the path. @param isLearnt whether it is the text of a response */
export function inPathOf(operation: Operation, name: string, value: unknown, isLearnt = false): string {
  const parameter = operation.parameters.find((stated) => stated.in === 'path' && stated.name === name);
  const isStyled = parameter && !(parameter.isJson && isLearnt);
  return (isStyled && inPath(parameter, value)) || percentEncoded(String(value));
}

/** The headers of a probe; undefined if one of them has no value. */
function headersOf({ headers = [] }: Probe, url: URL, values: LearntValues): HeaderLine[] | undefined {
  const lines = headers.map(([name, value]) => {
    const filled = isLate(value) ? values.resolve(value, url) : value;
    return filled === undefined ? undefined : ([name, String(filled)] as const);
  });
  return lines.every((line) => line !== undefined) ? lines : undefined;
}

/** The body of a probe, and its media type. */
function writtenBody(
  { body }: Probe,
  operation: Operation,
  values: LearntValues,
  variations: readonly RequestVariation[],
): { text: string; mediaType?: string } | undefined {
  if (body === undefined) return undefined;
  const stated = operation.body;
  const mediaType = stated ? { mediaType: stated.mediaType } : {};
  if ('text' in body) return { text: body.text, ...mediaType };
  const filled = fill(body.json, values);
  const other = stated && writeBody(filled, stated);
  return other ?? { text: writeJson(filled, variations), ...mediaType };
}

/**
 * The text of a query. Where a document states how lists are written, the separators stay as they are, and so do reserved
 * characters where it allows them, except for those that end a value or a query.
 */
export function queryOf(pairs: Probe['query'], { mayRefuse, parameters }: Operation): string {
  if (!mayRefuse) return new URLSearchParams(pairs as [string, string][]).toString();
  const isOpen = (name: string) =>
    parameters.some(
      (stated) => stated.in === 'query' && stated.name === name && stated.allowReserved === true,
    );
  const texts = pairs.map((pair) => {
    const text = new URLSearchParams([pair as [string, string]]).toString();
    const [name = '', value = ''] = text.replaceAll('%2C', ',').replaceAll('+', '%20').split('=');
    return `${name}=${isOpen(pair[0]) ? value.replace(RESERVED, decodeURIComponent) : value}`;
  });
  return texts.join('&');
}

/** RFC 3986 section 2.2, without `#`, `[` and `]`, which no query may have, and without `&` and `+`, which forms read. */
const RESERVED = /%(?:21|24|27|28|29|2A|2C|2F|3A|3B|3D|3F|40)/g;

/** The URL of a server; undefined if the user named none. */
export function addressIn(
  { baseUrl, apiUrl, servers = {} }: Pick<TargetAccess, 'baseUrl' | 'apiUrl' | 'servers'>,
  name: Address,
): string | undefined {
  if (name === 'baseUrl') return baseUrl;
  if (name === 'apiUrl') return apiUrl;
  return Object.hasOwn(servers, name) ? servers[name] : undefined;
}

/** By operation: most requests are for the same few. */
const acceptedByOperation = new WeakMap<Operation, string>();

/** The media types that the responses of an operation may have. */
function acceptedTypes(operation: Operation): string {
  const types = acceptedByOperation.get(operation) ?? typesOf(operation);
  acceptedByOperation.set(operation, types);
  return types;
}

function typesOf({ responses }: Operation): string {
  const types = responses.flatMap(({ mediaType, otherMediaTypes = [] }) =>
    mediaType === undefined ? [] : [mediaType, ...otherMediaTypes],
  );
  return types.length === 0 ? 'application/json' : [...new Set(types)].join(', ');
}

/** The name of a header in another case. */
function inStyle(name: string, style: 'title' | 'upper' | undefined): string {
  if (style === undefined) return name;
  return style === 'upper'
    ? name.toUpperCase()
    : name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
}

/** A path below the base address in another spelling. */
export function spelled(path: string, spelling: Spelling): string {
  switch (spelling) {
    case 'slash':
      return `${path}/`;
    case 'doubled':
      return `/${path}`;
    case 'encoded':
      return path.replace(
        /(?<=^\/\w)[a-z]/i,
        (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
      );
  }
}
