import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js';
import { ajvWith } from '../../model/ajv.ts';
import type { Schema } from '../../model/contract.ts';
import { parseHttpDate } from '../../model/http/http-date.ts';
import type { Json } from '../../model/json.ts';
import { fits, isMember } from './number-rule.ts';
import { forAjv, type SchemaOmissions } from './schema-for-ajv.ts';
import { countSteps, matcherOf } from './time-limits.ts';

/**
 * Calendar, ordinal and week dates with a time, basic or extended, with or without a zone (ISO 8601). Hour 24 is
 * only midnight at the end of a day. A zone west of UTC begins with a minus sign (U+2212) or a hyphen.
 */
const ISO_8601 =
  /^(?:\d{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])|W(?:0[1-9]|[1-4]\d|5[0-3])-[1-7]|(?:00[1-9]|0[1-9]\d|[12]\d\d|3[0-5]\d|36[0-6]))T(?:(?:[01]\d|2[0-3])(?::[0-5]\d(?::(?:[0-5]\d|60))?)?(?:[.,]\d+)?|24(?::00(?::00)?)?(?:[.,]0+)?)(?:Z|[+\-−][01]\d(?::[0-5]\d)?)?|\d{4}(?:(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])|W(?:0[1-9]|[1-4]\d|5[0-3])[1-7]|(?:00[1-9]|0[1-9]\d|[12]\d\d|3[0-5]\d|36[0-6]))T(?:(?:[01]\d|2[0-3])(?:[0-5]\d(?:[0-5]\d|60)?)?(?:[.,]\d+)?|24(?:00(?:00)?)?(?:[.,]0+)?)(?:Z|[+\-−][01]\d(?:[0-5]\d)?)?)$/i;

/**
 * What ajv-formats is lenient about: the grammar of RFC 3339 section 5.6, by which JSON Schema defines these formats, has a T
 * between date and time, and an offset with a colon.
 */
const RFC_3339 = {
  'date-time': /^.{10}t.*(?:z|[+-]\d\d:\d\d)$/i,
  time: /(?:z|[+-]\d\d:\d\d)$/i,
} as const;

let loaded: Ajv2020 | undefined;

/** Loaded for the first judged value: a dry run judges none. */
function ajv(): Ajv2020 {
  if (loaded) return loaded;
  loaded = ajvWith({
    allErrors: true,
    strict: false,
    validateFormats: true,
    verbose: true,
    // Without it every object has a property `constructor`.
    ownProperties: true,
    // Without it, validators with keywords of petspec keep ajv, which keeps all that it compiled.
    passContext: true,
    code: { optimize: false, regExp: Object.assign(matcherOf, { code: 'matcherOf' }) },
  })
    .removeKeyword('uniqueItems')
    .addKeyword({
      ...{ keyword: 'uniqueItems', type: 'array', schemaType: 'boolean', errors: false },
      validate: (isAsked: boolean, entries: readonly Json[]) => !isAsked || areUnique(entries),
    })
    .addFormat('http-date', (text: string) => parseHttpDate(text, 0) !== undefined)
    .addFormat('iso-8601-timestamp', (text: string) => ISO_8601.test(text) && isRealDay(text))
    .addKeyword({ keyword: 'x-branches', schemaType: 'number', validate: countSteps, errors: false })
    .addKeyword({ keyword: 'x-number', schemaType: 'object', validate: fits, errors: false })
    .addKeyword({ keyword: 'x-members', schemaType: 'array', validate: isMember, errors: false });
  for (const [name, isOfFormat] of Object.entries(LENIENT_FORMATS)) loaded.addFormat(name, isOfFormat);
  for (const [name, form] of Object.entries(RFC_3339)) {
    const { validate } = loaded.formats[name] as { validate: (text: string) => boolean };
    loaded.addFormat(name, (text: string) => form.test(text) && validate(text));
  }
  // Only unevaluated keywords, which are not judged, need evaluated properties, and tracking these fails for some valid
  // schemas.
  loaded.opts.unevaluated = false;
  return loaded;
}

/** Whether a calendar or ordinal date exists: no 30 February, no day 366 outside leap years. */
function isRealDay(text: string): boolean {
  const [date = ''] = text.split(/t/i);
  const digits = date.replaceAll('-', '');
  const year = Number(digits.slice(0, 4));
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  if (digits.length === 7 && !/w/i.test(digits)) return Number(digits.slice(4)) <= (isLeap ? 366 : 365);
  if (/w/i.test(digits)) return true;
  const [month, day] = [Number(digits.slice(4, 6)), Number(digits.slice(6, 8))];
  return day <= new Date(Date.UTC(2000 + (isLeap ? 0 : 1), month, 0)).getUTCDate();
}

/** A schema, compiled. */
interface Compiled {
  validate: ValidateFunction;
  hasPatterns: boolean;
}

/** By schema, then by what is left out. */
const compiled = new WeakMap<Schema, Map<string, Compiled>>();
/** By content: each operation has its own copy of a shared schema. */
const compiledContents = new Map<string, Compiled>();

