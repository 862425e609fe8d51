import { describe, shapeOf } from '../../contract/describe.ts';
import { headerRequirement, valueRequirement } from '../../contract/requirements.ts';
import { membersOf, typesOf } from '../../contract/schema.ts';
import type { BrokenKeyword } from '../../contract/validation/broken-keyword.ts';
import { schemaErrors } from '../../contract/validation/schema-validator.ts';
import { violationWords } from '../../contract/validation/violation-words.ts';
import type { Header, Operation, Schema } from '../../model/contract.ts';
import { type HeaderLine, headerValues, listMembers } from '../../model/exchange.ts';
import type { Deviation } from '../../model/finding.ts';
import { type Json, parseJson, pointerOf } from '../../model/json.ts';
import { rememberingLast } from '../../model/remembering.ts';
import type { JudgedPart } from '../evidence/judged.ts';

/** The headers that a response with this status should have. For an undocumented status: those that all documented responses share. */
export function headersFor(operation: Operation, status: string | undefined): readonly Header[] {
  const documented = operation.responses.find((response) => response.status === status);
  if (documented) return documented.headers;
  // A framework or a gateway that sends an undocumented refusal may not know the service's headers.
  if (operation.mayRefuse) return [];
  const [first, ...others] = operation.responses;
  return (first?.headers ?? []).filter(({ name }) =>
    others.every((response) => response.headers.some((header) => header.name === name)),
  );
}

/**
 * Judges the headers of a response. If all required headers are absent, that is one deviation, which hides those of the single
 * headers: the response bypassed the code that adds them.
 */
export function judgeHeaders(headers: readonly Header[], lines: readonly HeaderLine[]): JudgedPart {
  return linesJudged(lines, headers);
}

/** A run judges a response when it arrives and at its end. */
const linesJudged = rememberingLast(
  (lines: readonly HeaderLine[], headers: readonly Header[]): JudgedPart => {
    const results = headers.map((header) => judgeHeader(header, lines));
    const met = results.flatMap((result) => result.met);
    const deviations = results.flatMap(({ deviation }) => deviation ?? []);
    const required = headers.filter((header) => header.required).map(({ name }) => name);
    const areAllAbsent =
      required.length > 1 && required.every((name) => headerValues(lines, name).length === 0);
    // An optional header that is present and wrong is another mistake.
    const isOfAbsent = ({ headers: names = [] }: Deviation) => names.some((name) => required.includes(name));
    const [first, ...others] = deviations.filter(isOfAbsent);
    if (!areAllAbsent || !first) return { met, deviations, hidden: [] };
    const names = required.join(', ');
    const absent = {
      ...first,
      headers: required,
      reason: `${names} are absent`,
      expected: names,
      received: 'none of these headers',
    };
    return {
      met,
      deviations: [absent, ...deviations.filter((deviation) => !isOfAbsent(deviation))],
      hidden: others,
    };
  },
);

/** Judges one header of a response: its presence, then its value. */
function judgeHeader(header: Header, lines: readonly HeaderLine[]): { met: string[]; deviation?: Deviation } {
  const { name, required, schema } = header;
  const presence = headerRequirement(header);
  const values = headerValues(lines, name);
  const wrong = (
    requirement: string,
    what: string,
    received: string,
    expected = describe(schema),
  ): Deviation => ({
    requirement,
    kind: 'header',
    headers: [name],
    reason: `${name} ${what}`,
    expected: `${name}: ${expected}`,
    received,
  });
  if (values.length === 0)
    return required ? { met: [], deviation: wrong(presence, 'is absent', `no ${name} header`) } : { met: [] };
  if (header.isUnjudged) return { met: [presence] };
  const requirement = valueRequirement(header);
  if (isListed(header, values)) return { met: [presence, requirement] };
  const [first = '', ...others] = new Set(header.isJson ? values : values.flatMap(listMembers));
  const received = values.map((value) => `${name}: ${value}`).join(', ');
  // The entries of a list may differ.
  const isList = !header.isJson && typesOf(schema).includes('array');
  if (others.length > 0 && !isList)
    return { met: [presence], deviation: wrong(requirement, 'has different values', received) };
  const value = others.length > 0 ? values.join(', ') : first;
  if (isValid(header, value)) return { met: [presence, requirement] };
  const { reason, expected } = wordsFor(header, value);
  return { met: [presence], deviation: wrong(requirement, reason, received, expected) };
}

