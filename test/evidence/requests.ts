import type { Exchange } from '../../src/model/exchange.ts';
import { type Json, parseJson } from '../../src/model/json.ts';

/** What interface.md says that a request gets: a status, and the requirements that say so in particular. */
export interface Due {
  /** Nothing where the interface leaves it open. */
  status?: '200' | '201' | '2XX' | '400' | '404';
  rules: readonly string[];
}

const OPEN: Due = { rules: [] };
const STATUSES = ['available', 'pending', 'sold'];
const INT64 = 2n ** 63n;
/** Every service that conforms here takes names of so many characters. */
const SHORT = 22;

/** What no sentence forbids, though a service may have reason to refuse it. */
const ORDINARY = { id: 2n ** 31n, name: 200 };

export type JsonObject = { [name: string]: Json };

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A function of exchanges that tells each once, as each exchange is compared with all that come after it. */
function once<Told>(tell: (exchange: Exchange) => Told): (exchange: Exchange) => Told {
  const told = new WeakMap<Exchange, { value: Told }>();
  return (exchange) => {
    const known = told.get(exchange) ?? { value: tell(exchange) };
    told.set(exchange, known);
    return known.value;
  };
}

/** A lone surrogate stands for one byte that is not UTF-8. */
const RAW_BYTE = /[\udc80-\udcff]/u;

/** One of the two surrogates that a character beyond the first 65,536 consists of, without the other. */
const HALF_CHARACTER = /\p{Surrogate}/u;

/** What was sent as a body; undefined if it is not JSON, which is UTF-8. */
export const sentTo = once(({ requestBody = '' }): Json | undefined => {
  const parsed = parseJson(requestBody);
  return parsed.ok && !RAW_BYTE.test(requestBody) ? parsed.value : undefined;
});

/** What a response carries; undefined if it is not JSON. */
export const carriedBy = once(({ response }): Json | undefined => {
  const parsed = parseJson(response?.undecodable ? '' : (response?.body ?? ''));
  return parsed.ok ? parsed.value : undefined;
});

export function queryOf({ url }: Exchange, name: string): string | undefined {
  return new URL(url).searchParams.get(name) ?? undefined;
}

/** The id that a request asks for. */
export function askedId({ url }: Exchange): string {
  return decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '');
}

/** The animals that a response shows, added or listed. */
export const shownBy = once((exchange): JsonObject[] => [carriedBy(exchange)].flat().filter(isObject));

/** The ids of the animals that a response shows, as text. */
const idsShownBy = once((exchange) => new Set(shownBy(exchange).map(({ id }) => String(id))));

export function isSuccess({ response }: Exchange): boolean {
  return response !== undefined && response.status >= 200 && response.status <= 299;
}

/** What is due to a request with a valid key. `earlier` exchanges tell which animals exist. */
export function dueOf(exchange: Exchange, earlier: readonly Exchange[]): Due {
  switch (exchange.operation) {
    case 'listPets':
      return listing(exchange);
    case 'createPet':
      if (isUnusual(exchange) || isRefusedAsLong(exchange)) return OPEN;
      return { ...adding(sentTo(exchange)), ...(isOddJson(exchange) ? { rules: [] } : {}) };
    case 'getPet':
      // Others may have added the animal with the id after the newest one.
      return exchange.probe.endsWith(':further-next') ? OPEN : fetching(askedId(exchange), earlier);
    case 'sendMessage':
      return sending(sentTo(exchange));
    default:
      return OPEN;
  }
}

/** The headers that a request has by itself, in small letters. */
const HEADERS = ['accept', 'accept-encoding', 'authorization', 'content-type', 'host', 'user-agent'];

function listing(exchange: Exchange): Due {
  // What a parameter means that comes twice, or that the interface does not list, is not shown; nor what a further header does.
  const names = [...new URL(exchange.url).searchParams.keys()];
  const isListed = names.every((each) => ['limit', 'status'].includes(each));
  const isUsual = exchange.requestHeaders.every(([name]) => HEADERS.includes(name.toLowerCase()));
  if (new Set(names).size < names.length || !isListed || !isUsual || !isAcceptUsual(exchange)) return OPEN;
  const [limit, status] = [queryOf(exchange, 'limit'), queryOf(exchange, 'status')];
  const isRight =
    (limit === undefined || (/^\d+$/.test(limit) && Number(limit) >= 1 && Number(limit) <= 100)) &&
    (status === undefined || STATUSES.includes(status));
  if (!isRight) return OPEN;
  if (limit !== undefined && status !== undefined) return { status: '200', rules: [] };
  const bound = { 1: ['listPets.limit.minimum'], 100: ['listPets.limit.maximum'] }[Number(limit)] ?? [];
  return { status: '200', rules: status === undefined ? bound : ['listPets.status.enum'] };
}

