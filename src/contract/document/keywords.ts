import type { Schema } from '../../model/contract.ts';
import { written } from '../openapi/reading.ts';
import { isObject } from '../schema.ts';
import { patternMistake, regularExpression } from './patterns.ts';

/** Keywords whose value is a schema. */
export const SUBSCHEMAS = [
  'items',
  'additionalProperties',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
] as const;

/** Keywords whose value is a list of schemas. */
export const SUBSCHEMA_LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'] as const;

/** Keywords whose value is a mapping of schemas. */
export const SUBSCHEMA_MAPS = ['properties', 'patternProperties'] as const;

type IsValid = (value: unknown) => boolean;

const isText: IsValid = (value) => typeof value === 'string';
const isFlag: IsValid = (value) => typeof value === 'boolean';
const isCount: IsValid = (value) => Number.isInteger(value) && Number(value) >= 0;
const areTexts: IsValid = (value) => Array.isArray(value) && value.every(isText);

/** Keywords that are copied if their value has the right form. */
const PLAIN: Readonly<Record<string, IsValid>> = {
  description: isText,
  default: () => true,
  deprecated: isFlag,
  readOnly: isFlag,
  writeOnly: isFlag,
  minLength: isCount,
  maxLength: isCount,
  multipleOf: (value) => Number.isFinite(value) && Number(value) > 0,
  minItems: isCount,
  maxItems: isCount,
  uniqueItems: isFlag,
  minContains: isCount,
  maxContains: isCount,
  minProperties: isCount,
  maxProperties: isCount,
  dependentRequired: (value) => isObject(value) && Object.values(value).every(areTexts),
};

/** Extensions of petspec's. */
const EXTENSIONS: Readonly<Record<string, IsValid>> = {
  'x-section': isText,
  'x-unspecified': areTexts,
  'x-equals': (value) => value === 'http-status',
  'x-reference': isFlag,
  'x-since': (value) => isText(value) || isObject(value),
};

const TYPES = ['string', 'integer', 'number', 'boolean', 'array', 'object', 'null'];

/** The formats that petspec can judge. */
const FORMATS = new Set([
  ...['int32', 'int64', 'float', 'double', 'http-date', 'iso-8601-timestamp', 'date-time', 'date', 'time'],
  ...['duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uri', 'uri-reference', 'uuid', 'byte'],
]);

/** Formats that restrict nothing. */
const HINTS = new Set(['binary', 'password', 'html', 'markdown', 'string', 'text', 'textarea']);

/** Keywords that restrict a value and that petspec does not judge. */
const UNJUDGED = [
  'unevaluatedProperties',
  'unevaluatedItems',
  'dependentSchemas',
  '$dynamicRef',
  '$recursiveRef',
];

/** How to read the keywords of a document. */
export interface Dialect {
  /** Whether the extensions of petspec apply; in other documents they may be somebody else's. */
  areExtended: boolean;
  /** The file and the line of a pattern, if it is found. */
  placeOf: (pattern: string) => string;
}

/**
 * The keywords of a schema that hold no other schema, as in 2020-12: keywords of OpenAPI 3.0 are converted, and several types
 * become one.
 * @param onGap called with what petspec cannot judge
 */
export function keywordsOf(
  source: Readonly<Record<string, unknown>>,
  { areExtended, placeOf }: Dialect,
  onGap: (words: string) => void,
): Schema {
  const schema: Record<string, unknown> = {};
  const leaveOut = (words: string) => {
    schema['x-unjudged'] = true;
    onGap(words);
  };
  const plain = areExtended ? { ...PLAIN, ...EXTENSIONS } : PLAIN;
  for (const [name, fits] of Object.entries(plain)) {
    if (source[name] === undefined) continue;
    if (fits(source[name])) schema[name] = source[name];
    else leaveOut(`the value of ${name} is not valid, so it is not judged`);
  }
  for (const words of mistakesIn(source)) leaveOut(words);
  for (const name of UNJUDGED) if (source[name] !== undefined) leaveOut(`the keyword ${name} is not judged`);
  if (Array.isArray(source.required))
    schema.required = source.required.filter((field) => typeof field === 'string');
  const example = source.example ?? (Array.isArray(source.examples) ? source.examples[0] : undefined);
  if (example !== undefined) schema.example = example;
  const text = textOf(source, placeOf, leaveOut);
  return { ...schema, ...boundsOf(source), ...typeOf(source), ...text };
}

