import type { Schema } from '../../model/contract.ts';

/** Keywords that say something about a schema but restrict nothing: those of the schema itself count. */
const ANNOTATIONS = new Set([
  ...['description', 'default', 'example', 'deprecated', 'x-section', 'x-component', 'x-level'],
]);

/** Keywords that have no meaning without each other. */
const GROUPS = [
  ['if', 'then', 'else'],
  ['prefixItems', 'items'],
  ['contains', 'minContains', 'maxContains'],
] as const;

/**
 * The parts of an `allOf` and what is beside it as one schema, so that each field is in one place. What cannot be merged
 * stays in `allOf`: it is judged, and nothing is derived from it. Where the merged schema would be stricter than all parts
 * together, it is more lenient.
 */
export function merged(own: Schema, parts: readonly Schema[]): Schema {
  let whole: Record<string, unknown> = { ...own };
  const left: Schema[] = [];
  for (const part of parts) {
    if (part['x-circular']) {
      left.push(part);
      continue;
    }
    const { properties, required, 'x-component': _name, 'x-section': _section, ...others } = part;
    const apart = clashingGroups(whole, others);
    const clashing: Record<string, unknown> = {};
    for (const [keyword, value] of Object.entries(others)) {
      if (NOT_MERGED.has(keyword)) continue;
      if (apart.has(keyword)) clashing[keyword] = value;
      else if (whole[keyword] === undefined) whole[keyword] = value;
      else if (keyword === 'allOf') left.push(...(value as Schema[]));
      else if (!ANNOTATIONS.has(keyword) && whole[keyword] !== value) clashing[keyword] = value;
    }
    if (Object.keys(clashing).length > 0)
      left.push({ ...(part.type === undefined ? {} : { type: part.type }), ...clashing });
    const again = sharedFields(properties, whole.properties as Schema['properties']);
    if (again) left.push({ properties: again });
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
  const kept = Array.isArray(whole.allOf) ? [...(whole.allOf as Schema[]), ...left] : left;
  const isNullable = own['x-nullable'] === true || parts.every((each) => each['x-nullable'] === true);
  const { allOf: _allOf, 'x-nullable': _nullable, additionalProperties: _extra, ...rest } = whole;
  const extra = additional(own, parts);
  const others = [...new Set([own, ...parts].flatMap((each) => each['x-other-direction'] ?? []))];
  return {
    ...rest,
    ...(extra === undefined ? {} : { additionalProperties: extra }),
    ...(others.length > 0 ? { 'x-other-direction': others } : {}),
    ...(isNullable ? { 'x-nullable': true } : {}),
    ...(kept.length > 0 ? { allOf: kept } : {}),
  };
}

/** Keywords that are not taken from a part as they are. */
const NOT_MERGED = new Set(['additionalProperties', 'x-nullable', 'x-other-direction']);

/** Keywords that stay with the part: those of a group about which both schemas say something, and not the same. */
function clashingGroups(whole: Readonly<Record<string, unknown>>, part: Schema): Set<string> {
  const clashing = GROUPS.filter(
    (group) =>
      group.some((keyword) => whole[keyword] !== undefined) &&
      group.some((keyword) => part[keyword] !== undefined && part[keyword] !== whole[keyword]),
  );
  return new Set<string>(clashing.flat());
}

/**
 * What other properties have to be. Each of several parts speaks of its own properties, so that nothing with those of the
 * others could fulfill it.
 */
function additional(own: Schema, parts: readonly Schema[]): unknown {
  const [part, ...others] = parts;
  if (own.additionalProperties !== undefined)
    return own.additionalProperties === false ? undefined : own.additionalProperties;
  const isAlone = others.length === 0 && !own.properties && !own.patternProperties;
  return isAlone ? part?.additionalProperties : undefined;
}

/** The fields of a part that another part describes in another way. Both schemas hold. */
function sharedFields(
  fields: Schema['properties'] = {},
  earlier: Schema['properties'] = {},
): Schema['properties'] | undefined {
  const shared = Object.entries(fields).filter(
    ([name, schema]) => Object.hasOwn(earlier, name) && earlier[name] !== schema,
  );
  return shared.length > 0 ? Object.fromEntries(shared) : undefined;
}
