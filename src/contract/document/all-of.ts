import type { Schema } from '../../model/contract.ts';

/** Keywords that describe a schema and restrict nothing: those of the schema itself count. */
const ANNOTATIONS = new Set([
  ...['description', 'default', 'example', 'deprecated', 'x-section', 'x-component', 'x-level'],
  'x-named-by',
]);

/** Keywords that only have a meaning together. */
const GROUPS = [
  ['if', 'then', 'else'],
  ['prefixItems', 'items'],
  ['contains', 'minContains', 'maxContains'],
] as const;

/**
 * Merges the parts of an `allOf` and the keywords beside it into one schema, so that each field is in one place. What cannot be
 * merged stays in `allOf`: it is judged, and nothing is derived from it. Where the merged schema would be stricter than all
 * parts together, it is more lenient.
 */
export function merged(base: Schema, parts: readonly Schema[]): Schema {
  let whole: Record<string, unknown> = { ...base };
  const unmerged: Schema[] = [];
  for (const part of parts) {
    if (part['x-circular']) {
      unmerged.push(part);
      continue;
    }
    const { properties, required, 'x-component': _name, 'x-section': _section, ...keywords } = part;
    const apart = clashingGroups(whole, keywords);
    const clashing: Record<string, unknown> = {};
    for (const [keyword, value] of Object.entries(keywords)) {
      if (NOT_MERGED.has(keyword)) continue;
      if (apart.has(keyword)) clashing[keyword] = value;
      else if (whole[keyword] === undefined) whole[keyword] = value;
      else if (keyword === 'allOf') for (const member of value as Schema[]) unmerged.push(member);
      else if (!ANNOTATIONS.has(keyword) && whole[keyword] !== value) clashing[keyword] = value;
    }
    if (Object.keys(clashing).length > 0)
      unmerged.push({ ...(part.type === undefined ? {} : { type: part.type }), ...clashing });
    const again = sharedFields(properties, whole.properties as Schema['properties']);
    if (again) unmerged.push({ properties: again });
    whole = {
      ...whole,
      ...(properties || whole.properties
        ? { properties: { ...properties, ...(whole.properties as Schema['properties']) } }
        : {}),
      ...(required || whole.required
        ? { required: [...new Set([...((whole.required as string[]) ?? []), ...(required ?? [])])] }
        : {}),
    };
  }
  const kept = Array.isArray(whole.allOf) ? [...(whole.allOf as Schema[]), ...unmerged] : unmerged;
  const isNullable = base['x-nullable'] === true || areNullable(parts);
  const { allOf: _allOf, 'x-nullable': _nullable, additionalProperties: _extra, ...rest } = whole;
  const { extra, isWhole } = additional([base, ...parts], whole);
  const otherDirection = [
    ...new Set([base, ...parts].flatMap((schema) => schema['x-other-direction'] ?? [])),
  ];
  return {
    ...rest,
    ...(extra === undefined ? {} : { additionalProperties: extra }),
    ...(otherDirection.length > 0 ? { 'x-other-direction': otherDirection } : {}),
    ...(isNullable ? { 'x-nullable': true } : {}),
    ...(kept.length > 0 ? { allOf: kept } : {}),
    ...(isWhole ? {} : { 'x-unjudged': true }),
  };
}

/** Keywords that are not copied from a part. */
const NOT_MERGED = new Set(['additionalProperties', 'x-nullable', 'x-other-direction']);

/** Keywords that stay with the part: those of a group for which both schemas have keywords that differ. */
function clashingGroups(whole: Readonly<Record<string, unknown>>, part: Schema): Set<string> {
  const clashing = GROUPS.filter(
    (group) =>
      group.some((keyword) => whole[keyword] !== undefined) &&
      group.some((keyword) => part[keyword] !== undefined && part[keyword] !== whole[keyword]),
  );
  return new Set<string>(clashing.flat());
}

/** Whether all parts allow null, and one of them says so. */
function areNullable(parts: readonly Schema[]): boolean {
  return parts.some((part) => part['x-nullable'] === true) && parts.every(allowsNull);
}

function allowsNull(schema: Schema): boolean {
  if (schema['x-nullable'] === true || schema.type === 'null') return true;
  if (schema.type !== undefined || schema['x-types'] || schema.enum) return false;
  return [schema.anyOf, schema.oneOf].every(
    (members) => !Array.isArray(members) || (members as Schema[]).some(allowsNull),
  );
}

/**
 * The schema of properties that none of several schemas names, and whether it is all they say of them. Each means its own
 * properties, so that no value could fulfill it together with those of the others: one counts only if it knows all properties.
 */
function additional(schemas: readonly Schema[], whole: Schema): { extra?: unknown; isWhole: boolean } {
  const closed = schemas.filter(({ additionalProperties: extra }) => extra !== undefined && extra !== true);
  const [first] = closed.filter((candidate) =>
    schemas.every((schema) => schema === candidate || isKnown(schema, candidate)),
  );
  const [base] = schemas;
  const stated = base?.additionalProperties;
  // A schema applies to unnamed properties, and another part may name more.
  const extra =
    first && first.patternProperties === whole.patternProperties
      ? first.additionalProperties
      : stated === false
        ? undefined
        : stated;
  const isWhole = closed.every(({ additionalProperties }) => additionalProperties === extra);
  return extra === undefined ? { isWhole } : { extra, isWhole };
}

/** Keywords by which a schema may allow properties that it does not name itself. */
const OPENING = [
  ...['patternProperties', 'additionalProperties', 'allOf', 'anyOf', 'oneOf', 'if', 'then', 'else'],
  ...['propertyNames', 'x-circular'],
];

/** Whether a schema says nothing about properties that another one does not name. */
function isKnown(schema: Schema, { properties = {} }: Schema): boolean {
  const isSilent = OPENING.every(
    (keyword) =>
      schema[keyword] === undefined || (keyword === 'additionalProperties' && schema[keyword] === false),
  );
  const names = [...Object.keys(schema.properties ?? {}), ...(schema.required ?? [])];
  return isSilent && names.every((name) => Object.hasOwn(properties, name));
}

/** The fields of a part that an earlier part describes differently. Both schemas hold. */
function sharedFields(
  fields: Schema['properties'] = {},
  earlier: Schema['properties'] = {},
): Schema['properties'] | undefined {
  const shared = Object.entries(fields).filter(
    ([name, schema]) => Object.hasOwn(earlier, name) && earlier[name] !== schema,
  );
  return shared.length > 0 ? Object.fromEntries(shared) : undefined;
}