/** Total length of the schemas that are remembered by content, in characters. */
const MAX_CONTENT = 4 * 1024 * 1024;
let contentLeft = MAX_CONTENT;

/** The validator of a schema. */
export function compiledOf(schema: Schema, leftOut: SchemaOmissions): Compiled {
  const byOmissions = compiled.get(schema) ?? new Map<string, Compiled>();
  compiled.set(schema, byOmissions);
  const { unjudged = [], areBranchesLost = false } = leftOut;
  const name = [areBranchesLost, ...[...unjudged].sort()].join('\n');
  const compiledSchema = byOmissions.get(name) ?? compile(forAjv(schema, leftOut));
  byOmissions.set(name, compiledSchema);
  return compiledSchema;
}

function compile(content: Record<string, unknown>): Compiled {
  const key = JSON.stringify(content);
  const cached = compiledContents.get(key);
  if (cached) return cached;
  if (contentLeft < key.length) forgetContents();
  contentLeft -= key.length;
  const result = { validate: ajv().compile(content), hasPatterns: key.includes('"pattern') };
  compiledContents.set(key, result);
  return result;
}

/** Also forgets ajv, which keeps all that it compiled. The validators of schemas in use are kept with these schemas. */
function forgetContents(): void {
  compiledContents.clear();
  loaded = undefined;
  contentLeft = MAX_CONTENT;
}

const ATOM = "[\\w!#$%&'*+/=?^`{|}~\\u{80}-\\u{10ffff}-]+";
const LABEL = '[a-z0-9\\u{80}-\\u{10ffff}](?:[a-z0-9\\u{80}-\\u{10ffff}-]{0,61}[a-z0-9\\u{80}-\\u{10ffff}])?';

/** A mailbox (RFC 5321 section 4.1.2): its domain may be one label, or an address. RFC 6531 allows more characters. */
const MAILBOX = new RegExp(
  `^(?:${ATOM}(?:\\.${ATOM})*|"(?:[^"\\\\\\r\\n]|\\\\[^\\r\\n])*")@(?:${LABEL}(?:\\.${LABEL})*|\\[[^\\[\\]\\s]+\\])$`,
  'iu',
);

/** A duration (ISO 8601). RFC 3339 has no fractions and signs, but many libraries write them. */
const DURATION =
  /^[+-]?P(?=[\dT])(?:\d+(?:[.,]\d+)?Y)?(?:\d+(?:[.,]\d+)?M)?(?:\d+(?:[.,]\d+)?W)?(?:\d+(?:[.,]\d+)?D)?(?:T(?=\d)(?:\d+(?:[.,]\d+)?H)?(?:\d+(?:[.,]\d+)?M)?(?:\d+(?:[.,]\d+)?S)?)?$/;

/**
 * OpenAPI 3.0 only says base64, which has a variant for URLs, both with optional padding (RFC 4648). There is one way to match
 * each blank: with two, a megabyte of them takes minutes.
 */
const BASE64 = /^[\w+/\s-]*(?:={1,2}\s*)?$/;

/** Formats on which implementations differ, as lenient as the standards allow: a text that fits by no reading is reported. */
const LENIENT_FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  byte: (text) => BASE64.test(text),
  duration: (text) => DURATION.test(text),
  email: (text) => MAILBOX.test(text),
};

/** Gives equal JSON values the same number: numbers by value, members in any order. Each value is visited once. */
class Numbering {
  /** By content: a text, or the numbers of the values inside. */
  readonly #byContent = new Map<string, number>();
  readonly #known = new Map<object, number>();

  numberOf(value: Json): number {
    if (typeof value !== 'object' || value === null) return this.#numbered(scalar(value));
    const cached = this.#known.get(value);
    if (cached !== undefined) return cached;
    const number = this.#numbered(
      Array.isArray(value)
        ? `[${value.map((item) => this.numberOf(item)).join()}]`
        : `{${Object.keys(value)
            .sort()
            .map((name) => `${JSON.stringify(name)}:${this.numberOf(value[name] ?? null)}`)
            .join()}}`,
    );
    this.#known.set(value, number);
    return number;
  }

  #numbered(content: string): number {
    const number = this.#byContent.get(content) ?? this.#byContent.size;
    this.#byContent.set(content, number);
    return number;
  }
}

/** Equal numbers have the same text, also as bigints, and so does a negative zero. */
function scalar(value: Exclude<Json, object> | null): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return Number.isInteger(value) ? String(BigInt(value as number)) : String(value);
}

let numbering = new Numbering();

/** Forgets the values of earlier judgments, which only take memory. */
export function forgetNumbers(): void {
  numbering = new Numbering();
}

/** Whether no two entries are equal. ajv compares each pair of objects, which takes minutes for some ten thousand. */
function areUnique(entries: readonly Json[]): boolean {
  return (
    entries.length < 2 || new Set(entries.map((entry) => numbering.numberOf(entry))).size === entries.length
  );
}
