import { alternativesOf } from '../../contract/schema.ts';
import type { Operation, Schema } from '../../model/contract.ts';
import { pointerOf } from '../../model/json/json-pointer.ts';
import { groupedBy } from '../../model/large/grouped.ts';

/** Where a list shows the value of a path parameter. */
export interface Shown {
  /** The list. */
  operation: string;
  /** JSON Pointer to the value in the first entry of the list, or in the thing. */
  pointer: string;
}

/** The reads of a document by what they are looked up by. */
export interface ReadIndex {
  /** By the path without the names of its parameters: paths below each other may name one differently. */
  byPath: ReadonlyMap<string, Operation>;
  /** By the last segment of the path. */
  byLastSegment: ReadonlyMap<string, readonly Operation[]>;
  /** Those whose path has no parameter, by its first segment. */
  byFirstSegment: ReadonlyMap<string, readonly Operation[]>;
  /** Those that show who asks, such as `/me`. */
  ofOneself: readonly Operation[];
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
  const byPath = new Map(reads.map((each) => [unnamed(each.path), each]));
  const segmentsOf = (each: Operation) => unnamed(each.path).split('/').slice(1);
  const fixed = [...byPath.values()].filter(({ path }) => !path.includes('{'));
  return {
    byPath,
    byLastSegment: groupedBy([...byPath.values()], (each) => segmentsOf(each).at(-1) ?? ''),
    byFirstSegment: groupedBy(fixed, (each) => segmentsOf(each)[0] ?? ''),
    ofOneself: fixed.filter(({ path }) => /^\/(?:.+\/)?(?:me|self)$/.test(unnamed(path))),
    links: new Map(links.reverse()),
  };
}

/**
 * Where the value of a path parameter can be read: `bookId` of `/books/{bookId}` is the `id` of an entry of `GET /books`.
 * A link of the document says it, or the paths and the names of the fields do. Only reads ask for such an id, and a service
 * that does not know it refuses it.
 */
export function shownBy(operation: Operation, name: string, index: ReadIndex): Shown | undefined {
  const linked = index.links.get(`${operation.id} ${name}`);
  if (linked) return linked;
  const { path, parameters } = operation;
  const type = parameters.find((each) => each.in === 'path' && each.name === name)?.schema.type;
  for (const { read, isOne } of sourcesOf(path, name, index)) {
    const wanted = { name, type, isOfPair: isOfPair(path, name) };
    const pointer = read.path === path ? undefined : pointerIn(read, wanted, isOne);
    if (pointer !== undefined) return { operation: read.id, pointer };
  }
  return undefined;
}

interface Source {
  read: Operation;
  /** It shows one thing, not a list. */
  isOne: boolean;
}

/** The reads that may show the value of a parameter, the likeliest first. */
function sourcesOf(path: string, name: string, index: ReadIndex): Source[] {
  const [before = ''] = path.split(`{${name}}`);
  const whole = unnamed(before.replace(/\/$/, ''));
  // What two parameters in a row name, such as the owner and the name of a repository, one entry of a list shows.
  const collection = whole.replace(/(?:\/\{\})+$/, '');
  // `/books.json` lists what is at `/books/{id}.json`.
  const extension = /\.\w+$/.exec(path)?.[0] ?? '';
  const own = [whole, whole + extension, collection].flatMap((each) => index.byPath.get(each) ?? []);
  if (own.length > 0) return own.map((read) => ({ read, isOne: false }));
  const [, segment] = /^\/([^/{}]+)$/.exec(collection) ?? [];
  if (segment === undefined) return [];
  const lists = index.byLastSegment.get(segment) ?? [];
  const alone = lists.filter((each) => !each.path.includes('{'));
  const [elsewhere = []] = [alone, lists].filter(({ length }) => length === 1);
  // `/pets/findByStatus` lists pets, too.
  const below = (index.byFirstSegment.get(segment) ?? []).slice(0, MAX_BELOW);
  const oneself = isOfUser(name) ? index.ofOneself : [];
  return [
    ...[...elsewhere, ...below].map((read) => ({ read, isOne: false })),
    ...oneself.map((read) => ({ read, isOne: true })),
  ];
}

