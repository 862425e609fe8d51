import type { Contract, Level, Requirement, Schema } from '../model/contract.ts';
import { valueRequirement } from './requirements.ts';
import { fieldsOf } from './schema.ts';

/** A requirement that two versions of an interface do not have alike. */
export interface RequirementChange {
  id: string;
  /** `changes`: it asks for something else; `rewords`: only its words differ. */
  change: 'appears' | 'goes' | 'rewords' | ChangeDirection;
  before?: Requirement;
  after?: Requirement;
  /** Whether what it is about has to be there, by the newer version. Absent if it is not about a value. */
  isRequired?: boolean | undefined;
}

/** The schema that a requirement is about. */
export interface RequirementSchema {
  schema: Schema;
  /** Whether the value has to be there. */
  required: boolean;
}

/** What one version asks for, and the schemas of that by the ids of the requirements. */
export interface VersionRequirements {
  requirements: readonly Requirement[];
  places: ReadonlyMap<string, RequirementSchema>;
}

const RANKS: Readonly<Record<Level, number>> = { open: 0, should: 1, must: 2 };

/**
 * What the newer of two versions asks for, and the older one not or not so: in the order of the newer one, then what is gone. By
 * its schema, a requirement tightens if less is allowed.
 */
export function changesBetween(before: VersionRequirements, after: VersionRequirements): RequirementChange[] {
  const old = new Map(before.requirements.map((requirement) => [requirement.id, requirement]));
  const ids = new Set(after.requirements.map(({ id }) => id));
  const kept = after.requirements.flatMap((now): RequirementChange[] => {
    const earlier = old.get(now.id);
    const place = after.places.get(now.id);
    const shared = { id: now.id, after: now, isRequired: place?.required };
    if (!earlier) return [{ ...shared, change: 'appears' }];
    const change = together([byLevel(earlier.level, now.level), byPlace(before.places.get(now.id), place)]);
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

/** What a version asks of a service. */
export function askedOfService(contract: Pick<Contract, 'requirements' | 'operations'>): VersionRequirements {
  return { requirements: contract.requirements, places: placesOf(contract) };
}

function byLevel(before: Level, after: Level): ChangeDirection | undefined {
  if (before === after) return undefined;
  return RANKS[after] > RANKS[before] ? 'tightens' : 'loosens';
}

/** The schemas of the bodies, fields and headers of responses, by the ids of their requirements. */
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
  return together([
    required === 0 ? undefined : required > 0 ? 'tightens' : 'loosens',
    schemaChange(before.schema, after.schema),
  ]);
}

/** How what a service must do changes: it is allowed less, more, or something else. */
export type ChangeDirection = 'tightens' | 'loosens' | 'changes';

/** Keywords with which a smaller number allows less. */
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties', 'maxContains'];

/** Keywords with which a larger number allows less. */
const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties', 'minContains'];

/** Keywords that allow less than nothing in their place, in ways that cannot be compared. */
const NARROWING = [
  ...['format', 'pattern', 'const', 'multipleOf', 'not', 'allOf', 'contains', 'x-equals'],
  ...['propertyNames', 'dependentRequired', 'dependentSchemas', 'prefixItems'],
];

/** Keywords that list what is allowed: without them, everything is. */
const ALTERNATIVES = ['enum', 'oneOf', 'anyOf'];

/**
 * How a value may differ from what it might be before, by the keywords of its own place: its fields are requirements of their
 * own. Undefined if it is allowed what it was.
 */
export function schemaChange(before: Schema, after: Schema): ChangeDirection | undefined {
  return together([
    ...UPPER.map((keyword) => byNumber(before[keyword], after[keyword], -1)),
    ...LOWER.map((keyword) => byNumber(before[keyword], after[keyword], 1)),
    ...NARROWING.map((keyword) => byPresence(before[keyword], after[keyword])),
    ...ALTERNATIVES.map((keyword) => byMembers(before[keyword], after[keyword])),
    byPresence(closed(before), closed(after)),
    byPresence(before.uniqueItems || undefined, after.uniqueItems || undefined),
    byMembers(typesOf(before), typesOf(after)),
    before.items && after.items && isPlain(before.items) && isPlain(after.items)
      ? schemaChange(before.items, after.items)
      : undefined,
  ]);
}

/** What several changes are together. */
function together(changes: readonly (ChangeDirection | undefined)[]): ChangeDirection | undefined {
  const directions = new Set(changes.filter((change) => change !== undefined));
  return directions.size > 1 ? 'changes' : [...directions][0];
}

/** Whether the entries of a list have no requirement of their own. */
function isPlain({ 'x-component': component, properties }: Schema): boolean {
  return component === undefined && properties === undefined;
}

function closed({ additionalProperties }: Schema): true | undefined {
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
  return together([gone ? 'tightens' : undefined, added ? 'loosens' : undefined]);
}
