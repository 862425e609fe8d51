import { alternativesOf } from '../../contract/schema.ts';
import type { Operation, Schema } from '../../model/contract.ts';
import { pointerOf } from '../../model/json.ts';
import {
  bare,
  identifying,
  OTHER_KEYS,
  type WantedParameter,
  wrapping,
} from '../../requests/learnt/id-names.ts';

/** The schema of the first success that has a body. */
function shownSchema({ responses }: Operation): Schema | undefined {
  return responses.find(({ status, schema }) => status.startsWith('2') && schema)?.schema;
}

/** A pointer to the id of the first entry of a list, or of the one thing in the response (`isOne`). */
export function pointerIn(operation: Operation, wanted: WantedParameter, isOne: boolean): string | undefined {
  const schema = shownSchema(operation);
  if (!schema) return undefined;
  const places = isOne ? [['', schema] as const] : listsIn(schema);
  for (const [place, entry] of places) {
    const inner = pointerInEntry(entry, wanted);
    if (inner !== undefined) return place + inner;
  }
  return undefined;
}

/** A pointer to the id of a single thing, where the document describes one although the path is that of a list. */
export function pointerInOne(operation: Operation, wanted: WantedParameter): string | undefined {
  const schema = shownSchema(operation);
  if (!schema?.properties || listsIn(schema).length > 0) return undefined;
  return pointerInEntry(schema, wanted);
}

/** Whether to search the response for ids: the document does not describe entries, or describes addresses in them. */
export function isSearched(operation: Operation): boolean {
  const { responses } = operation;
  const successes = responses.filter(({ status }) => status.startsWith('2') || status === 'DEFAULT');
  const schema = shownSchema(operation);
  if (!schema)
    return successes.some(
      ({ status, mediaType = 'application/json' }) => status !== '204' && /json/.test(mediaType),
    );
  const lists = listsIn(schema);
  const entries = lists.length > 0 ? lists.map(([, entry]) => entry) : [schema];
  return entries.some((schema) => isUndescribed(schema) || hasAddressField(schema));
}

function isUndescribed(schema: Schema): boolean {
  if (schema['x-circular'] || schema.properties || schema.enum) return false;
  if (alternativesOf(schema).length > 0) return alternativesOf(schema).some(isUndescribed);
  return (schema.type === undefined || schema.type === 'object') && !schema['x-types'];
}

function hasAddressField(entry: Schema): boolean {
  return [...fieldsOf(entry)].some(
    ([name, { format }]) => /^(?:_?links?|url|uri|href|self)$/.test(bare(name)) || /^uri/.test(format ?? ''),
  );
}

/** How deep in a response a list may be: it is within `_embedded` in HAL, or within `result`. */
const MAX_DEPTH = 2;

/** The pointers to and schemas of the first entries of lists in a response, the outermost list first. */
function listsIn(schema: Schema): [place: string, entry: Schema][] {
  const entries: [string, Schema][] = [];
  let level: [string, Schema][] = [['', schema]];
  for (let depth = 0; depth <= MAX_DEPTH; depth += 1) {
    const lists = level.flatMap(([place, { items }]): [string, Schema][] =>
      items ? [[place + pointerOf([0]), items]] : [],
    );
    entries.push(...lists);
    // Some services return lists inside the entries of a list.
    level = [...level, ...lists].flatMap(([place, schema]) =>
      Object.entries(schema.properties ?? {}).map(([name, field]): [string, Schema] => [
        place + pointerOf([name]),
        field,
      ]),
    );
  }
  return entries;
}

/** A pointer to the id in an entry: to a field, to a field inside the one that the parameter names, or to the entry itself. */
function pointerInEntry(entry: Schema, wanted: WantedParameter): string | undefined {
  if (entry.type === 'string' || entry.type === 'integer') return '';
  const fields = fieldsOf(entry);
  const names = [...fields.keys()];
  const name = identifying(names, wanted);
  const field = name === undefined ? undefined : fields.get(name);
  if (name !== undefined && field?.type !== 'object') return pointerOf([name]);
  if (name !== undefined && field) {
    const inner = [...fieldsOf(field)].filter(([, schema]) => schema.type === (wanted.type ?? schema.type));
    const identifier = ['login', ...OTHER_KEYS, 'id'].find((candidate) =>
      inner.some(([key]) => bare(key) === candidate),
    );
    const match = inner.find(([key]) => bare(key) === identifier);
    return match && pointerOf([name, match[0]]);
  }
  for (const around of wrapping(names, wanted)) {
    const inside = fieldsOf(fields.get(around) ?? {});
    const key = identifying([...inside.keys()], wanted);
    if (key !== undefined && !inside.get(key)?.properties) return pointerOf([around, key]);
  }
  return undefined;
}

/** The fields of an entry, including those of its alternatives. */
function fieldsOf(entry: Schema): Map<string, Schema> {
  const schemas = [entry, ...alternativesOf(entry)];
  return new Map(schemas.toReversed().flatMap(({ properties = {} }) => Object.entries(properties)));
}

/** How many fields of a response are looked at, and how deep, so that large schemas take little time. */
const MAX_FIELDS = 2_000;
const MAX_FIELD_DEPTH = 4;

/** A field of a response that may be the value of a parameter with the same name. */
export interface ShownField {
  name: string;
  pointer: string;
  type: string | undefined;
}

/** The scalar fields with one of these names in a response, of lists only in the first entry. */
export function fieldsNamed(operation: Operation, names: ReadonlySet<string>): ShownField[] {
  const schema = shownSchema(operation);
  const shown: ShownField[] = [];
  const level: { place: readonly (string | number)[]; schema: Schema }[] = schema
    ? [{ place: [], schema }]
    : [];
  for (const { place, schema: parent } of level) {
    if (level.length > MAX_FIELDS || place.length > 2 * MAX_FIELD_DEPTH || parent['x-circular']) continue;
    if (parent.items) level.push({ place: [...place, 0], schema: parent.items });
    for (const [name, field] of fieldsOf(parent)) {
      const { type } = field;
      if (!field.items && !field.properties && type !== 'object' && names.has(bare(name)))
        shown.push({ name: bare(name), pointer: pointerOf([...place, name]), type });
      else level.push({ place: [...place, name], schema: field });
    }
  }
  return shown;
}