/**
 * Whether repeated lines of a header match its schema. The lines of a list are one value (RFC 9110 section 5.3), and so are the
 * lines of a text, which may be a list. Each Set-Cookie is a separate value.
 */
function isListed(header: Header, values: readonly string[]): boolean {
  if (/^set-cookie$/i.test(header.name)) return values.every((value) => isValid(header, value));
  return isValid(header, values.join(', '));
}

/** Most responses have the same Limit and Reset. */
const isValid = rememberingLast(matches);

function matches(header: Header, value: string): boolean {
  return readingsIn(header, value).some((reading) => schemaErrors(header.schema, reading).length === 0);
}

/** The JSON values that the text of a header may mean; none if it should be JSON and is not. */
function readingsIn({ schema, isJson }: Header, value: string): Json[] {
  if (!isJson) return readingsOf(schema, value);
  const parsed = parseJson(value);
  return parsed.ok ? [parsed.value] : [];
}

/** The deviation of the value of a header. If its type is right, the violated keyword is named. */
function wordsFor(header: Header, value: string): BrokenKeyword {
  const { schema, isJson } = header;
  const readings = readingsIn(header, value);
  const documented = describe(schema);
  if (isJson || typesOf(schema).join() === 'array') return wordsForPlace(schema, readings);
  const errors = readings.flatMap((reading) => schemaErrors(schema, reading));
  const named = errors.find(({ pointer, words }) => pointer.length === 0 && !words.isPlain);
  return named?.words ?? { reason: `is not ${documented}`, expected: documented };
}

/** Words that name the place inside a value of JSON, or the entry of a list, that is wrong. */
function wordsForPlace(schema: Schema, [reading]: readonly Json[]): BrokenKeyword {
  const expected = shapeOf(schema);
  if (reading === undefined) return { reason: 'is not JSON', expected };
  const [error] = schemaErrors(schema, reading);
  if (!error) return { reason: `is not ${expected}`, expected };
  const words = violationWords(schema, reading, error);
  if (error.pointer.length === 0) return words;
  const place = pointerOf(error.pointer);
  return {
    reason: `is not as documented: ${place} ${words.reason}`,
    expected: `${place}: ${words.expected}`,
  };
}

/** The first reading of a text that matches the schema. */
function fittingReading(schema: Schema, text: string): Json | undefined {
  return readingsOf(schema, text).find((reading) => schemaErrors(schema, reading).length === 0);
}

/** The JSON values that a text may mean, by the types of a schema and of its members. */
function readingsOf(schema: Schema, text: string): Json[] {
  return [...ownReadings(schema, text), ...membersOf(schema).flatMap((member) => readingsOf(member, text))];
}

function ownReadings(schema: Schema, text: string): Json[] {
  const types = typesOf(schema);
  if (types.includes('array')) {
    const { items = {} } = schema;
    const list = entriesOf(text).map((entry) => fittingReading(items, entry.trim()) ?? entry.trim());
    // An empty list and a list of one empty text are written alike.
    const lists = text === '' ? [[], list] : [list];
    return types.length === 1 ? lists : [...lists, ...scalarReadings(types, text)];
  }
  return scalarReadings(types, text);
}

/** The entries of a list; a comma in quotes separates none (RFC 9110 section 5.6.1). */
function entriesOf(text: string): string[] {
  return text.match(/(?:"[^"]*"|[^,])+/g) ?? [''];
}

function scalarReadings(types: readonly string[], text: string): Json[] {
  if (text === 'true' || text === 'false') return [text === 'true', text];
  if (/^-?\d+$/.test(text)) return [Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text), text];
  // 5.0 is no integer where a text is expected to be one.
  const isNumber = types.includes('number') && /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text);
  return isNumber ? [Number(text), text] : [text];
}
