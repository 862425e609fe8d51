import { namesIn, type Resource, successSchema } from '../../contract/resources.ts';
import { idPlaces } from '../../contract/things/id-places.ts';
import type { Operation, Schema } from '../../model/contract.ts';
import { pointerOf, segmentsOf } from '../../model/json/json-pointer.ts';
import type { CreatedId, Sources } from '../../model/probe.ts';
import { pluralOf } from '../../model/report/report.ts';

/** Deeper than most bodies state what they refer to. */
const MAX_DEPTH = 3;

/** The probes of a resource that create one of its things. */
export type Creations = (resource: Resource) => readonly string[];

/**
 * Resources whose bodies refer to what the run creates of others, each after those that it refers to: `authorId` in the body
 * of a book is the id of an author of this run, if authors can be created. The id of somebody else's author is never taken: a
 * creation may change what it refers to, such as an account that pays for it.
 */
export function withReferences(resources: readonly Resource[], creations: Creations): Resource[] {
  const found = resources.map((resource) => {
    const used = new Set<Resource>();
    const referring = (operation: Operation) => referringTo(operation, resource, resources, creations, used);
    const create = referring(resource.create);
    return { resource, used, referring: { ...resource, create, replace: resource.replace.map(referring) } };
  });
  const done: typeof found = [];
  const visit = (each: (typeof found)[number] | undefined, above: readonly Resource[]) => {
    // Of things that refer to each other, one has to come first.
    if (!each || done.includes(each) || above.includes(each.resource)) return;
    const before = [...each.used, ...(each.resource.parent ? [each.resource.parent] : [])];
    for (const other of before)
      visit(
        found.find(({ resource }) => resource.item === other.item),
        [...above, each.resource],
      );
    done.push(each);
  };
  for (const each of found) visit(each, []);
  return done.map(({ referring }) => referring);
}

/** An operation whose body has the ids of this run where it refers to other resources. */
function referringTo(
  operation: Operation,
  own: Resource,
  resources: readonly Resource[],
  creations: Creations,
  used: Set<Resource>,
): Operation {
  const { body } = operation;
  if (!body || body.isStated) return operation;
  const annotated = (schema: Schema, depth: number): Schema => {
    const { properties, items } = schema;
    if (depth > MAX_DEPTH) return schema;
    if (items) return { ...schema, items: annotated(items, depth + 1) };
    if (!properties) return schema;
    const fields = Object.entries(properties).map(([name, field]) => {
      const as = typeOf(field);
      const other = as && referred(name, own, resources);
      if (!other) return [name, annotated(field, depth + 1)] as const;
      used.add(other);
      const id = { probes: creations(other), as } satisfies CreatedId;
      return [name, { ...field, 'x-created-id': id }] as const;
    });
    return { ...schema, properties: Object.fromEntries(fields) };
  };
  return { ...operation, body: { ...body, schema: annotated(body.schema, 0) } };
}

/** As what a field has an id; undefined if it cannot have any. */
function typeOf(field: Schema): CreatedId['as'] | undefined {
  const type = field.type ?? field['x-types']?.[0];
  if (field.enum) return undefined;
  return type === 'string' || type === 'integer' ? type : undefined;
}

