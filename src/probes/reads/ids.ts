import { unnamed } from '../../contract/resources.ts';
import type { Operation, Schema } from '../../model/contract.ts';
import { groupedBy } from '../../model/large/lookups.ts';
import type { Sources } from '../../model/probe.ts';
import { nameAnywhere, type WantedParameter, wantedIn } from '../../requests/learnt/id-names.ts';
import { pathParameters } from '../probe.ts';
import { fieldsNamed, isSearched, pointerIn, pointerInOne, type ShownField } from './shown-fields.ts';

/** A place in a response that shows the value of a path parameter. */
export interface IdSource extends Omit<Sources[number], 'probe'> {
  /** The id of the operation with this response. */
  operation: string;
}

/** The reads of a document by the keys of lookups. */
export interface ReadIndex {
  /** By the path without parameter names: a path and the paths below it may name a parameter differently. */
  byPath: ReadonlyMap<string, Operation>;
  /** By the last segment of the path. */
  byLastSegment: ReadonlyMap<string, readonly Operation[]>;
  /** Reads whose path has no parameter, by the first segment. */
  byFirstSegment: ReadonlyMap<string, readonly Operation[]>;
  /** Reads that show the user who asks, such as `/me`. */
  ofOneself: readonly Operation[];
  /** By the operation and the parameter that a link in a response names. */
  links: ReadonlyMap<string, IdSource>;
  /** Fields of responses that are named like a path parameter, by that name. */
  byField: ReadonlyMap<string, readonly (ShownField & Pick<IdSource, 'operation'>)[]>;
}

/** The most fields to keep for a name, as many operations may show the same id. */
const MAX_FIELDS = 20;

export function indexOf(reads: readonly Operation[]): ReadIndex {
  const links = reads.flatMap(({ id, responses }) =>
    responses
      .flatMap((response) => response.links)
      .map(
        (link) => [`${link.operation} ${link.parameter}`, { operation: id, pointer: link.pointer }] as const,
      ),
  );
  const byPath = new Map(reads.map((operation) => [unnamed(operation.path), operation]));
  const segmentsOf = (operation: Operation) => unnamed(operation.path).split('/').slice(1);
  const fixed = [...byPath.values()].filter(({ path }) => !path.includes('{'));
  return {
    byPath,
    byLastSegment: groupedBy([...byPath.values()], (operation) => segmentsOf(operation).at(-1) ?? ''),
    byFirstSegment: groupedBy(fixed, (operation) => segmentsOf(operation)[0] ?? ''),
    ofOneself: fixed.filter(({ path }) => /^\/(?:.+\/)?(?:me|self)$/.test(unnamed(path))),
    links: new Map(links.reverse()),
    byField: fieldsIn(reads),
  };
}

function fieldsIn(reads: readonly Operation[]): ReadIndex['byField'] {
  const wanted = reads.flatMap((read) =>
    pathParameters(read).flatMap(
      ({ name, schema }) => nameAnywhere(wantedIn(read.path, name, schema.type)) ?? [],
    ),
  );
  const names = new Set(wanted);
  const fields = reads.flatMap((read) =>
    fieldsNamed(read, names).map((field) => ({ ...field, operation: read.id, depth: depthOf(read) })),
  );
  // Fields of operations that need few values themselves come first.
  const sorted = fields.toSorted((a, b) => a.depth - b.depth);
  const byName = groupedBy(sorted, ({ name }) => name);
  return new Map([...byName].map(([name, fieldsOfName]) => [name, fieldsOfName.slice(0, MAX_FIELDS)]));
}

const depthOf = (operation: Operation) => pathParameters(operation).length;

/**
 * The responses that show the value of a path parameter, the likeliest first: `bookId` of `/books/{bookId}` is the `id` of an
 * entry of `GET /books`, or a `bookId` in another response. They are found by links of the document, or by paths and field
 * names. A wrong guess does no harm: only reads send such an id, and a service refuses an unknown one.
 */
