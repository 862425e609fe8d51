import { namesIn, type Resource } from '../../contract/resources.ts';
import { idPlaces } from '../../contract/things/id-places.ts';
import type { Operation, Schema } from '../../model/contract.ts';
import { segmentsOf } from '../../model/json.ts';
import type { CreatedId } from '../../model/probe.ts';
import { type Creations, typeOf } from './references.ts';

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
