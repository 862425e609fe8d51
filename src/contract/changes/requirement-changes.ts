import type { Contract, Level, Requirement, Schema } from '../../model/contract.ts';
import { valueRequirement } from '../requirements.ts';
import { fieldsOf } from '../schema.ts';
import { type Direction, schemaChange, together } from './schema-change.ts';

/** A requirement that two versions of an interface do not have alike. */
export interface RequirementChange {
  id: string;
  /** `changes`: it asks for something else, or is said in other words. */
  change: 'appears' | 'goes' | Direction;
  before?: Requirement;
  after?: Requirement;
}

const RANKS: Readonly<Record<Level, number>> = { open: 0, should: 1, must: 2 };

/**
 * What a service must do by the newer of two versions of an interface, and by the older one not or not so: in the order of the newer one,
 * then what is gone. By its schema, a requirement tightens if a service is allowed less.
 */
export function requirementChanges(
  before: Pick<Contract, 'requirements' | 'operations'>,
  after: Pick<Contract, 'requirements' | 'operations'>,
): RequirementChange[] {
  const old = new Map(before.requirements.map((each) => [each.id, each]));
  const ids = new Set(after.requirements.map(({ id }) => id));
  const [oldSchemas, schemas] = [placesOf(before), placesOf(after)];
  const kept = after.requirements.flatMap((now): RequirementChange[] => {
    const known = old.get(now.id);
    if (!known) return [{ id: now.id, change: 'appears', after: now }];
    const change = together([
      byLevel(known.level, now.level),
      byPlace(oldSchemas.get(now.id), schemas.get(now.id)),
    ]);
    if (change === undefined && known.statement === now.statement) return [];
    return [{ id: now.id, change: change ?? 'changes', before: known, after: now }];
  });
  const gone = before.requirements.filter(({ id }) => !ids.has(id));
  return [...kept, ...gone.map((each): RequirementChange => ({ id: each.id, change: 'goes', before: each }))];
}

function byLevel(before: Level, after: Level): Direction | undefined {
  if (before === after) return undefined;
  return RANKS[after] > RANKS[before] ? 'tightens' : 'loosens';
}

/** The schema that a requirement is about. */
interface Place {
  schema: Schema;
  /** Whether a field has to be there. */
  required: boolean;
}

/** The schemas of the bodies, fields and headers of responses, by the ids of their requirements. */
function placesOf({ operations }: Pick<Contract, 'operations'>): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  const add = (schema: Schema, id: string) => {
    places.set(id, { schema, required: true });
    for (const field of fieldsOf(schema, id)) places.set(field.id, field);
    const entry = schema.items;
    if (entry?.['x-component'] !== undefined) add(entry, entry['x-component']);
  };
  for (const response of operations.flatMap(({ responses }) => responses)) {
    const { schema, bodyRequirement, otherBodies = [], headers } = response;
    if (schema && bodyRequirement !== undefined) add(schema, schema['x-component'] ?? bodyRequirement);
    for (const each of otherBodies) add(each.schema, each.bodyRequirement);
    for (const header of headers)
      places.set(valueRequirement(header), { schema: header.schema, required: header.required });
  }
  return places;
}

function byPlace(before: Place | undefined, after: Place | undefined): Direction | undefined {
  if (!before || !after) return undefined;
  const required = Number(after.required) - Number(before.required);
  return together([
    required === 0 ? undefined : required > 0 ? 'tightens' : 'loosens',
    schemaChange(before.schema, after.schema),
  ]);
}
