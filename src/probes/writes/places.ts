import { isObject } from '../../contract/schema.ts';
import type { Schema } from '../../model/contract.ts';
import { isLate } from '../../model/probe.ts';

/** A field of a body or of an object inside it, or the first entry of a list. */
export interface Place {
  /** Names of fields; 0 for the first entry of a list. */
  path: readonly (string | 0)[];
  /** The path in words: `lines[0].sku`. */
  words: string;
  schema: Schema;
  kind: 'required' | 'optional' | 'entry';
}

/** A body may describe thousands of fields. */
const MAX_PLACES = 500;

/**
 * The fields that a schema describes, and the first entries of its lists, those of the body itself first.
 * @param depth the most parts of a path
 */
export function placesIn(schema: Schema, depth: number): Place[] {
  const places: Place[] = [];
  let level = insideOf({ schema, path: [] });
  for (let turn = 0; turn < depth && level.length > 0; turn += 1) {
    places.push(...level.slice(0, MAX_PLACES - places.length));
    level = places.length < MAX_PLACES ? level.flatMap(insideOf) : [];
  }
  return places;
}

/** The fields of an object, or the first entry of a list. */
function insideOf({ schema, path }: Pick<Place, 'schema' | 'path'>): Place[] {
  const { properties = {}, required = [], items } = schema;
  const place = (part: string | 0, inner: Schema, kind: Place['kind']): Place => {
    const deeper = [...path, part];
    return { path: deeper, words: wordsFor(deeper), schema: inner, kind };
  };
  if (items) return [place(0, items, 'entry')];
  return Object.entries(properties).map(([name, field]) =>
    place(name, field, required.includes(name) ? 'required' : 'optional'),
  );
}

function wordsFor(path: Place['path']): string {
  return path.map((part, index) => (part === 0 ? '[0]' : `${index === 0 ? '' : '.'}${part}`)).join('');
}

/** A body with another value at a place; undefined if the body lacks what is around it. */
export function withValueAt(body: unknown, path: Place['path'], value: unknown): unknown {
  return changedAt(body, path, () => value);
}

/** A body without the field at a place; undefined if the body lacks what is around it. */
export function withoutAt(body: unknown, path: Place['path']): unknown {
  const name = path.at(-1);
  return changedAt(body, path.slice(0, -1), (object) =>
    isObject(object) && !isLate(object)
      ? Object.fromEntries(Object.entries(object).filter(([field]) => field !== name))
      : undefined,
  );
}

/** @param change undefined if it does not apply */
function changedAt(
  value: unknown,
  [part, ...deeper]: Place['path'],
  change: (value: unknown) => unknown,
): unknown {
  if (part === undefined) return change(value);
  if (isLate(value)) return undefined;
  if (Array.isArray(value) && part === 0 && value.length > 0) {
    const [first, ...others] = value;
    const changed = changedAt(first, deeper, change);
    return changed === undefined ? undefined : [changed, ...others];
  }
  if (part === 0 || !isObject(value)) return undefined;
  const changed = changedAt(value[part], deeper, change);
  return changed === undefined ? undefined : { ...value, [part]: changed };
}
