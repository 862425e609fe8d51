import {
  namesIn,
  plain,
  pointersIn,
  type Resource,
  resourcesOf,
  successSchema,
  unnamed,
} from '../contract/resources.ts';
import { schemaAt } from '../contract/schema.ts';
import type { Contract, Operation, Schema } from '../model/contract.ts';
import { segmentsOf } from '../model/json.ts';

/** A kind of thing, such as the books of `/books/{bookId}`. */
export interface ThingKind {
  /** The path of a thing, and its last parameter. */
  item: string;
  parameter: string;
  schema: Schema;
  /** The field with its id. */
  idField: string;
  /** The schema of the id in the path. */
  idSchema: Schema;
  /** The example of the id in the document. */
  exampleId?: unknown;
}

/** What an operation does to the things of the server; `other` is something else, such as a report or an action. */
export type OperationRole =
  | { does: 'list' | 'create' | 'clear' | 'item'; kind: ThingKind }
  | { does: 'other' };

/** The things of a document, and what its operations do to them. */
export interface Roles {
  roleOf(operation: Operation): OperationRole;
  /** The kinds of the things above a path, the outermost first. @param path a template */
  above(path: string): ThingKind[];
}

/** Finds out which operations list, create, read, change and remove things. */
export function rolesOf(contract: Pick<Contract, 'operations'>): Roles {
  const { operations } = contract;
  const resources = resourcesOf(contract);
  const byCreate = new Map(resources.map((resource) => [resource.create.id, resource]));
  const kinds = new Map<string, ThingKind>();
  for (const { path } of operations) {
    const parameter = /\/\{([^{}/]+)\}$/.exec(plain(path))?.[1];
    if (parameter === undefined || kinds.has(unnamed(path))) continue;
    const resource = resources.find(({ item }) => unnamed(item) === unnamed(path));
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

/** The kind of the things in a list elsewhere, such as `/pets/findByStatus`: its entries are the same component. */
function listedBy(operation: Operation, kinds: ReadonlyMap<string, ThingKind>): ThingKind | undefined {
  const schema = successSchema(operation);
  const place = schema && listAt(schema);
  const component = schema && place && schemaAt(schema, [...place, '[]'])?.['x-component'];
  if (component === undefined) return undefined;
  return [...kinds.values()].find(
    (kind) => kind.schema['x-component'] === component && namesIn(kind.item).length === 1,
  );
}

function kindOf(
  item: string,
  parameter: string,
  operations: readonly Operation[],
  resource: Resource | undefined,
): ThingKind {
  const itemOperations = operations.filter(({ path }) => unnamed(path) === unnamed(item));
  const collection = unnamed(item).replace(/\/\{\}$/, '');
  const list = operations.find(({ method, path }) => method === 'GET' && unnamed(path) === collection);
  const read = itemOperations.find(({ method }) => method === 'GET');
  const shown = read && successSchema(read);
  const listed = list && successSchema(list);
  const created = resource && successSchema(resource.create);
  const sent = [resource?.create, ...itemOperations].find((operation) => operation?.body)?.body?.schema;
  const [pointer = `/${parameter}`] = pointersIn(shown, parameter);
  const path = segmentsOf(pointer);
  const schemas: (Schema | undefined)[] = [
    shown && schemaAt(shown, path.slice(0, -1)),
    listed && schemaAt(listed, [...(listAt(listed) ?? []), '[]']),
    created && schemaAt(created, placeOfThing(created, parameter)),
    sent,
  ];
  const schema: Schema = schemas.find((candidate) => candidate?.properties) ?? {
    type: 'object',
    properties: {},
  };
  const stated = shown
    ? (path.at(-1) ?? 'id')
    : (segmentsOf(pointersIn(schema, parameter)[0] ?? '')[0] ?? 'id');
  const idField = schema.properties?.[stated] ? stated : (ownIdField(collection, schema) ?? stated);
  const named = itemOperations.flatMap(({ parameters }) =>
    parameters.filter(({ in: place, name }) => place === 'path' && name === parameter),
  );
  const [id] = named;
  return {
    ...{ item, parameter, schema, idField },
    idSchema: id?.schema ?? {},
    exampleId: id?.example ?? id?.schema.example,
  };
}

/** The field that is named like the collection, such as `districtID` in `/districts/{}`. */
function ownIdField(collection: string, { properties = {} }: Schema): string | undefined {
  const last = collection.split('/').at(-1)?.toLowerCase() ?? '';
  return Object.keys(properties).find((name) => {
    const stem = /^(.{3,}?)_?id$/i.exec(name)?.[1];
    return stem !== undefined && last.startsWith(stem.toLowerCase());
  });
}

/** The path to the thing in a response: its root, or a field of an envelope. */
export function placeOfThing(schema: Schema, parameter: string): string[] {
  return segmentsOf(pointersIn(schema, parameter)[0] ?? '').slice(0, -1);
}

/** Names of lists that a response is not about. */
const BESIDE = ['errors', 'included', 'warnings'];

/** The path to the list in a response; undefined if there is no list. */
export function listAt(schema: Schema): string[] | undefined {
  if (schema.type === 'array') return [];
  const fields = Object.entries(schema.properties ?? {}).filter(([name]) => !BESIDE.includes(name));
  const [objects] = fields.filter(([, { type, items }]) => type === 'array' && items?.properties);
  if (objects) return [objects[0]];
  const [deeper] = fields.flatMap(([name, field]) => {
    const inner = field.type === 'object' ? listAt({ ...field, type: 'object' }) : undefined;
    return inner ? [[name, ...inner]] : [];
  });
  return deeper ?? fields.filter(([, { type }]) => type === 'array').map(([name]) => [name])[0];
}

/** The path of the collection of a thing: its template with the values of a request. */
export function collectionOf({ item }: ThingKind, values: readonly string[]): string {
  const names = namesIn(item).slice(0, -1);
  return names.reduce(
    (path, name, index) => path.replace(`{${name}}`, encodeURIComponent(values[index] ?? '')),
    item.replace(/\/\{[^{}]+\}$/, ''),
  );
}
