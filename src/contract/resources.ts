import type { Contract, DocumentedResponse, Effect, Operation, Schema } from '../model/contract.ts';
import { pointerOf, segmentsOf } from '../model/json.ts';
import { groupedBy } from '../model/large/lookups.ts';
import { rememberingEach } from '../model/remembering.ts';

/** A kind of thing that clients can create, and the operations on it. */
export interface Resource {
  create: Operation;
  /** The path of a thing: `/books/{bookId}`. */
  item: string;
  /** The last parameter of that path. */
  parameter: string;
  /** JSON Pointers to the id in the response to a creation, the likeliest first. */
  pointers: readonly string[];
  /**
   * The certain ones: a link of the document, or a name that leaves little doubt. A `name` need not be the `{username}` of a
   * path.
   */
  sure: readonly string[];
  /** JSON Pointer to the id in the response to `read`. */
  field: string;
  read?: Operation | undefined;
  list?: Operation | undefined;
  /** PUT and PATCH. */
  replace: readonly Operation[];
  /** PUT of a part of a thing, without an id: `/books/{bookId}/cover`. */
  parts: readonly Operation[];
  /** Other operations on a thing: `POST /books/{bookId}/reserve`. */
  actions: readonly Operation[];
  remove?: Operation | undefined;
  /** Reads below a thing that need no other parameter: `GET /books/{bookId}/pages`. */
  below: readonly Operation[];
  /** The resource that it is a part of, which its creation needs. */
  parent?: Resource;
}

/**
 * The resources of an interface: what a POST creates that documents a 201, or a 200 or 202 if its things can be read or
 * removed. Paths or links must say where they are. Parents come before their parts.
 */
export function resourcesOf({ operations }: Pick<Contract, 'operations'>): readonly Resource[] {
  return resourcesIn(operations);
}

const resourcesIn = rememberingEach(findResources);

function findResources(operations: readonly Operation[]): readonly Resource[] {
  const byPath = groupedBy(operations, ({ path }) => plain(path));
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  const parts = groupedBy(operations.filter(isOfPart), ({ path }) => ownerOf(unnamed(path)));
  const byItem = groupedBy(operations.filter(isBelowThing), ({ path }) => ownerOf(unnamed(path)));
  const items = new Map<string, string>();
  for (const path of byPath.keys()) {
    const [, collection, parameter] = /^(.*)\/\{([^/{}]+)\}$/.exec(path) ?? [];
    if (collection !== undefined && parameter !== undefined && !items.has(unnamed(collection)))
      items.set(unnamed(collection), path);
  }
  const ofOthers = (item: string, wanted: string, { address }: Operation) =>
    (byItem.get(unnamed(item)) ?? []).filter(
      (operation) => operation.method === wanted && operation.address === address,
    );
  const creations = operations.filter(isCreation);
  const resources = creations.flatMap((create): Resource[] => {
    const linked = linkedItem(create, byId);
    const item = linked?.path ?? items.get(unnamed(create.path));
    const parameter = item && /\{([^/{}]+)\}$/.exec(item)?.[1];
    if (item === undefined || !parameter) return [];
    const atItem = (byPath.get(plain(item)) ?? []).filter(({ address }) => address === create.address);
    const withMethod = (...methods: string[]) => atItem.filter(({ method }) => methods.includes(method));
    const [read] = withMethod('GET');
    const [remove] = withMethod('DELETE');
    if (!documents(create, '201', '2XX') && !linked && withMethod('GET', 'DELETE').length === 0) return [];
    const list = byPath.get(plain(create.path))?.find(({ method }) => method === 'GET');
    const pointers = pointersIn(successSchema(create), parameter, create.body?.schema);
    return [
      {
        create,
        item: plain(item),
        parameter,
        pointers: [...(linked ? [linked.pointer] : []), ...pointers],
        sure: [
          ...(linked ? [linked.pointer] : []),
          ...pointers.filter((pointer) => isSure(pointer, parameter)),
        ],
        field: pointersIn(read && successSchema(read), parameter)[0] ?? `/${parameter}`,
        replace: withMethod('PUT', 'PATCH'),
        parts: (parts.get(unnamed(item)) ?? []).filter(({ address }) => address === create.address),
        actions: ofOthers(item, 'POST', create),
        below: ofOthers(item, 'GET', create),
        read,
        list,
        remove,
      },
    ];
  });
  const sorted = resources.sort((left, right) => left.item.length - right.item.length);
  const creators = new Set(resources.map(({ create }) => create));
  return withParents(
    sorted.map((resource) => ({
      ...resource,
      actions: resource.actions.filter((action) => !creators.has(action)),
    })),
  );
}

function withParents(sorted: readonly Resource[]): Resource[] {
  const done = new Map<string, Resource>();
  return sorted.map((resource) => {
    // The closest resource above its path.
    const parent = pathsAbove(unnamed(resource.create.path)).flatMap((path) => done.get(path) ?? [])[0];
    const isWhole = namesIn(resource.create.path).length === namesIn(parent?.item ?? '').length;
    const withParent = parent && isWhole ? { ...resource, parent } : resource;
    done.set(unnamed(resource.item), withParent);
    return withParent;
  });
}

/** The operations by which another key may reach a created thing: those that need a key. */
export function reachableWithKey({ read, list, replace, remove }: Resource): Operation[] {
  return [read, list, ...replace, remove].flatMap((operation) => (operation?.secured ? [operation] : []));
}

/** The paths that a path is below, the longest first. */
function pathsAbove(path: string): string[] {
  const segments = path.split('/');
  return segments.map((_, index) => segments.slice(0, -1 - index).join('/'));
}