/** The one other resource that a field such as `authorId` or `author_id` is named after. */
function referred(name: string, own: Resource, resources: readonly Resource[]): Resource | undefined {
  const noun = /^(.+?)_?-?(?:id|uuid)$/i.exec(name)?.[1];
  if (noun === undefined) return undefined;
  const [plural, singular] = [pluralOf(noun), noun].map(plain);
  const others = resources.filter(({ create, item }) => {
    const collection = plain(create.path.split('/').at(-1) ?? '');
    return item !== own.item && (collection === plural || collection === singular);
  });
  return others.length === 1 ? others[0] : undefined;
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/**
 * A resource whose bodies state the ids that their address has: a service may refuse a body with another one. The body of a
 * creation leaves its own id out if it may: the service assigns it.
 */
export function withOwnIds(resource: Resource, creations: Creations): Resource {
  const { create, replace, parts } = resource;
  const above = (operation: Operation, parent: Resource | undefined): Operation =>
    parent ? above(withAncestor(operation, parent, creations), parent.parent) : operation;
  const addressed = (operation: Operation) =>
    changed(operation, idPlaces(resource, operation), (field) => withId(field, resource, creations));
  return {
    ...resource,
    create: above(
      changed(create, idPlaces(resource, create), (field, isRequired) => (isRequired ? field : undefined)),
      resource.parent,
    ),
    replace: replace.map((each) => above(addressed(each), resource.parent)),
    parts: parts.map((each) => above(each, resource)),
  };
}

/** An operation whose body states the id of what its address is below, where a field has the name of that parameter. */
function withAncestor(operation: Operation, ancestor: Resource, creations: Creations): Operation {
  const parameter = namesIn(operation.path)[namesIn(ancestor.item).length - 1] ?? ancestor.parameter;
  // A plain `id` is the own one.
  if (/^(?:id|uuid|key|slug|name|number|code)$/i.test(parameter)) return operation;
  const places = idPlaces({ ...ancestor, parameter }, operation).filter(
    (each) => segmentsOf(each).at(-1) === parameter,
  );
  return changed(operation, places, (field) => withId(field, ancestor, creations));
}

function withId(field: Schema, resource: Resource, creations: Creations): Schema {
  const as = typeOf(field);
  if (!as) return field;
  const id = { probes: creations(resource), as, isAddressed: true } satisfies CreatedId;
  return { ...field, 'x-created-id': id };
}

/** What a field becomes; undefined if it is left out. */
type FieldChange = (field: Schema, isRequired: boolean) => Schema | undefined;

function changed(operation: Operation, places: readonly string[], change: FieldChange): Operation {
  const { body } = operation;
  if (!body || body.isStated) return operation;
  const schema = places.reduce(
    (each, place) => changedAt(each, segmentsOf(place), { change, known: [] }),
    body.schema,
  );
  return { ...operation, body: { ...body, schema } };
}

/** What changes a field, and what schemas became of it: a component may be an alternative in very many ways. */
interface Changing {
  change: FieldChange;
  /** By the number of segments that lead to the field. */
  known: (Map<Schema, Schema> | undefined)[];
}

function changedAt(schema: Schema, place: readonly string[], changing: Changing): Schema {
  changing.known[place.length] ??= new Map();
  const known = changing.known[place.length];
  const found = known?.get(schema) ?? changedOnce(schema, place, changing);
  known?.set(schema, found);
  return found;
}

function changedOnce(schema: Schema, place: readonly string[], changing: Changing): Schema {
  const [name = '', ...deeper] = place;
  const { properties = {}, required = [] } = schema;
  const alternatives = (['oneOf', 'anyOf'] as const).flatMap((keyword) => {
    const members = schema[keyword];
    return Array.isArray(members)
      ? [[keyword, (members as Schema[]).map((each) => changedAt(each, place, changing))]]
      : [];
  });
  const field = properties[name];
  if (!field) return alternatives.length > 0 ? { ...schema, ...Object.fromEntries(alternatives) } : schema;
  const after =
    deeper.length > 0 ? changedAt(field, deeper, changing) : changing.change(field, required.includes(name));
  const others = Object.entries(properties).flatMap(([each, own]) =>
    each !== name ? [[each, own]] : after ? [[each, after]] : [],
  );
  return { ...schema, ...Object.fromEntries(alternatives), properties: Object.fromEntries(others) };
}

/** Names of fields by which a service tells whether somebody else changed a thing meanwhile. */
const VERSION = /^_?(?:(?:row|lock|record|entity|object|resource)[_-]?)?(?:version|revision|rev|etag)$/i;

/**
 * A resource whose changes state the version that its reads show: a service may refuse any other one with 409.
 * @param reads the probes that read the thing before and after its changes, the last one first
 */
export function withOwnVersions(resource: Resource, reads: readonly string[]): Resource {
  const { read, replace } = resource;
  const shown = (read && successSchema(read)?.properties) ?? {};
  return { ...resource, replace: replace.map((each) => withVersion(each, shown, reads)) };
}

function withVersion(
  operation: Operation,
  shown: Readonly<Record<string, Schema>>,
  reads: readonly string[],
): Operation {
  const { body } = operation;
  if (!body?.schema.properties || body.isStated) return operation;
  const fields = Object.entries(body.schema.properties).map(([name, field]) => {
    const other = Object.hasOwn(shown, name) ? shown[name] : undefined;
    const as = VERSION.test(name) ? typeOf(field) : undefined;
    if (!as || !other || typeOf(other) !== as) return [name, field] as const;
    const sources: Sources = reads.map((probe) => ({ probe, pointer: pointerOf([name]) }));
    return [name, { ...field, 'x-current': sources }] as const;
  });
  return {
    ...operation,
    body: { ...body, schema: { ...body.schema, properties: Object.fromEntries(fields) } },
  };
}
