import { namesIn, pointersIn, type Resource, resourcesOf, successSchema } from '../contract/resources.ts';
import { schemaAt } from '../contract/schema.ts';
import type { Contract, Operation, Schema } from '../model/contract.ts';
import { segmentsOf } from '../model/json.ts';

/** A kind of thing: what `/books/{bookId}` is one of. */
export interface ThingKind {
  /** The path of one, and its last parameter. */
  item: string;
  parameter: string;
  /** What one looks like. */
  schema: Schema;
  /** The field of it that has its id. */
  idField: string;
  /** What the id may be, as the path has it. */
  idSchema: Schema;
  /** The id that the document has as an example. */
  exampleId?: unknown;
}

/** What an operation does to the things of the server; `other` is something else, such as a report or an action. */
export type OperationRole =
  | { does: 'list' | 'create' | 'clear' | 'item'; kind: ThingKind }
  | { does: 'other' };

/** The things of a document, and what its operations do to them. */
export interface Roles {
  roleOf(operation: Operation): OperationRole;
  /** The kinds of the things that a path is below, the outermost first. @param path a template */
  above(path: string): ThingKind[];
}

/** Finds out which operations list, create, read, change and remove things. */
export function rolesOf(contract: Pick<Contract, 'operations'>): Roles {
  const { operations } = contract;
  const resources = resourcesOf(contract);
  const byCreate = new Map(resources.map((each) => [each.create.id, each]));
  const kinds = new Map<string, ThingKind>();
  for (const { path } of operations) {
    const parameter = /\/\{([^{}/]+)\}$/.exec(plain(path))?.[1];
    if (parameter === undefined || kinds.has(unnamed(path))) continue;
    const resource = resources.find((each) => unnamed(each.item) === unnamed(path));
    kinds.set(unnamed(path), kindOf(plain(path), parameter, operations, resource));
  }
  const kindAt = (path: string) => kinds.get(unnamed(path));
  return {
    roleOf(operation) {
      const { id, method, path } = operation;
      const item = kindAt(path);
      if (item) return { does: 'item', kind: item };
      const resource = byCreate.get(id);
      const created = resource && kindAt(resource.item);
      if (created) return { does: 'create', kind: created };
      const listed =
        kindAt(`${plain(path)}/{}`) ?? (method === 'GET' ? listedBy(operation, kinds) : undefined);
      if (!listed) return { does: 'other' };
      if (method === 'DELETE') return { does: 'clear', kind: listed };
      const schema = successSchema(operation);
      return method === 'GET' && schema && listAt(schema)
        ? { does: 'list', kind: listed }
        : { does: 'other' };
    },
    above(path) {
      const segments = plain(path).split('/');
      return segments.flatMap((_, index) =>
        index + 1 < segments.length ? (kindAt(segments.slice(0, index + 1).join('/')) ?? []) : [],
      );
    },
  };
}

/** The kind whose things a list elsewhere has, such as `/pets/findByStatus`: its entries are the same component. */
function listedBy(operation: Operation, kinds: ReadonlyMap<string, ThingKind>): ThingKind | undefined {
  const schema = successSchema(operation);
  const place = schema && listAt(schema);
  const component = schema && place && schemaAt(schema, [...place, '[]'])?.['x-component'];
  if (component === undefined) return undefined;
  return [...kinds.values()].find(
    (each) => each.schema['x-component'] === component && namesIn(each.item).length === 1,
  );
}

function kindOf(
  item: string,
  parameter: string,
  operations: readonly Operation[],
  resource: Resource | undefined,
): ThingKind {
  const own = operations.filter(({ path }) => unnamed(path) === unnamed(item));
  const collection = unnamed(item).replace(/\/\{\}$/, '');
  const list = operations.find(({ method, path }) => method === 'GET' && unnamed(path) === collection);
  const read = own.find(({ method }) => method === 'GET');
  const shown = read && successSchema(read);
  const listed = list && successSchema(list);
  const created = resource && successSchema(resource.create);
  const sent = [resource?.create, ...own].find((each) => each?.body)?.body?.schema;
  const [pointer = `/${parameter}`] = pointersIn(shown, parameter);
  const path = segmentsOf(pointer);
  const schemas: (Schema | undefined)[] = [
    shown && schemaAt(shown, path.slice(0, -1)),
    listed && schemaAt(listed, [...(listAt(listed) ?? []), '[]']),
    created && schemaAt(created, placeOfThing(created, parameter)),
    sent,
  ];
  const schema: Schema = schemas.find((each) => each?.properties) ?? { type: 'object', properties: {} };
  const stated = shown
    ? (path.at(-1) ?? 'id')
    : (segmentsOf(pointersIn(schema, parameter)[0] ?? '')[0] ?? 'id');
  const idField = schema.properties?.[stated] ? stated : (ownIdField(collection, schema) ?? stated);
  const named = own.flatMap(({ parameters }) =>
    parameters.filter((each) => each.in === 'path' && each.name === parameter),
  );
  const [id] = named;
  return {
    ...{ item, parameter, schema, idField },
    idSchema: id?.schema ?? {},
    exampleId: id?.example ?? id?.schema.example,
  };
}

/** The field that is called as the collection is, such as `districtID` in `/districts/{}`. */
function ownIdField(collection: string, { properties = {} }: Schema): string | undefined {
  const last = collection.split('/').at(-1)?.toLowerCase() ?? '';
  return Object.keys(properties).find((name) => {
    const stem = /^(.{3,}?)_?id$/i.exec(name)?.[1];
    return stem !== undefined && last.startsWith(stem.toLowerCase());
  });
}

/** Where a response has the thing: at its root, or in an envelope. */
export function placeOfThing(schema: Schema, parameter: string): string[] {
  return segmentsOf(pointersIn(schema, parameter)[0] ?? '').slice(0, -1);
}

/** Lists beside the one that a response is about. */
const BESIDE = ['errors', 'included', 'warnings'];

/** Where a response has its list; undefined if it has none. */
export function listAt(schema: Schema): string[] | undefined {
  if (schema.type === 'array') return [];
  const fields = Object.entries(schema.properties ?? {}).filter(([name]) => !BESIDE.includes(name));
  const [own] = fields.filter(([, { type, items }]) => type === 'array' && items?.properties);
  if (own) return [own[0]];
  const [deeper] = fields.flatMap(([name, each]) => {
    const inner = each.type === 'object' ? listAt({ ...each, type: 'object' }) : undefined;
    return inner ? [[name, ...inner]] : [];
  });
  return deeper ?? fields.filter(([, { type }]) => type === 'array').map(([name]) => [name])[0];
}

/** A template with the values of a request: the path of the collection that a thing is in. */
export function collectionOf({ item }: ThingKind, values: readonly string[]): string {
  const names = namesIn(item).slice(0, -1);
  return names.reduce(
    (path, name, index) => path.replace(`{${name}}`, encodeURIComponent(values[index] ?? '')),
    item.replace(/\/\{[^{}]+\}$/, ''),
  );
}

/** Parameters of one place may have several names. */
function unnamed(path: string): string {
  return plain(path).replaceAll(/\{[^{}]*\}/g, '{}');
}

function plain(path: string): string {
  return path.length > 1 ? path.replace(/\/$/, '') : path;
}
