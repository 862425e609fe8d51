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

/** A pointer to what identifies the first entry of a list, or the one thing of a response. */
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

/** A pointer to the id of what a document describes as one thing, although its path is that of a list. */
export function pointerInOne(operation: Operation, wanted: WantedParameter): string | undefined {
  const schema = shownSchema(operation);
  if (!schema?.properties || listsIn(schema).length > 0) return undefined;
  return pointerInEntry(schema, wanted);
}

/** Whether a document leaves open what a list shows, or describes entries with addresses: then the response itself is searched. */
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
  return entries.some((each) => isUndescribed(each) || fieldsWithAddress(each));
}

function isUndescribed(schema: Schema): boolean {
  if (schema['x-circular'] || schema.properties || schema.enum) return false;
  if (alternativesOf(schema).length > 0) return alternativesOf(schema).some(isUndescribed);
  return (schema.type === undefined || schema.type === 'object') && !schema['x-types'];
}

function fieldsWithAddress(entry: Schema): boolean {
  return [...fieldsOf(entry)].some(
    ([name, { format }]) => /^(?:_?links?|url|uri|href|self)$/.test(bare(name)) || /^uri/.test(format ?? ''),
  );
}

/** How deep in a response a list may be: `_embedded` of HAL, and `result` of others, are around it. */
const MAX_DEPTH = 2;

/** The first entries of the lists in a response, the outermost first. */
function listsIn(schema: Schema): [place: string, entry: Schema][] {
  const found: [string, Schema][] = [];
  let level: [string, Schema][] = [['', schema]];
  for (let depth = 0; depth <= MAX_DEPTH; depth += 1) {
    const lists = level.flatMap(([place, { items }]): [string, Schema][] =>
      items ? [[place + pointerOf([0]), items]] : [],
    );
    found.push(...lists);
    // Some services have a list of envelopes with lists in them.
    level = [...level, ...lists].flatMap(([place, each]) =>
      Object.entries(each.properties ?? {}).map(([name, field]): [string, Schema] => [
        place + pointerOf([name]),
        field,
      ]),
    );
  }
  return found;
}

/** Where an entry shows what identifies it: in a field, in a field of the field that the parameter names, or as a whole. */
function pointerInEntry(entry: Schema, wanted: WantedParameter): string | undefined {
  if (entry.type === 'string' || entry.type === 'integer') return '';
  const fields = fieldsOf(entry);
  const names = [...fields.keys()];
  const name = identifying(names, wanted);
  const field = name === undefined ? undefined : fields.get(name);
  if (name !== undefined && field?.type !== 'object') return pointerOf([name]);
  if (name !== undefined && field) {
    const inner = [...fieldsOf(field)].filter(([, each]) => each.type === (wanted.type ?? each.type));
    const own = ['login', ...OTHER_KEYS, 'id'].find((each) => inner.some(([key]) => bare(key) === each));
    const found = inner.find(([key]) => bare(key) === own);
    return found && pointerOf([name, found[0]]);
  }
  for (const around of wrapping(names, wanted)) {
    const inside = fieldsOf(fields.get(around) ?? {});
    const key = identifying([...inside.keys()], wanted);
    if (key !== undefined && !inside.get(key)?.properties) return pointerOf([around, key]);
  }
  return undefined;
}

/** The fields that an entry has, or may have. */
function fieldsOf(entry: Schema): Map<string, Schema> {
  const schemas = [entry, ...alternativesOf(entry)];
  return new Map(schemas.toReversed().flatMap(({ properties = {} }) => Object.entries(properties)));
}

/** Fields of a response that are looked at, and how deep, so that documents with large schemas are read in time. */
const MAX_FIELDS = 2_000;
const MAX_FIELD_DEPTH = 4;

/** A field of a response that may be the value of a parameter of the same name. */
export interface ShownField {
  name: string;
  pointer: string;
  type: string | undefined;
}

/** The texts and numbers that the response of an operation shows under one of these names, in its first entries. */
export function fieldsNamed(operation: Operation, names: ReadonlySet<string>): ShownField[] {
  const schema = shownSchema(operation);
  const found: ShownField[] = [];
  const level: { place: readonly (string | number)[]; schema: Schema }[] = schema
    ? [{ place: [], schema }]
    : [];
  for (const { place, schema: own } of level) {
    if (level.length > MAX_FIELDS || place.length > 2 * MAX_FIELD_DEPTH || own['x-circular']) continue;
    if (own.items) level.push({ place: [...place, 0], schema: own.items });
    for (const [name, field] of fieldsOf(own)) {
      const { type } = field;
      if (!field.items && !field.properties && type !== 'object' && names.has(bare(name)))
        found.push({ name: bare(name), pointer: pointerOf([...place, name]), type });
      else level.push({ place: [...place, name], schema: field });
    }
  }
  return found;
}
