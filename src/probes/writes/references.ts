import type { Resource } from '../../contract/resources.ts';
import type { Operation, Schema } from '../../model/contract.ts';
import type { CreatedId } from '../../model/probe.ts';
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
export function typeOf(field: Schema): CreatedId['as'] | undefined {
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
