import { shapedBodies } from '../contract/requirements.ts';
import type { Contract, Schema } from '../model/contract.ts';
import { percentDecoded } from '../model/http/percent-encoding.ts';
import { literal } from './decode.ts';

/** Whether a text is public: a secret with this text cannot be hidden, because nothing could be judged without the text. */
export type IsPublic = (text: string) => boolean;

/** Words that every HTTP service sends, or that petspec sends to it. */
const HTTP = `
  accept accept-encoding accept-language access-control-allow-origin authorization cache-control connection content-encoding
  content-language content-length content-location content-security-policy content-type cookie date deprecation etag expires
  forwarded host idempotency-key if-match if-modified-since if-none-match keep-alive last-modified link location origin
  proxy-authenticate ratelimit-limit ratelimit-policy ratelimit-remaining ratelimit-reset referer refresh retry-after server
  set-cookie strict-transport-security traceparent transfer-encoding user-agent vary via www-authenticate x-correlation-id
  x-forwarded-for x-powered-by x-ratelimit-limit x-ratelimit-remaining x-ratelimit-reset x-request-id
  application/json application/problem+json application/x-www-form-urlencoded multipart/form-data text/html text/plain
  charset=utf-8 gzip deflate identity chunked close bearer basic digest realm must-revalidate no-cache no-store nosniff max-age
  private public sameorigin http/1.1 https:// get head post put patch delete options trace true false null $petspec_api_key`;

/** From this length on a secret is also found inside a word; LONG_MIXED suffices if it mixes letters and digits. */
const LONG = 8;
const LONG_MIXED = 5;

/** A secret has at least this many letters and digits, or is long. */
const MIN_LENGTH = 3;

/** Values that are not secrets under any name: redacting them would blank half of a response, or its dates. */
const PUBLIC_VALUE =
  /^(?:\d{1,4}|\d{4}-\d\d-\d\d(?:[T ][\d:.]*Z?)?|no|none|off|on|true|false|null|undefined|yes)$/i;

/** Whether a text is too long and too unusual to be in another text by chance. */
export function isPossible(text: string): boolean {
  const { length } = text.replace(/[^\p{L}\p{N}]/gu, '');
  return (length >= MIN_LENGTH || text.length >= LONG) && !PUBLIC_VALUE.test(text);
}

/**
 * What is public in the exchanges of an interface: the names and values that it states, the words of HTTP, the addresses and the
 * paths. Each part of them is public, too.
 * @param addresses the stated addresses of the target
 */
export function publicIn(contract: Contract, addresses: readonly string[] = []): IsPublic {
  const { operations, basePath = '' } = contract;
  const ids = operations.map(({ id }) => id);
  const paths = operations.map(({ path }) => path);
  const text = [HTTP, ...wordsOf(contract), ...ids, ...paths, basePath, ...addresses]
    .join('\n')
    .toLowerCase();
  let templates: RegExp[] | undefined;
  const isPath = (address: string) => {
    if (!address.includes('/')) return false;
    templates ??= paths.filter((path) => /\/[^/{}]/.test(path)).map(templateOf);
    return templates.some((template) => template.test(address));
  };
  return (secret) => {
    const decoded = percentDecoded(secret);
    const [address = ''] = decoded.split(/[?#]/, 1);
    return [secret, decoded].some((form) => isIn(text, form.toLowerCase())) || isPath(address);
  };
}

/** Whether a secret can be hidden: it is too unusual to be anything else. */
export function isHideable(secret: string, isPublic: IsPublic): boolean {
  return isPossible(secret) && !isPublic(secret);
}

/** Whether a secret would be found in a text: a short one is only found as a whole word. */
function isIn(text: string, secret: string): boolean {
  if (!isShort(secret)) return text.includes(secret);
  return text.includes(secret) && new RegExp(`(?<!\\w)${literal(secret)}(?!\\w)`).test(text);
}

/** Whether a secret may occur in a word or a number by chance. */
export function isShort(secret: string): boolean {
  const isMixed = /\d/.test(secret) && /[a-z]/i.test(secret);
  return /^\d+$/.test(secret) || secret.length < (isMixed ? LONG_MIXED : LONG);
}

/** A pattern for addresses that end with a path of the interface. */
function templateOf(path: string): RegExp {
  const parts = path.split(/\{[^{}]*\}/).map(literal);
  return new RegExp(`${parts.join('[^/]+')}/?$`, 'i');
}

/** The words of an interface, in lower case. They are public, so they are no secrets. */
export function wordsOf({ operations }: Contract): ReadonlySet<string> {
  const seen = new Set<Schema>();
  const words = operations.flatMap(({ parameters, body, responses }) => [
    ...parameters.flatMap(({ name, schema }) => [name, ...wordsIn(schema, seen)]),
    ...(body ? [body.mediaType, ...wordsIn(body.schema, seen)] : []),
    ...responses.flatMap((response) => [
      ...response.headers.map(({ name }) => name),
      ...[response.mediaType ?? [], response.otherMediaTypes ?? []].flat(),
      ...shapedBodies(response).flatMap(({ schema }) => wordsIn(schema, seen)),
    ]),
  ]);
  return new Set(words.map((word) => word.toLowerCase()));
}

/** The names of properties, and the texts of enumerations. Each schema is visited once. */
function wordsIn(schema: Schema | undefined, seen: Set<Schema>): string[] {
  if (!schema || seen.has(schema)) return [];
  seen.add(schema);
  const { enum: values = [], items, properties = {} } = schema;
  return [
    ...values.filter((value) => typeof value === 'string'),
    ...wordsIn(items, seen),
    ...Object.entries(properties).flatMap(([name, field]) => [name, ...wordsIn(field, seen)]),
  ];
}
