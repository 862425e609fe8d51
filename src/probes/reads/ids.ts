import { alternativesOf } from '../../contract/schema.ts';
import type { Operation, Schema } from '../../model/contract.ts';
import { pointerOf } from '../../model/json/json-pointer.ts';

/** Where a list shows the value of a path parameter. */
export interface Shown {
  /** The list. */
  operation: string;
  /** JSON Pointer to the value in the first entry of the list. */
  pointer: string;
}

/** The reads of a document by what they are looked up by. */
export interface ReadIndex {
  byPath: ReadonlyMap<string, Operation>;
  /** By the operation and the parameter that a link of a response names. */
  links: ReadonlyMap<string, Shown>;
}

/** Makes the index of some reads. */
export function indexOf(reads: readonly Operation[]): ReadIndex {
  const links = reads.flatMap(({ id, responses }) =>
    responses
      .flatMap((each) => each.links)
      .map(
        (link) => [`${link.operation} ${link.parameter}`, { operation: id, pointer: link.pointer }] as const,
      ),
  );
  return {
    byPath: new Map(reads.map((each) => [withoutSlash(each.path), each])),
    links: new Map(links.reverse()),
  };
}

/**
 * Where the value of a path parameter can be read: `bookId` of `/books/{bookId}` is the `id` of an entry of `GET /books`.
 * A link of the document says it, or the paths and the names of the fields do.
 */
export function shownBy(
  { id, path }: Operation,
  name: string,
  { byPath, links }: ReadIndex,
): Shown | undefined {
  const linked = links.get(`${id} ${name}`);
  if (linked) return linked;
  const collection = path.split(`/{${name}}`)[0] ?? '';
  const list = byPath.get(collection) ?? elsewhere(collection, byPath);
  const pointer = list && list.path !== path ? pointerIn(list, name) : undefined;
  return list && pointer !== undefined ? { operation: list.id, pointer } : undefined;
}

/**
 * The one list of a collection that is below something else: what `GET /folders/{folderId}/files` lists may be at `/files/{id}`. Only
 * reads ask for such an id, and a service that does not know it refuses it.
 */
function elsewhere(collection: string, byPath: ReadIndex['byPath']): Operation | undefined {
  if (!/^\/[^/{}]+$/.test(collection)) return undefined;
  const lists = [...byPath].filter(([path]) => path.endsWith(`}${collection}`));
  return lists.length === 1 ? lists[0]?.[1] : undefined;
}

function withoutSlash(path: string): string {
  return path.length > 1 ? path.replace(/\/$/, '') : path;
}

/** A pointer to a field that identifies the first entry of a list. */
function pointerIn({ responses }: Operation, parameter: string): string | undefined {
  const schema = responses.find(({ status, schema: each }) => status.startsWith('2') && each)?.schema;
  if (!schema) return undefined;
  const lists: (readonly [string, Schema | undefined])[] = [
    ['/0', schema.items],
    ...Object.entries(schema.properties ?? {}).map(
      ([name, field]) => [pointerOf([name, 0]), field.items] as const,
    ),
  ];
  for (const [place, entry] of lists) {
    const field = entry && identifying(fieldNames(entry), parameter);
    if (field !== undefined) return place + pointerOf([field]);
  }
  return undefined;
}

/** The names of the fields that an entry has, or may have. */
function fieldNames(entry: Schema): string[] {
  const schemas = [entry, ...alternativesOf(entry)];
  return [...new Set(schemas.flatMap(({ properties = {} }) => Object.keys(properties)))];
}

/** The field that has the same name as the parameter, or else the id of the thing that the parameter is the id of. */
function identifying(fields: readonly string[], parameter: string): string | undefined {
  const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  const same = fields.find((each) => plain(each) === plain(parameter));
  if (same !== undefined) return same;
  const [, key] = /(id|uuid|key|slug|name|number|code)$/.exec(plain(parameter)) ?? [];
  return fields.find((each) => plain(each) === (key ?? 'id'));
}
