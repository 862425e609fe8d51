import type { Operation, Schema } from '../../model/contract.ts';
import { groupedBy } from '../../model/large/grouped.ts';
import type { Sources } from '../../model/probe.ts';
import { nameAnywhere, type WantedParameter, wantedIn } from '../../requests/learnt/id-names.ts';
import { fieldsNamed, isSearched, pointerIn, pointerInOne, type ShownField } from './shown-fields.ts';

/** Where a response shows the value of a path parameter. */
export interface IdSource extends Omit<Sources[number], 'probe'> {
  /** The operation whose response it is. */
  operation: string;
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
  links: ReadonlyMap<string, IdSource>;
  /** The fields with the name of a parameter, by that name. */
  byField: ReadonlyMap<string, readonly (ShownField & Pick<IdSource, 'operation'>)[]>;
}

/** Fields of one name that are kept, at most: many operations may show the same id. */
const MAX_FIELDS = 20;

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
    byField: fieldsIn(reads),
  };
}

/** The fields of all responses that have the name of a parameter of a path. */
function fieldsIn(reads: readonly Operation[]): ReadIndex['byField'] {
  const wanted = reads.flatMap(({ path, parameters }) =>
    parameters.flatMap((each) =>
      each.in === 'path' ? (nameAnywhere(wantedIn(path, each.name, each.schema.type)) ?? []) : [],
    ),
  );
  const names = new Set(wanted);
  const found = reads.flatMap((read) =>
    fieldsNamed(read, names).map((field) => ({ ...field, operation: read.id, depth: parametersIn(read) })),
  );
  // What needs fewer values itself comes first.
  const sorted = found.toSorted((one, other) => one.depth - other.depth);
  const byName = groupedBy(sorted, ({ name }) => name);
  return new Map([...byName].map(([name, all]) => [name, all.slice(0, MAX_FIELDS)]));
}

const parametersIn = ({ parameters }: Operation) => parameters.filter((each) => each.in === 'path').length;

/**
 * Where the value of a path parameter can be read, the likeliest place first: `bookId` of `/books/{bookId}` is the `id` of an
 * entry of `GET /books`, or a `bookId` of another response. A link of the document says it, or the paths and the names of the
 * fields do. Only reads ask for such an id, and a service that does not know it refuses it.
 */
export function shownBy(operation: Operation, name: string, index: ReadIndex): IdSource[] {
  const linked = index.links.get(`${operation.id} ${name}`);
  if (linked) return [linked];
  const { path, parameters } = operation;
  const schema = parameters.find((each) => each.in === 'path' && each.name === name)?.schema ?? {};
  const wanted = wantedIn(path, name, schema.type);
  const byPath = sourcesOf(path, name, index).flatMap((source) =>
    source.read.path === path ? [] : shownIn(source, path, wanted),
  );
  const all = [...byPath, ...namedAlike(operation, wanted, schema, index)];
  return [...new Map(all.map((each) => [`${each.operation} ${each.pointer}`, each])).values()];
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

/** Fields of other responses with the same name and type, and then numbers, if the parameter may be any text: in a path, all is text. */
function namedAlike(
  operation: Operation,
  wanted: WantedParameter,
  { type, format, pattern }: Schema,
  { byField }: ReadIndex,
): IdSource[] {
  const name = nameAnywhere(wanted);
  const fields = (name === undefined ? undefined : byField.get(name)) ?? [];
  const others = fields.filter((each) => each.operation !== operation.id);
  const isAnyText = type === 'string' && format === undefined && pattern === undefined;
  return [
    ...others.filter((each) => (each.type ?? type) === (type ?? each.type)),
    ...others.filter((each) => isAnyText && each.type === 'integer'),
  ].map(({ operation: other, pointer }) => ({ operation: other, pointer }));
}

interface Source {
  read: Operation;
  /** It shows one thing, not a list. */
  isOne: boolean;
  /** Its path is that of the collection itself. */
  isCollection: boolean;
}

/** The reads that may show the value of a parameter by their paths, the likeliest first. */
function sourcesOf(path: string, name: string, index: ReadIndex): Source[] {
  const [before = ''] = path.split(`{${name}}`);
  const whole = unnamed(before.replace(/\/$/, ''));
  // What two parameters in a row name, such as the owner and the name of a repository, one entry of a list shows.
  const collection = whole.replace(/(?:\/\{\})+$/, '');
  // `/books.json` lists what is at `/books/{id}.json`, and at `/books/{id}/pages`.
  const extensions = [/\.\w+$/.exec(path)?.[0] ?? '', '.json'];
  const own = [whole, ...extensions.map((each) => whole + each), collection].flatMap(
    (each) => (each !== '' && index.byPath.get(each)) || [],
  );
  if (own.length > 0)
    return [...new Set(own)].map((read) => ({ read, isOne: false, isCollection: read.path !== '/' }));
  const [, segment] = /\/([^/{}]+)$/.exec(collection) ?? [];
  if (segment === undefined) return [];
  const lists = (index.byLastSegment.get(segment) ?? [])
    .toSorted((one, other) => parametersIn(one) - parametersIn(other))
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

/** Many operations may have the same segment: so many of them are looked at for each. */
const MAX_ELSEWHERE = 10;

/** Whether a parameter names a user: `/me` is the one that asks. */
function isOfUser(name: string): boolean {
  return /^(?:user|account|member)/i.test(name);
}

/** A path without the names of its parameters, and without a slash at its end. */
function unnamed(path: string): string {
  const short = path.length > 1 ? path.replace(/\/$/, '') : path;
  return short.replaceAll(/\{[^{}]*\}/g, '{}');
}