/** Whether an operation replaces a part of a thing that has no id. */
function isOfPart({ method, path }: Operation): boolean {
  return method === 'PUT' && plain(path).includes('}/');
}

/** Whether an operation is an action on a thing, or a collection of its parts. */
function isBelowThing({ path }: Operation): boolean {
  return /\}\/[^{}]+$/.test(plain(path));
}

/** The path of the thing that a path is below. */
function ownerOf(path: string): string {
  return path.slice(0, path.lastIndexOf('}') + 1);
}

/** Whether an operation may create something by its document: a POST with a success. */
function isCreation(operation: Operation): boolean {
  return operation.method === 'POST' && documents(operation, '200', '201', '202', '2XX');
}

/** Whether the document of an operation lists one of these statuses. */
export function documents({ responses }: Pick<Operation, 'responses'>, ...statuses: string[]): boolean {
  return responses.some(({ status }) => statuses.includes(status));
}

/** The target of a link of a creation: an operation whose path ends with the parameter of the link. */
function linkedItem(
  { responses }: Operation,
  byId: ReadonlyMap<string, Operation>,
): { path: string; pointer: string } | undefined {
  for (const { operation, parameter, pointer } of responses.flatMap(({ links }) => links)) {
    const target = byId.get(operation);
    if (target && plain(target.path).endsWith(`/{${parameter}}`))
      return { path: plain(target.path), pointer };
  }
  return undefined;
}

export function successResponse({ responses }: Operation): DocumentedResponse | undefined {
  return responses.find(({ status, schema }) => status.startsWith('2') && schema);
}

export function successSchema(operation: Operation): Schema | undefined {
  return successResponse(operation)?.schema;
}

/**
 * JSON Pointers to the id of a thing: the field of the parameter's name, `id`, or the same one level deeper. If the thing shows
 * what was sent, objects in it are things that it refers to: the id of its author is not its own.
 */
export function pointersIn(schema: Schema | undefined, parameter: string, sent?: Schema): string[] {
  const isPlain = (field: Schema | undefined) =>
    field !== undefined && !field.properties && field.type !== 'object';
  const isThing = Object.entries(schema?.properties ?? {}).some(
    ([name, field]) => isPlain(field) && isPlain(sent?.properties?.[name]),
  );
  const direct = fieldsLike(schema, parameter).map((name) => pointerOf([name]));
  const deeper = Object.entries(schema?.properties ?? {}).flatMap(([name, field]) =>
    !isThing && !isPlain(field) ? fieldsLike(field, parameter).map((inner) => pointerOf([name, inner])) : [],
  );
  const pointers = [...direct, ...deeper];
  return pointers.length > 0 ? pointers : ['/id', pointerOf([parameter])];
}

/** Names of wrappers of a thing in a response, which is not something that it refers to. */
const WRAPPERS = new Set(['data', 'item', 'payload', 'resource', 'result']);

/** Whether a field that may have the id has the name of the parameter, or is the id of the parameter's thing. */
export function isSure(pointer: string, parameter: string): boolean {
  const [name = '', ...deeper] = segmentsOf(pointer);
  const [field, wanted] = [bare(deeper.at(-1) ?? name), bare(parameter)];
  if (field === wanted) return true;
  const isAround = deeper.length === 0 || WRAPPERS.has(bare(name)) || wanted === bare(name) + field;
  return isAround && (field === 'id' || field === 'uuid') && wanted.endsWith(field);
}

function bare(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

function fieldsLike(schema: Schema | undefined, parameter: string): string[] {
  const [, key = 'id'] = /(id|uuid|key|slug|name|number|code)$/.exec(bare(parameter)) ?? [];
  const names = Object.keys(schema?.properties ?? {});
  const same = names.filter((name) => bare(name) === bare(parameter));
  return [...same, ...names.filter((name) => bare(name) === key && !same.includes(name))];
}

/** The names of the parameters of a path, in its order. */
export function namesIn(path: string): string[] {
  return [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
}

/** A path without parameter names and a slash at its end: `{id}` of `/rooms/{id}` may be `{roomId}` in paths below it. */
export function unnamed(path: string): string {
  return withoutNames(plain(path));
}

/** A path without the names of its parameters. */
export function withoutNames(path: string): string {
  return path.replaceAll(/\{[^{}]*\}/g, '{}');
}

/** A path without a slash at its end. */
export function plain(path: string): string {
  return path.length > 1 ? path.replace(/\/$/, '') : path;
}

/** The effect of an operation on the things of a service, by its method and path. */
export function effectOf(operation: Operation, contract: Pick<Contract, 'operations'>): Effect {
  const { method, path } = operation;
  if (method === 'GET' || method === 'HEAD') return 'read';
  const { creations, changes } = rolesOf(resourcesOf(contract));
  if (creations.has(operation.id)) return 'create';
  if (changes.has(operation.id)) return 'replace';
  const isOfOne = plain(path).endsWith('}');
  if (isOfOne && (method === 'PUT' || method === 'PATCH')) return 'replace';
  return isOfOne && method === 'DELETE' ? 'remove' : 'unknown';
}

/** The ids of the operations that create a thing, and of those that change a part of it or act on it. */
const rolesOf = rememberingEach((resources: readonly Resource[]) => ({
  creations: new Set(resources.map(({ create }) => create.id)),
  changes: new Set(resources.flatMap(({ parts, actions }) => [...parts, ...actions].map(({ id }) => id))),
}));

/** Whether a successful request creates a record. Requests to the message address create none. */
export function createsRecord({ method, address }: Pick<Operation, 'method' | 'address'>): boolean {
  return method === 'POST' && address === 'baseUrl';
}