const MEDIA_RANGE = /^\s*[\w.*+-]+\/[\w.*+-]+(?:\s*;\s*[\w-]+=[\w.-]+)*\s*$/;

/** Whether Accept is a list of types as RFC 9110 section 12.5.1 has it, or absent. */
function isAcceptUsual({ requestHeaders }: Exchange): boolean {
  const stated = requestHeaders.filter(([name]) => name.toLowerCase() === 'accept');
  return stated.every(([, value]) => value.split(',').every((each) => MEDIA_RANGE.test(each)));
}

/** Whether parsers read a body in several ways: with a byte order mark, or names that are the same but for their case. */
function isOddJson({ requestBody = '' }: Exchange): boolean {
  const names = [...requestBody.matchAll(/[{,]"(\w+)":/g)].map(([, name = '']) => name.toLowerCase());
  return requestBody.startsWith('\ufeff') || new Set(names).size < names.length;
}

/**
 * Whether a service, or a firewall in front of it, may have reason to refuse the form of a request, or a text in it: the
 * interface does not show it.
 */
function isUnusual({ variations = [], requestBody = '' }: Exchange): boolean {
  return (
    variations.some((each) => /^(type-|chunked|encoding|spelling|risky-text)/.test(each)) ||
    /\\u0000|%s%n|__proto__/.test(requestBody)
  );
}

/** Whether the length of a name may be why it is refused: how long it may be is not shown. */
function isRefusedAsLong(exchange: Exchange): boolean {
  const body = sentTo(exchange);
  return exchange.response?.status === 400 && isObject(body) && String(body.name).length > SHORT;
}

function adding(body: Json | undefined): Due {
  if (!isObject(body)) return { status: '400', rules: ['createPet.body'] };
  const { name, categoryId, status, ...others } = body;
  const isId = typeof categoryId === 'bigint' || Number.isInteger(categoryId);
  const id = isId ? BigInt(categoryId as number | bigint) : 0n;
  const wrong = [
    ...(typeof name === 'string' ? [] : ['NewPet.name']),
    ...(isId && id < INT64 && id >= -INT64 ? [] : ['NewPet.categoryId']),
    ...(status === undefined || STATUSES.some((each) => each === status) ? [] : ['NewPet.status']),
  ];
  const isNameOrdinary = name === undefined || String(name).length <= ORDINARY.name;
  const isWellFormed = !HALF_CHARACTER.test(Object.entries(body).join());
  // What else is unusual may be why it is not refused as it should be.
  if (wrong.length > 0)
    return { status: '400', rules: wrong.length === 1 && isNameOrdinary && isWellFormed ? wrong : [] };
  const isOrdinary =
    id < ORDINARY.id && id >= 1n && String(name).length <= ORDINARY.name && Object.keys(others).length === 0;
  return isOrdinary ? { status: '201', rules: [] } : OPEN;
}

function fetching(id: string, earlier: readonly Exchange[]): Due {
  // What else may be an id is not shown.
  if (!/^[1-9]\d*$/.test(id) || BigInt(id) >= INT64 - 1n) return OPEN;
  const shows = (each: Exchange) => isSuccess(each) && idsShownBy(each).has(id);
  if (earlier.some((each) => each.operation === 'createPet' && shows(each)))
    return { status: '200', rules: [] };
  // What was only listed may have been deleted since.
  return earlier.some(shows) ? OPEN : { status: '404', rules: [] };
}

function sending(body: Json | undefined): Due {
  if (body === undefined) return { status: '400', rules: ['sendMessage.body'] };
  if (!isObject(body)) return OPEN;
  if (body.message === undefined) return { status: '400', rules: ['NewMessage.message'] };
  return typeof body.message === 'string' ? { status: '2XX', rules: [] } : OPEN;
}