export function shownBy(operation: Operation, name: string, index: ReadIndex): IdSource[] {
  const linked = index.links.get(`${operation.id} ${name}`);
  if (linked) return [linked];
  const { path } = operation;
  const schema = pathParameters(operation).find((parameter) => parameter.name === name)?.schema ?? {};
  const wanted = wantedIn(path, name, schema.type);
  const byPath = sourcesOf(path, name, index).flatMap((source) =>
    source.read.path === path ? [] : shownIn(source, path, wanted),
  );
  const sources = [...byPath, ...namedAlike(operation, wanted, schema, index)];
  return [...new Map(sources.map((source) => [`${source.operation} ${source.pointer}`, source])).values()];
}

function shownIn({ read, isOne, isCollection }: Source, path: string, wanted: WantedParameter): IdSource[] {
  const pointer = pointerIn(read, wanted, isOne);
  if (pointer !== undefined) return [{ operation: read.id, pointer }];
  if (!isCollection) return [];
  const ofOne = pointerInOne(read, wanted);
  return [
    ...(ofOne === undefined ? [] : [{ operation: read.id, pointer: ofOne }]),
    ...(isSearched(read) ? [{ operation: read.id, pointer: '', search: { path, name: wanted.name } }] : []),
  ];
}

/** Fields of other responses with the same name and type; and integers, if the parameter may be any text. */
function namedAlike(
  operation: Operation,
  wanted: WantedParameter,
  { type, format, pattern }: Schema,
  { byField }: ReadIndex,
): IdSource[] {
  const name = nameAnywhere(wanted);
  const fields = (name === undefined ? undefined : byField.get(name)) ?? [];
  const elsewhere = fields.filter((field) => field.operation !== operation.id);
  const isAnyText = type === 'string' && format === undefined && pattern === undefined;
  return [
    ...elsewhere.filter((field) => (field.type ?? type) === (type ?? field.type)),
    ...elsewhere.filter((field) => isAnyText && field.type === 'integer'),
  ].map(({ operation: read, pointer }) => ({ operation: read, pointer }));
}

interface Source {
  read: Operation;
  /** Its response is one thing, not a list. */
  isOne: boolean;
  /** Its path is that of the collection itself. */
  isCollection: boolean;
}

/** The reads whose paths suggest that they show the value of a parameter, the likeliest first. */
function sourcesOf(path: string, name: string, index: ReadIndex): Source[] {
  const [before = ''] = path.split(`{${name}}`);
  const parentPath = unnamed(before.replace(/\/$/, ''));
  // Two parameters in a row, such as the owner and the name of a repository, are both in an entry of one list.
  const collection = parentPath.replace(/(?:\/\{\})+$/, '');
  // `/books.json` lists what is at `/books/{id}.json`, and at `/books/{id}/pages`.
  const extensions = [/\.\w+$/.exec(path)?.[0] ?? '', '.json'];
  const inCollection = [
    parentPath,
    ...extensions.map((extension) => parentPath + extension),
    collection,
  ].flatMap((pathname) => (pathname !== '' && index.byPath.get(pathname)) || []);
  if (inCollection.length > 0)
    return [...new Set(inCollection)].map((read) => ({
      read,
      isOne: false,
      isCollection: read.path !== '/',
    }));
  const [, segment] = /\/([^/{}]+)$/.exec(collection) ?? [];
  if (segment === undefined) return [];
  const lists = (index.byLastSegment.get(segment) ?? [])
    .toSorted((a, b) => depthOf(a) - depthOf(b))
    .slice(0, MAX_ELSEWHERE);
  // `/pets/findByStatus` lists pets, too.
  const isAtTop = collection === `/${segment}`;
  const below = isAtTop ? (index.byFirstSegment.get(segment) ?? []).slice(0, MAX_ELSEWHERE) : [];
  const oneself = isAtTop && isOfUser(name) ? index.ofOneself : [];
  return [
    ...[...lists, ...below].map((read) => ({ read, isOne: false, isCollection: false })),
    ...oneself.map((read) => ({ read, isOne: true, isCollection: false })),
  ];
}

/** The most operations to look at that share a path segment. */
const MAX_ELSEWHERE = 10;

/** Whether a parameter names a user, whose id `/me` shows. */
function isOfUser(name: string): boolean {
  return /^(?:user|account|member)/i.test(name);
}