const isBound: IsValid = (value) => typeof value === 'number' || typeof value === 'bigint';
const isSchema: IsValid = (value) => isObject(value) || isFlag(value);
const areSchemas: IsValid = (value) => Array.isArray(value) && value.every(isSchema);
// In YAML, a property without a schema is null.
const areNamedSchemas: IsValid = (value) =>
  isObject(value) && Object.values(value).every((member) => member === null || isSchema(member));

/** The forms of the keywords that are read one by one. Any other form is a mistake of the document. */
const FORMS: Readonly<Record<string, IsValid>> = {
  minimum: isBound,
  maximum: isBound,
  exclusiveMinimum: (value) => isBound(value) || isFlag(value),
  exclusiveMaximum: (value) => isBound(value) || isFlag(value),
  enum: (value) => Array.isArray(value) && value.length > 0,
  nullable: isFlag,
  pattern: isText,
  format: isText,
  // Before 2020-12, `required: false` of a property asked for nothing.
  required: (value) => value === false || areTexts(value),
  ...Object.fromEntries(SUBSCHEMAS.map((name) => [name, isSchema])),
  ...Object.fromEntries(SUBSCHEMA_LISTS.map((name) => [name, areSchemas])),
  ...Object.fromEntries(SUBSCHEMA_MAPS.map((name) => [name, areNamedSchemas])),
  items: (value) => isSchema(value) || areSchemas(value),
};

/** The mistakes of a schema: types and forms that JSON Schema does not have. */
function mistakesIn(source: Readonly<Record<string, unknown>>): string[] {
  const { type } = source;
  const types = (Array.isArray(type) ? type : [type]).filter((name) => name !== undefined);
  // In YAML, null may be written without quotes.
  const unknown = types.filter((name) => !TYPES.some((standard) => standard === (name ?? 'null')));
  const isWrong = (name: string, fits: (value: unknown) => boolean) =>
    source[name] !== undefined && !fits(source[name]) ? [name] : [];
  const wrong = Object.entries(FORMS).flatMap(([name, fits]) => isWrong(name, fits));
  return [
    ...unknown.map((name) => `the type '${written(name)}' is none of JSON Schema, so it is not judged`),
    ...wrong.map((name) => `the value of ${name} is not valid, so it is not judged`),
  ];
}

function textOf(
  { format, pattern, contentMediaType }: Readonly<Record<string, unknown>>,
  placeOf: Dialect['placeOf'],
  onGap: (words: string) => void,
): Schema {
  const schema: Record<string, unknown> = {};
  if (typeof format === 'string' && FORMATS.has(format)) schema.format = format;
  else if (typeof format === 'string' && HINTS.has(format)) schema['x-unjudged'] = true;
  else if (typeof format === 'string') onGap(`the format '${format}' is not judged`);
  if (format === 'binary' || typeof contentMediaType === 'string') schema['x-binary'] = true;
  if (typeof pattern !== 'string') return schema;
  if (regularExpression(pattern)) return { ...schema, pattern };
  onGap(`${placeOf(pattern)}${patternMistake(pattern)}`);
  return schema;
}

/** In OpenAPI 3.0, an exclusive bound is a bound with `true` beside it. */
function boundsOf(source: Readonly<Record<string, unknown>>): Schema {
  const bounds: Record<string, unknown> = {};
  for (const [bound, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    if (typeof source[bound] === 'number')
      bounds[source[exclusive] === true ? exclusive : bound] = source[bound];
    if (typeof source[exclusive] === 'number') bounds[exclusive] = source[exclusive];
  }
  return bounds;
}

/** The type or types, whether null is also allowed, and the members of an enumeration. */
function typeOf(source: Readonly<Record<string, unknown>>): Schema {
  const { type, nullable, enum: members } = source;
  const stated = (Array.isArray(type) ? type : [type]).filter(
    (name): name is string => typeof name === 'string' && TYPES.includes(name),
  );
  const types = stated.filter((name) => name !== 'null');
  const values = Array.isArray(members) ? members : source.const === undefined ? [] : [source.const];
  const nonNull = values.filter((value) => value !== null);
  const mayBeNull = values.length > nonNull.length;
  const isNull = (stated.length > 0 && types.length === 0) || (mayBeNull && nonNull.length === 0);
  const isNullable = !isNull && (nullable === true || stated.length > types.length || mayBeNull);
  if (isNull) return { type: 'null' };
  return {
    ...(types.length === 1 && types[0] !== undefined ? { type: types[0] } : {}),
    ...(types.length > 1 ? { 'x-types': types } : {}),
    ...(isNullable ? { 'x-nullable': true } : {}),
    ...(nonNull.length > 0 ? { enum: nonNull } : {}),
  };
}
