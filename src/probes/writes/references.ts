import { namesIn, type Resource, successSchema } from '../../contract/resources.ts';
import { idPlaces } from '../../contract/things/creation.ts';
import type { Operation, Schema } from '../../model/contract.ts';
import { pointerOf, segmentsOf } from '../../model/json.ts';
import type { CreatedId, Sources } from '../../model/probe.ts';
import { pluralOf } from '../../model/report/report.ts';

/** The depth in a body down to which references are looked for. */
const MAX_DEPTH = 3;

/** The ids of the probes that create things of a resource. */
export type Creations = (resource: Resource) => readonly string[];

/**
 * Makes bodies refer to what the run creates, and sorts resources after those that they refer to: `authorId` in the body of a
 * book is the id of an author of this run, if authors can be created. The id of another author is never sent, as a creation may
 * change what it refers to, such as an account that pays for it.
 */
export function withReferences(resources: readonly Resource[], creations: Creations): Resource[] {
  const referrers = resources.map((resource) => {
    const used = new Set<Resource>();
    const referring = (operation: Operation) => referringTo(operation, resource, resources, creations, used);
    const create = referring(resource.create);
    return { resource, used, referring: { ...resource, create, replace: resource.replace.map(referring) } };
  });
  const done: typeof referrers = [];
  const visit = (referrer: (typeof referrers)[number] | undefined, above: readonly Resource[]) => {
    // In a circle of references, one resource has to come first.
    if (!referrer || done.includes(referrer) || above.includes(referrer.resource)) return;
    const before = [...referrer.used, ...(referrer.resource.parent ? [referrer.resource.parent] : [])];
    for (const needed of before)
      visit(
        referrers.find(({ resource }) => resource.item === needed.item),
        [...above, referrer.resource],
      );
    done.push(referrer);
  };
  for (const referrer of referrers) visit(referrer, []);
  return done.map(({ referring }) => referring);
}

/** Puts ids of this run where the body of an operation refers to other resources, and adds these resources to `used`. */
function referringTo(
  operation: Operation,
  resource: Resource,
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
      const target = as && referred(name, resource, resources);
      if (!target) return [name, annotated(field, depth + 1)] as const;
      used.add(target);
      const id = { probes: creations(target), as } satisfies CreatedId;
      return [name, { ...field, 'x-created-id': id }] as const;
    });
    return { ...schema, properties: Object.fromEntries(fields) };
  };
  return { ...operation, body: { ...body, schema: annotated(body.schema, 0) } };
}

/** The type of an id in a field; undefined if the field cannot hold an id. */
function typeOf(field: Schema): CreatedId['as'] | undefined {
  const type = field.type ?? field['x-types']?.[0];
  if (field.enum) return undefined;
  return type === 'string' || type === 'integer' ? type : undefined;
}

