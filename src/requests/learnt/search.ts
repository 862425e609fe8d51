import { percentDecoded } from '../../model/http/percent-encoding.ts';
import type { Json } from '../../model/json.ts';
import { identifying, listing, type WantedParameter, wantedIn, wrapping } from './id-names.ts';

/** How deep in a response a list may be, and an address in an entry: `_embedded` and `_links` of HAL. */
const MAX_DEPTH = 2;

/** Fields of an entry that are looked at. */
const MAX_FIELDS = 200;

type JsonObject = { [name: string]: Json };

/**
 * The value that identifies the first entry of a response that the document does not describe: the field with the name of the
 * path parameter, or an `id`, a text in a list of texts, or the part of an address that has the form of the path.
 */
export function searchedIn(
  body: Json | undefined,
  { path, name }: { path: string; name: string },
): Json | undefined {
  const wanted = wantedIn(path, name, undefined);
  for (const entry of entriesIn(body, wanted)) {
    const identifier = identifierOf(entry, wanted) ?? inAddress(entry, path, name);
    if (identifier !== undefined) return identifier;
  }
  return undefined;
}

/**
 * The first entries of the lists in a response, the outermost first; the response itself if it has no list. An empty list of what is wanted
 * has no entry, and what stands beside it describes the list.
 */
function entriesIn(body: Json | undefined, wanted: WantedParameter): Json[] {
  const entries: Json[] = [];
  let level = [body];
  for (let depth = 0; depth <= MAX_DEPTH; depth += 1) {
    for (const value of level) if (Array.isArray(value)) entries.push(...value.slice(0, 1));
    level = level.flatMap((value) => (isObject(value) ? Object.values(value).slice(0, MAX_FIELDS) : []));
  }
  if (entries.length > 0 || !isObject(body)) return entries;
  const isEmptyList = listing(Object.keys(body), wanted).some((field) => Array.isArray(body[field]));
  return isEmptyList ? [] : [body];
}

function identifierOf(entry: Json, wanted: WantedParameter): Json | undefined {
  if (isScalar(entry)) return entry;
  if (!isObject(entry)) return undefined;
  const identifier = scalarOf(entry, wanted);
  if (identifier !== undefined) return identifier;
  for (const field of wrapping(Object.keys(entry), wanted)) {
    const resource = entry[field];
    const wrapped = isObject(resource) ? scalarOf(resource, wanted) : undefined;
    if (wrapped !== undefined) return wrapped;
  }
  return undefined;
}

function scalarOf(entry: JsonObject, wanted: WantedParameter): Json | undefined {
  const names = Object.keys(entry).filter((field) => isScalar(entry[field]));
  const name = identifying(names, wanted);
  return name === undefined ? undefined : entry[name];
}

/** The value of a parameter in the first address of an entry that has the form of the path up to it. */
function inAddress(entry: Json, path: string, name: string): string | undefined {
  const [before = ''] = path.split(`{${name}}`);
  const template = [...before.split('/').slice(1, -1), `{${name}}`];
  if (before.endsWith('/'))
    for (const text of textsIn(entry, 0)) {
      const value = atEnd(text, template);
      if (value !== undefined) return value;
    }
  return undefined;
}

function textsIn(value: Json, depth: number): string[] {
  if (typeof value === 'string') return /^(?:https?:\/\/|\/)/.test(value) ? [value] : [];
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return [];
  return Object.values(value as JsonObject)
    .slice(0, MAX_FIELDS)
    .flatMap((member) => textsIn(member, depth + 1));
}

function atEnd(address: string, template: readonly string[]): string | undefined {
  if (!URL.canParse(address, 'http://host.invalid')) return undefined;
  const segments = new URL(address, 'http://host.invalid').pathname.replace(/\/$/, '').split('/').slice(1);
  const last = segments.slice(-template.length);
  const fits =
    last.length === template.length &&
    template.every((segment, index) => segment.includes('{') || segment === last[index]);
  // A path such as `/{id}` does not say which resources it is for.
  return fits && template.length > 1 ? percentDecoded(last.at(-1) ?? '') : undefined;
}

function isScalar(value: Json | undefined): boolean {
  return (
    (typeof value === 'string' && value !== '') || typeof value === 'number' || typeof value === 'bigint'
  );
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
