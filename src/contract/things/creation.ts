import type { Operation } from '../../model/contract.ts';
import { type Exchange, headerValue, type Received } from '../../model/exchange.ts';
import { isEncodable, percentEncoded } from '../../model/http/percent-encoding.ts';
import { at, type Json, parseJson } from '../../model/json.ts';
import { OWN_LENGTH, OWN_LETTERS } from '../../model/probe.ts';
import { documents, isSure, pointersIn, type Resource } from '../resources.ts';
import { alternativesOf } from '../schema.ts';

/** A created thing. */
export interface Creation {
  id: string;
  /** The path of its URL. */
  path: string;
  /** Whether this is almost certainly its id. */
  isSure: boolean;
  /** The client chose the id, and no response showed it. */
  isChosen?: true;
}

/**
 * The thing that a response to a creation shows: a 201 with an id in its body or at the end of its Location, or a documented
 * 200 that also shows a text of the request. Fields that may hold another id come last.
 */
export function createdBy(
  resource: Resource,
  exchange: Pick<Exchange, 'url' | 'requestBody'>,
  response: Received | undefined,
): Creation | undefined {
  if (response?.status === 201) return shownIn(resource, exchange, response);
  const isOther = response?.status === 200 && documents(resource.create, '200', '2XX');
  return isOther && isAnswer(resource, exchange, response)
    ? shownIn(resource, exchange, response)
    : undefined;
}

/** The same, also for a 202: the thing may not be there yet. */
export function acceptedBy(
  resource: Resource,
  exchange: Pick<Exchange, 'url' | 'requestBody'>,
  response: Received | undefined,
): Creation | undefined {
  const isAccepted = response?.status === 202 && documents(resource.create, '202', '2XX');
  return isAccepted && isAnswer(resource, exchange, response)
    ? shownIn(resource, exchange, response)
    : createdBy(resource, exchange, response);
}

function shownIn(
  resource: Resource,
  { url, requestBody }: Pick<Exchange, 'url' | 'requestBody'>,
  response: Received,
): Creation | undefined {
  const parsed = parseJson(response.body);
  const body = parsed.ok ? parsed.value : undefined;
  const sure = sureId(resource, response, body);
  const shown = sure ?? firstAt(body, resource.pointers);
  const id = shown ?? chosenId(resource, requestBody);
  if (id === undefined) return undefined;
  const isChosen = shown === undefined;
  return { id, isSure: sure !== undefined, path: pathOf(url, id), ...(isChosen ? { isChosen } : {}) };
}

/** The path of a thing in the collection that a request was sent to. */
function pathOf(url: string, id: string): string {
  return `${new URL(url).pathname.replace(/\/$/, '')}/${percentEncoded(id)}`;
}

/** The id that the client chose, if the document requires it: `username` in the body of `POST /users`. */
function chosenId({ create, parameter }: Resource, requestBody = ''): string | undefined {
  const { properties = {}, required = [] } = create.body?.schema ?? {};
  const name = required.find((candidate) => candidate === parameter && properties[candidate]);
  const sent = parseJson(requestBody);
  return name === undefined || !sent.ok ? undefined : idAt(sent.value, `/${name}`);
}

/**
 * Whether an ambiguous response is about the creation: it has a Location of such a thing, or shows a text that only this
 * request had. A search by POST, or a login, shows something else.
 */
function isAnswer(
  { item }: Resource,
  { requestBody }: Pick<Exchange, 'requestBody'>,
  response: Received,
): boolean {
  if (idInLocation(item, headerValue(response.headers, 'Location')) !== undefined) return true;
  const parsed = parseJson(response.body);
  return parsed.ok && showsOneOf(parsed.value, ownTextsIn(requestBody));
}

/** The texts of a body that no other request has: they end with letters of this run. */
function ownTextsIn(requestBody = ''): ReadonlySet<string> {
  const parsed = parseJson(requestBody);
  const texts = parsed.ok ? textsIn(parsed.value) : [...new URLSearchParams(requestBody).values()];
  return new Set(texts.filter((text) => OWN_END.test(text)));
}

const OWN_END = new RegExp(`[${OWN_LETTERS}]{${OWN_LENGTH}}(?:@example\\.com)?$`);

/** Whether a response, or an entry of a list, has one of these texts. */
function showsOneOf(value: Json, texts: ReadonlySet<string>): boolean {
  return texts.size > 0 && textsIn(value).some((text) => texts.has(text));
}

function textsIn(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value as { [name: string]: Json }).flatMap(textsIn);
}

