import type { Operation, Schema } from '../../model/contract.ts';
import { OPEN } from '../../model/http/expectation.ts';
import { rawByte } from '../../model/json/raw-bytes.ts';
import { isLate, type LenientForm, type Probe } from '../../model/probe.ts';
import { fullBody } from '../../requests/plain-values.ts';
import { invalidBody, withWrongField } from '../bodies.ts';
import { alternated } from './merged.ts';
import { furtherWrongValues } from './wrong-values.ts';

interface Payload {
  id: string;
  title: string;
  body: NonNullable<Probe['body']>;
}

const json = (id: string, title: string, value: unknown): Payload => ({
  id: `further-${id}`,
  title,
  body: { json: value },
});

/** Changes of the text of a valid body so that it is no JSON; the likeliest mistakes first. */
const BROKEN: readonly (readonly [id: string, title: string, change: (text: string) => string])[] = [
  ['text-after', 'a right body and text after it', (text) => `${text} x`],
  ['cut', 'a body without its last brace', (text) => text.slice(0, -1)],
  ['trailing-comma', 'a comma before the last brace', (text) => `${text.slice(0, -1)},}`],
  ['two', 'two right bodies', (text) => text + text],
  ['single-quotes', 'single quotes', (text) => text.replaceAll('"', "'")],
  ['nan', 'NaN as a number', (text) => text.replace(/:\d+/, ':NaN')],
  ['bare-names', 'names without quotes', (text) => text.replaceAll(/"(\w+)":/g, '$1:')],
  ['comment', 'a comment after the body', (text) => `${text} // x`],
  ['leading-zero', 'a number with a leading zero', (text) => text.replace(/:(\d+)/, ':0$1')],
  ['plus', 'a number with a plus sign', (text) => text.replace(/:(\d+)/, ':+$1')],
  ['control', 'a line end inside a text', (text) => text.replace(/:"/, ':"\n')],
  ['escape', 'an unknown escape', (text) => text.replace(/:"/, ':"\\x41')],
  [
    'byte-in-name',
    'a byte that is not UTF-8 in the name of a field',
    (text) => text.replace(/^\{"\w/, (start) => start + rawByte(0xff)),
  ],
  [
    'half-escape',
    'half of an escaped character in the name of a field',
    (text) => text.replace(/^\{"\w/, (start) => `${start}\\ud83d`),
  ],
  ['byte-after', 'a right body and a byte that is not UTF-8', (text) => text + rawByte(0xff)],
  ['blanks', 'a body of blanks', () => '  \n'],
  ['undefined', 'undefined', () => 'undefined'],
  ['open-arrays', 'a hundred opening brackets', () => '['.repeat(100)],
];

/** Bodies that are no JSON, or no object with the required fields. */
function payloads(schema: Schema): Payload[] {
  const right = exampleOf(fullBody(schema)) as Record<string, unknown>;
  const text = JSON.stringify(right);
  const broken = BROKEN.map(
    ([id, title, change]): Payload => ({ id: `further-${id}`, title, body: { text: change(text) } }),
  ).filter(({ body }) => 'text' in body && body.text !== text);
  const values = [
    ...(schema.required?.length ? [json('no-fields', 'an empty object', {})] : []),
    json('text', 'a text instead of an object', 'Rex'),
    json('number', 'a number instead of an object', 1),
    json('text-of-json', 'a right body inside a text', text),
    json('false', 'false instead of an object', false),
    json('empty-array', 'an empty array instead of an object', []),
    json('array-of-empty', 'an array with an empty object', [{}]),
    json('true', 'true instead of an object', true),
    json('empty-text', 'an empty text instead of an object', ''),
  ];
  const form = new URLSearchParams(
    Object.entries(right).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return [
    ...alternated([values, broken]),
    { id: 'further-form', title: 'the fields of a form', body: { text: form.toString() } },
  ];
}

/** A value with examples in place of late values. */
function exampleOf(value: unknown): unknown {
  if (isLate(value)) return value.late === 'own' && value.as === 'text' ? value.like : 1;
  if (Array.isArray(value)) return value.map(exampleOf);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, exampleOf(field)]));
}

/**
 * Bodies that have to get 400: each field with values of every other type, and wrong bodies as a whole. Operations without a
 * documented 400 get none, nor does another address, where an accepted body cannot be read back. Where a document leaves open when
 * a refusal comes, nothing is sent that might be stored.
 */
export function furtherWrongBodies(operation: Operation): Probe[] {
  const { body, address, responses, mayRefuse } = operation;
  if (!body || mayRefuse || address !== 'baseUrl') return [];
  if (!responses.some(({ status }) => status === '400')) return [];
  return alternated([
    ...fieldProbes(operation, body.schema),
    payloadProbes(operation, body.schema),
    formProbes(operation, body.schema),
    oddTextProbes(operation, body.schema),
  ]);
}

/** Texts that JSON allows, and that parsers, databases and templates stumble over. A firewall takes some for an attack. */
const ODD_TEXTS: readonly (readonly [id: string, title: string, text: string, isLikeAttack?: true])[] = [
  ['half-character', 'half of a character', 'Rex \ud83d'],
  ['zero', 'the character U+0000', 'Rex \u0000x', true],
  ['no-character', 'code points that are no characters', 'Rex \ufffe\uffff'],
  ['format', 'format specifiers', '%s%n%x {0} %(name)s', true],
  ['marks', 'a letter with two hundred marks', `R${'\u0301'.repeat(200)}`],
  ['property', 'the name of a property of objects', '__proto__', true],
];

/**
 * Bodies that lack a required field and have an odd text in another one, so every service refuses them. If a firewall may refuse
 * the text first, the expectation is open: only a 5xx, or a 400 that differs from the documented one, is wrong.
 */
function oddTextProbes(operation: Operation, schema: Schema): Probe[] {
  const { required = [], properties = {} } = schema;
  const name = required.find((field) => properties[field]?.type === 'string' && !properties[field]?.enum);
  const missing = required.find((field) => field !== name);
  if (name === undefined || missing === undefined) return [];
  const { [missing]: _removed, ...body } = fullBody(schema);
  return ODD_TEXTS.map(([id, title, text, isLikeAttack]) => ({
    ...invalidBody(operation, `further-${name}-${id}`, `${missing} missing, and ${name} is ${title}`, {
      body: { json: { ...body, [name]: text } },
    }),
    ...(isLikeAttack ? { expectation: OPEN } : {}),
  }));
}

/** Forms of requests with a body that a service may refuse. A wrong body in such a form has to be refused, for either reason. */
const FORMS: readonly (readonly [form: LenientForm, title: string])[] = [
  ['chunked', 'a body in chunks'],
  ['type-charset', 'a charset in Content-Type'],
  ['type-case', 'Content-Type in another case'],
  ['type-text', 'Content-Type text/plain'],
  ['type-absent', 'no Content-Type'],
  ['type-form', 'the Content-Type of a form'],
];

/** Wrong bodies in other forms. */
function formProbes(operation: Operation, { required = [], ...schema }: Schema): Probe[] {
  const [name] = required;
  if (name === undefined) return [];
  const { [name]: _removed, ...without } = fullBody(schema);
  return FORMS.map(([form, title]) => ({
    ...invalidBody(operation, `further-${form}`, `${name} missing, ${title}`, { body: { json: without } }),
    variations: [{ id: form, kind: 'lenient', form }],
  }));
}

/** The most wrong values for the fields of a body. Each is sent in a body with all fields. */
const MOST_WRONG_FIELDS = 1_000;

function fieldProbes(operation: Operation, schema: Schema): Probe[][] {
  const fields = Object.entries(schema.properties ?? {}).slice(0, MOST_WRONG_FIELDS);
  const ofEach = Math.floor(MOST_WRONG_FIELDS / fields.length);
  return fields.map(([name, field]) =>
    furtherWrongValues(name, field)
      .slice(0, ofEach)
      .map((wrong) => withWrongField(operation, schema, name, wrong))
      .filter(({ validity }) => validity === 'invalid'),
  );
}

function payloadProbes(operation: Operation, schema: Schema): Probe[] {
  return payloads(schema).map(({ id, title, body }) =>
    invalidBody(operation, id, title, { rule: `${operation.id}.body`, body }),
  );
}
