import type { Resource } from '../../contract/resources.ts';
import { type Exchange, headerValue, type Received } from '../../model/exchange.ts';
import { isEncodable, percentEncoded } from '../../model/http/percent-encoding.ts';
import { at, type Json, parseJson } from '../../model/json.ts';

/** What was created. */
export interface Creation {
  id: string;
  /** Of its URL. */
  path: string;
  /** Whether there is little doubt that this is its id. */
  isSure: boolean;
}

/**
 * What a response to the creation of such a thing says was created: it is a 201 that shows an id, in its body or at the end
 * of its Location. A field of the body that may be another one's comes last.
 */
export function createdBy(
  resource: Resource,
  { url }: Pick<Exchange, 'url'>,
  response: Received | undefined,
): Creation | undefined {
  if (response?.status !== 201) return undefined;
  const parsed = parseJson(response.body);
  const body = parsed.ok ? parsed.value : undefined;
  const sure = sureId(resource, response, body);
  const id = sure ?? firstAt(body, resource.pointers);
  if (id === undefined) return undefined;
  return {
    id,
    isSure: sure !== undefined,
    path: `${new URL(url).pathname.replace(/\/$/, '')}/${percentEncoded(id)}`,
  };
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

/** Whether a text can be one segment of a path: an address with dots alone leads to the collection, or above it. */
function isSegment(text: string): boolean {
  return isEncodable(text) && !/^\.{1,2}$/.test(text);
}

/** The last segment of a Location that has the form of the path of one thing. */
function idInLocation(item: string, location: string | undefined): string | undefined {
  if (location === undefined || !URL.canParse(location, 'http://host.invalid')) return undefined;
  const segments = new URL(location, 'http://host.invalid').pathname.replace(/\/$/, '').split('/');
  const own = item.split('/').slice(1);
  const last = segments.slice(-own.length);
  const fits = own.every((each, index) => each.startsWith('{') || each === last[index]);
  const id = last.at(-1);
  try {
    return fits && id && isSegment(decodeURIComponent(id)) ? decodeURIComponent(id) : undefined;
  } catch {
    return undefined;
  }
}

/** The ids that a response to a read or a list of such things shows. */
export function shownIds(resource: Resource, operation: string, body: Json | undefined): string[] {
  const { read, list, field, pointers } = resource;
  if (operation === read?.id) return [idAt(body, field) ?? []].flat();
  if (operation !== list?.id) return [];
  const lists = Array.isArray(body)
    ? [body]
    : isRecord(body)
      ? Object.values(body).filter(Array.isArray)
      : [];
  return lists
    .flat()
    .flatMap((entry) => [field, ...pointers].flatMap((pointer) => idAt(entry as Json, pointer) ?? []));
}

function isRecord(value: Json | undefined): value is { [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
