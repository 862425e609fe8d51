import type { Contract, Level, Requirement, Schema } from '../model/contract.ts';
import { RANKS, valueRequirement } from './requirements.ts';
import { fieldsOf } from './schema.ts';

/** A requirement that differs between two versions of an interface. */
export interface RequirementChange {
  id: string;
  /** `changes`: it asks for something else; `rewords`: only the words differ. */
  change: 'appears' | 'goes' | 'rewords' | ChangeDirection;
  before?: Requirement;
  after?: Requirement;
  /** Whether its value is required by the newer version. Absent if it is not about a value. */
  isRequired?: boolean | undefined;
}

/** The schema of the value of a requirement. */
export interface RequirementSchema {
  schema: Schema;
  required: boolean;
}

/** The requirements of a version, and the schemas of their values by id. */
export interface VersionRequirements {
  requirements: readonly Requirement[];
  places: ReadonlyMap<string, RequirementSchema>;
}

/**
 * The differences between two versions: in the order of the newer one, then what is gone. A requirement whose schema allows
 * less tightens.
 */
export function changesBetween(before: VersionRequirements, after: VersionRequirements): RequirementChange[] {
  const old = new Map(before.requirements.map((requirement) => [requirement.id, requirement]));
  const ids = new Set(after.requirements.map(({ id }) => id));
  const kept = after.requirements.flatMap((now): RequirementChange[] => {
    const earlier = old.get(now.id);
    const place = after.places.get(now.id);
    const shared = { id: now.id, after: now, isRequired: place?.required };
    if (!earlier) return [{ ...shared, change: 'appears' }];
    const change = combined([byLevel(earlier.level, now.level), byPlace(before.places.get(now.id), place)]);
    if (change === undefined && earlier.statement === now.statement) return [];
    return [{ ...shared, change: change ?? 'rewords', before: earlier }];
  });
  const gone = before.requirements.filter(({ id }) => !ids.has(id));
  return [
    ...kept,
    ...gone.map(
      (requirement): RequirementChange => ({ id: requirement.id, change: 'goes', before: requirement }),
    ),
  ];
}

/** The requirements of a version for a service. */
export function askedOfService(contract: Pick<Contract, 'requirements' | 'operations'>): VersionRequirements {
  return { requirements: contract.requirements, places: placesOf(contract) };
}

function byLevel(before: Level, after: Level): ChangeDirection | undefined {
  if (before === after) return undefined;
  return RANKS[after] > RANKS[before] ? 'tightens' : 'loosens';
}

/** The schemas of bodies, fields and headers of responses, by requirement id. */
function placesOf({ operations }: Pick<Contract, 'operations'>): ReadonlyMap<string, RequirementSchema> {
  const places = new Map<string, RequirementSchema>();
  const add = (schema: Schema, id: string) => {
    places.set(id, { schema, required: true });
    for (const field of fieldsOf(schema, id)) places.set(field.id, field);
    const entry = schema.items;
    if (entry?.['x-component'] !== undefined) add(entry, entry['x-component']);
  };
  for (const response of operations.flatMap(({ responses }) => responses)) {
    const { schema, bodyRequirement, otherBodies = [], headers } = response;
    if (schema && bodyRequirement !== undefined) add(schema, schema['x-component'] ?? bodyRequirement);
    for (const body of otherBodies) add(body.schema, body.bodyRequirement);
    for (const header of headers)
      places.set(valueRequirement(header), { schema: header.schema, required: header.required });
  }
  return places;
}

function byPlace(
  before: RequirementSchema | undefined,
  after: RequirementSchema | undefined,
): ChangeDirection | undefined {
  if (!before || !after) return undefined;
  const required = Number(after.required) - Number(before.required);
  return combined([
    required === 0 ? undefined : required > 0 ? 'tightens' : 'loosens',
    schemaChange(before.schema, after.schema),
  ]);
}

/** How a requirement changes: it allows less, more, or something else. */
export type ChangeDirection = 'tightens' | 'loosens' | 'changes';

/** Keywords with which a smaller number allows less. */
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties', 'maxContains'];

/** Keywords with which a larger number allows less. */
const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties', 'minContains'];

/** Keywords that allow less than their absence, and whose values cannot be compared. */
const NARROWING = [
  ...['format', 'pattern', 'const', 'multipleOf', 'not', 'allOf', 'contains', 'x-equals'],
  ...['propertyNames', 'dependentRequired', 'dependentSchemas', 'prefixItems'],
];

/** Keywords that list what is allowed: without them, everything is allowed. */
const ALTERNATIVES = ['enum', 'oneOf', 'anyOf'];

/**
 * How the values that a schema allows change, by the keywords of its own place: its fields are separate requirements. Undefined
 * if they do not change.
 */
export function schemaChange(before: Schema, after: Schema): ChangeDirection | undefined {
  return combined([
    ...UPPER.map((keyword) => byNumber(before[keyword], after[keyword], -1)),
    ...LOWER.map((keyword) => byNumber(before[keyword], after[keyword], 1)),
    ...NARROWING.map((keyword) => byPresence(before[keyword], after[keyword])),
    ...ALTERNATIVES.map((keyword) => byMembers(before[keyword], after[keyword])),
    byPresence(closedObject(before), closedObject(after)),
    byPresence(before.uniqueItems || undefined, after.uniqueItems || undefined),
    byMembers(typesOf(before), typesOf(after)),
    before.items && after.items && isPlain(before.items) && isPlain(after.items)
      ? schemaChange(before.items, after.items)
      : undefined,
  ]);
}

/** The direction of several changes together. */
function combined(changes: readonly (ChangeDirection | undefined)[]): ChangeDirection | undefined {
  const directions = new Set(changes.filter((change) => change !== undefined));
  return directions.size > 1 ? 'changes' : [...directions][0];
}

/** Whether the entries of a list have no separate requirement. */
function isPlain({ 'x-component': component, properties }: Schema): boolean {
  return component === undefined && properties === undefined;
}

function closedObject({ additionalProperties }: Schema): true | undefined {
  return additionalProperties === false || undefined;
}

/** The types of a value, `null` included; undefined if it may be of any. */
function typesOf(schema: Schema): readonly string[] | undefined {
  const types = schema['x-types'] ?? (schema.type === undefined ? undefined : [schema.type]);
  return types && schema['x-nullable'] ? [...types, 'null'] : types;
}

function byNumber(before: unknown, after: unknown, larger: 1 | -1): ChangeDirection | undefined {
  if (before === after) return undefined;
  if (before === undefined) return 'tightens';
  if (after === undefined) return 'loosens';
  return Math.sign(Number(after) - Number(before)) === larger ? 'tightens' : 'loosens';
}

function byPresence(before: unknown, after: unknown): ChangeDirection | undefined {
  if (JSON.stringify(before) === JSON.stringify(after)) return undefined;
  if (before === undefined) return 'tightens';
  return after === undefined ? 'loosens' : 'changes';
}

function byMembers(before: unknown, after: unknown): ChangeDirection | undefined {
  if (!Array.isArray(before) || !Array.isArray(after)) return byPresence(before, after);
  const [old, now] = [before, after].map(
    (members) => new Set(members.map((member) => JSON.stringify(member))),
  );
  const gone = [...(old ?? [])].some((member) => !now?.has(member));
  const added = [...(now ?? [])].some((member) => !old?.has(member));
  return combined([gone ? 'tightens' : undefined, added ? 'loosens' : undefined]);
}