/** Many operations may have the same first segment: so many of them are looked at for each. */
const MAX_BELOW = 10;

/** Whether a parameter follows another one, such as the owner of a repository: then its thing may have no id of its own. */
function isOfPair(path: string, name: string): boolean {
  return path.includes(`}/{${name}}`);
}

/** Whether a parameter names a user: `/me` is the one that asks. */
function isOfUser(name: string): boolean {
  return /^(?:user|account|member)/.test(plain(name));
}

/** A path without the names of its parameters, and without a slash at its end. */
function unnamed(path: string): string {
  const short = path.length > 1 ? path.replace(/\/$/, '') : path;
  return short.replaceAll(/\{[^{}]*\}/g, '{}');
}

/** A parameter of a path whose value is looked for. */
interface Wanted {
  name: string;
  type: Schema['type'];
  isOfPair: boolean;
}

/** A pointer to what identifies the first entry of a list, or the one thing of a response. */
function pointerIn({ responses }: Operation, wanted: Wanted, isOne: boolean): string | undefined {
  const schema = responses.find(({ status, schema: each }) => status.startsWith('2') && each)?.schema;
  if (!schema) return undefined;
  const places = isOne ? [['', schema] as const] : listsIn(schema);
  for (const [place, entry] of places) {
    const inner = entry && pointerInEntry(entry, wanted);
    if (inner !== undefined) return place + inner;
  }
  return undefined;
}

/** How deep in a response a list may be: `_embedded` of HAL, and `result` of others, are around it. */
const MAX_DEPTH = 2;

/** The first entries of the lists in a response, the outermost first. */
function listsIn(schema: Schema): [place: string, entry: Schema][] {
  const found: [string, Schema][] = [];
  let level: [string, Schema][] = [['', schema]];
  for (let depth = 0; depth <= MAX_DEPTH; depth += 1) {
    for (const [place, each] of level) if (each.items) found.push([place + pointerOf([0]), each.items]);
    level = level.flatMap(([place, each]) =>
      Object.entries(each.properties ?? {}).map(([name, field]): [string, Schema] => [
        place + pointerOf([name]),
        field,
      ]),
    );
  }
  return found;
}

/** Where an entry shows what identifies it: in a field, in a field of the field that the parameter names, or as a whole. */
function pointerInEntry(entry: Schema, wanted: Wanted): string | undefined {
  if (entry.type === 'string' || entry.type === 'integer') return '';
  const fields = fieldsOf(entry);
  const name = identifying([...fields.keys()], wanted);
  const field = name === undefined ? undefined : fields.get(name);
  if (name === undefined || field?.type !== 'object') return name && pointerOf([name]);
  const inner = [...fieldsOf(field)].filter(([, each]) => each.type === (wanted.type ?? each.type));
  const own = ['login', ...OTHER_KEYS, 'id'].find((each) => inner.some(([key]) => plain(key) === each));
  const found = inner.find(([key]) => plain(key) === own);
  return found && pointerOf([name, found[0]]);
}

/** The fields that an entry has, or may have. */
function fieldsOf(entry: Schema): Map<string, Schema> {
  const schemas = [entry, ...alternativesOf(entry)];
  return new Map(schemas.toReversed().flatMap(({ properties = {} }) => Object.entries(properties)));
}

/** The ends of names of parameters that say which field has their value. */
const KEYS = ['uuid', 'sid', 'id', 'key', 'slug', 'name', 'number', 'code'];

/** Fields that identify a thing if it has no `id`. */
const OTHER_KEYS = ['slug', 'key', 'code', 'name'];

/** The field that has the same name as the parameter, or else the id of the thing that the parameter is the id of. */
function identifying(
  fields: readonly string[],
  { name: parameter, isOfPair: isPaired }: Wanted,
): string | undefined {
  const wanted = plain(parameter);
  const ends = KEYS.filter((each) => wanted.endsWith(each));
  const names = [wanted, ...(ends.length > 0 ? ends : ['id']), ...(isPaired ? OTHER_KEYS : [])];
  return names.map((name) => fields.find((each) => plain(each) === name)).find((each) => each !== undefined);
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}