/** The resource that a field such as `authorId` or `author_id` is named after, if there is exactly one. */
function referred(name: string, resource: Resource, resources: readonly Resource[]): Resource | undefined {
  const noun = /^(.+?)_?-?(?:id|uuid)$/i.exec(name)?.[1];
  if (noun === undefined) return undefined;
  const [plural, singular] = [pluralOf(noun), noun].map(plain);
  const targets = resources.filter(({ create, item }) => {
    const collection = plain(create.path.split('/').at(-1) ?? '');
    return item !== resource.item && (collection === plural || collection === singular);
  });
  return targets.length === 1 ? targets[0] : undefined;
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/**
 * Makes bodies state the ids in their address, as a service may refuse a body with another id. The body of a creation leaves
 * out an optional id of its own, which the service assigns.
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
    replace: replace.map((operation) => above(addressed(operation), resource.parent)),
    parts: parts.map((operation) => above(operation, resource)),
  };
}

/** Makes a body state the id of an ancestor, in a field with the name of the ancestor's path parameter. */
function withAncestor(operation: Operation, ancestor: Resource, creations: Creations): Operation {
  const parameter = namesIn(operation.path)[namesIn(ancestor.item).length - 1] ?? ancestor.parameter;
  // A field with a general name such as `id` is about the thing itself.
  if (/^(?:id|uuid|key|slug|name|number|code)$/i.test(parameter)) return operation;
  const places = idPlaces({ ...ancestor, parameter }, operation).filter(
    (place) => segmentsOf(place).at(-1) === parameter,
  );
  return changed(operation, places, (field) => withId(field, ancestor, creations));
}

function withId(field: Schema, resource: Resource, creations: Creations): Schema {
  const as = typeOf(field);
  if (!as) return field;
  const id = { probes: creations(resource), as, isAddressed: true } satisfies CreatedId;
  return { ...field, 'x-created-id': id };
}

/** Changes a field, or returns undefined to leave it out. */
type FieldChange = (field: Schema, isRequired: boolean) => Schema | undefined;

function changed(operation: Operation, places: readonly string[], change: FieldChange): Operation {
  const { body } = operation;
  if (!body || body.isStated) return operation;
  const schema = places.reduce(
    (schema, place) => changedAt(schema, segmentsOf(place), { change, known: [] }),
    body.schema,
  );
  return { ...operation, body: { ...body, schema } };
}

/** A change of a field, and the changed schemas so far: a component may be an alternative in very many places. */
interface Changing {
  change: FieldChange;
  /** By the number of segments left to the field. */
  known: (Map<Schema, Schema> | undefined)[];
}

function changedAt(schema: Schema, place: readonly string[], changing: Changing): Schema {
  changing.known[place.length] ??= new Map();
  const ofDepth = changing.known[place.length];
  const result = ofDepth?.get(schema) ?? changedOnce(schema, place, changing);
  ofDepth?.set(schema, result);
  return result;
}

function changedOnce(schema: Schema, place: readonly string[], changing: Changing): Schema {
  const [name = '', ...deeper] = place;
  const { properties = {}, required = [] } = schema;
  const alternatives = (['oneOf', 'anyOf'] as const).flatMap((keyword) => {
    const members = schema[keyword];
    return Array.isArray(members)
      ? [[keyword, (members as Schema[]).map((schema) => changedAt(schema, place, changing))]]
      : [];
  });
  const field = properties[name];
  if (!field) return alternatives.length > 0 ? { ...schema, ...Object.fromEntries(alternatives) } : schema;
  const after =
    deeper.length > 0 ? changedAt(field, deeper, changing) : changing.change(field, required.includes(name));
  const fields = Object.entries(properties).flatMap(([other, unchanged]) =>
    other !== name ? [[other, unchanged]] : after ? [[other, after]] : [],
  );
  return { ...schema, ...Object.fromEntries(alternatives), properties: Object.fromEntries(fields) };
}

/** Names of fields by which a service notices that somebody else has changed a thing. */
const VERSION = /^_?(?:(?:row|lock|record|entity|object|resource)[_-]?)?(?:version|revision|rev|etag)$/i;

/**
 * Makes changes state the version that reads show, as a service may refuse any other version with 409.
 * @param reads the ids of the probes that read the thing after its creation and changes, the last one first
 */
export function withOwnVersions(resource: Resource, reads: readonly string[]): Resource {
  const { read, replace } = resource;
  const shown = (read && successSchema(read)?.properties) ?? {};
  return { ...resource, replace: replace.map((operation) => withVersion(operation, shown, reads)) };
}

function withVersion(
  operation: Operation,
  shown: Readonly<Record<string, Schema>>,
  reads: readonly string[],
): Operation {
  const { body } = operation;
  if (!body?.schema.properties || body.isStated) return operation;
  const fields = Object.entries(body.schema.properties).map(([name, field]) => {
    const shownField = Object.hasOwn(shown, name) ? shown[name] : undefined;
    const as = VERSION.test(name) ? typeOf(field) : undefined;
    if (!as || !shownField || typeOf(shownField) !== as) return [name, field] as const;
    const sources: Sources = reads.map((probe) => ({ probe, pointer: pointerOf([name]) }));
    return [name, { ...field, 'x-current': sources }] as const;
  });
  return {
    ...operation,
    body: { ...body, schema: { ...body.schema, properties: Object.fromEntries(fields) } },
  };
}