/** The things of the list entries that have one of these texts. @param url of the collection */
function listedWith(
  resource: Resource,
  url: string,
  body: Json | undefined,
  texts: ReadonlySet<string>,
): Creation[] {
  return entriesIn(body).flatMap((entry) => {
    if (!showsOneOf(entry, texts)) return [];
    const id = firstAt(entry, [resource.field, ...resource.pointers]);
    return id === undefined ? [] : [{ id, isSure: true, path: pathOf(url, id) }];
  });
}

function sureId(
  { sure, item }: Resource,
  response: Pick<Received, 'headers'>,
  body: Json | undefined,
): string | undefined {
  return firstAt(body, sure) ?? idInLocation(item, headerValue(response.headers, 'Location'));
}

function firstAt(body: Json | undefined, pointers: readonly string[]): string | undefined {
  return pointers.map((pointer) => idAt(body, pointer)).find((id) => id !== undefined);
}

/** A text or a number at a place of a body, as text. */
function idAt(body: Json | undefined, pointer: string): string | undefined {
  const value = at(body, pointer);
  const isId =
    (typeof value === 'string' && value !== '') || typeof value === 'number' || typeof value === 'bigint';
  return isId && isSegment(String(value)) ? String(value) : undefined;
}

/** Whether a text can be a path segment: dots alone lead to the collection, or above it. */
function isSegment(text: string): boolean {
  return isEncodable(text) && !/^\.{1,2}$/.test(text);
}

/** The last segment of a Location with the form of the path of a thing. */
function idInLocation(item: string, location: string | undefined): string | undefined {
  if (location === undefined || !URL.canParse(location, 'http://host.invalid')) return undefined;
  const segments = new URL(location, 'http://host.invalid').pathname.replace(/\/$/, '').split('/');
  const wanted = item.split('/').slice(1);
  const last = segments.slice(-wanted.length);
  const fits = wanted.every((segment, index) => segment.startsWith('{') || segment === last[index]);
  const id = last.at(-1);
  try {
    return fits && id && isSegment(decodeURIComponent(id)) ? decodeURIComponent(id) : undefined;
  } catch {
    return undefined;
  }
}

/** The ids in a response to a read or a list of such things. */
export function shownIds(resource: Resource, operation: string, body: Json | undefined): string[] {
  const { read, list, field, pointers } = resource;
  if (operation === read?.id) return [idAt(body, field) ?? []].flat();
  if (operation !== list?.id) return [];
  return entriesIn(body).flatMap((entry) =>
    [field, ...pointers].flatMap((pointer) => idAt(entry, pointer) ?? []),
  );
}

/** JSON Pointers to the id of the thing in the body of an operation on it. */
export function idPlaces({ parameter, field }: Resource, { body }: Operation): string[] {
  if (!body) return [];
  const schemas = [body.schema, ...alternativesOf(body.schema)];
  const places = schemas.flatMap((schema) => pointersIn(schema, parameter, schema));
  return [...new Set(places)].filter(
    (pointer) => isSure(pointer, parameter) || (pointer === field && /\/(?:id|uuid)$/i.test(pointer)),
  );
}

/** The entries of the lists in a response. */
function entriesIn(body: Json | undefined): Json[] {
  if (Array.isArray(body)) return body;
  return isRecord(body) ? (Object.values(body).filter(Array.isArray).flat() as Json[]) : [];
}

function isRecord(value: Json | undefined): value is { [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Creations that succeeded without showing an id: a list with their texts shows where the things are. */
export class Unlocated<Key> {
  readonly #all = new Map<Key, { resource: Resource; texts: ReadonlySet<string> }>();

  add(key: Key, resource: Resource, requestBody: string | undefined): void {
    this.#all.set(key, { resource, texts: ownTextsIn(requestBody) });
  }

  /**
   * The creations that a list of such things shows, which are then forgotten.
   * @param url of the list
   * @param isNew whether no response showed an id before
   */
  in(
    resource: Resource,
    url: string,
    body: Json | undefined,
    isNew = (_id: string) => true,
  ): [Key, Creation][] {
    return [...this.#all].flatMap(([key, { resource: created, texts }]): [Key, Creation][] => {
      if (created.create.id !== resource.create.id) return [];
      const [shown, ...further] = listedWith(resource, url, body, texts);
      if (!shown || further.length > 0 || !isNew(shown.id)) return [];
      this.#all.delete(key);
      return [[key, shown]];
    });
  }
}
