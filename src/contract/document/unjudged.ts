import type { Schema } from '../../model/contract.ts';
import { isObject } from '../schema.ts';
import { SUBSCHEMA_LISTS, SUBSCHEMA_MAPS, SUBSCHEMAS } from './keywords.ts';

/** Keywords that reject a value because a schema inside them allows it. */
const STRICT = ['oneOf', 'not', 'if', 'maxContains'] as const;

type StrictKeyword = (typeof STRICT)[number];

/** Whether a schema inside a keyword allows more than the document does. */
export type IsUnjudged = (schema: Schema, keyword: StrictKeyword) => boolean;

/** Whether petspec leaves out a keyword of a schema, or a property of the other direction. */
export function isPartlyJudged(schema: Schema): boolean {
  return schema['x-unjudged'] === true || (schema['x-other-direction'] ?? []).length > 0;
}

/** The patterns that a schema itself states. */
export function patternsOf({ pattern, patternProperties }: Schema): string[] {
  return [...(typeof pattern === 'string' ? [pattern] : []), ...Object.keys(patternProperties ?? {})];
}

/**
 * The keywords of a schema that would reject valid values, because something inside them is not judged: two members of a
 * `oneOf` that differ only by it both fit, for example.
 */
export function tooStrict(schema: Schema, isUnjudged: IsUnjudged): StrictKeyword[] {
  return STRICT.filter((keyword) => {
    if (schema[keyword] === undefined) return false;
    const inside = keyword === 'maxContains' ? schema.contains : schema[keyword];
    const schemas = Array.isArray(inside) ? inside : [inside];
    return schemas.some(
      (member) => isObject(member) && isSomeInside(member, (inner) => isUnjudged(inner, keyword)),
    );
  });
}

/** The words for what petspec leaves out of a schema, at any depth, because something inside is not judged. */
export function leftOut(schema: Schema): Set<string> {
  const words = new Set<string>();
  isSomeInside(schema, (inner) => {
    for (const keyword of tooStrict(inner, ({ 'x-unjudged': unjudged }) => unjudged === true))
      words.add(
        keyword === 'oneOf'
          ? 'a oneOf is judged as anyOf, because it contains something that is not judged'
          : `the keyword ${keyword} is not judged where it applies to something that is not judged`,
      );
    return false;
  });
  return words;
}

/** Whether a schema or one inside it is sought. Each schema is looked at once. */
export function isSomeInside(schema: Schema, isSought: (inner: Schema) => boolean): boolean {
  const seen = new Set<Schema>();
  const next = [schema];
  for (let current = next.pop(); current; current = next.pop()) {
    if (seen.has(current)) continue;
    if (isSought(current)) return true;
    seen.add(current);
    for (const child of inside(current)) next.push(child);
  }
  return false;
}

function inside(schema: Schema): Schema[] {
  const candidates: unknown[] = [
    schema['x-circular'],
    ...SUBSCHEMAS.map((name) => schema[name]),
    ...SUBSCHEMA_LISTS.flatMap((name) => schema[name]),
    ...SUBSCHEMA_MAPS.flatMap((name) => Object.values(schema[name] ?? {})),
  ];
  return candidates.filter(isObject);
}
