import { alternativesOf, isObject } from '../../contract/schema.ts';
import type { Operation, Schema } from '../../model/contract.ts';
import { expecting, OPEN } from '../../model/http/expectation.ts';
import type { Probe } from '../../model/probe.ts';
import { probe } from '../probe.ts';
import { isSentValid } from '../validity.ts';
import { beyondBounds } from '../values.ts';
import { validBody } from './bodies.ts';
import { writeValues } from './write-request.ts';

/** The media types of forms. */
const FORMS: ReadonlySet<string> = new Set(['application/x-www-form-urlencoded', 'multipart/form-data']);

/** The most bodies with a wrong field for an operation. */
const MAX_WRONG = 12;

interface WrongBody {
  name: string;
  title: string;
  body: NonNullable<Probe['body']>;
}

/**
 * Bodies that are each wrong in one way and should get a documented 400 or 422. If none is documented, they still must not break
 * the service. Lenient parsers repair two of them: frameworks are often configured to convert a value of another type, and to
 * drop a field that the schema rules out, which the document does not say.
 */
export function wrongBodies(
  operation: Operation,
  path: Probe['path'],
  controls: readonly string[],
  most = MAX_WRONG,
): Probe[] {
  const { body } = operation;
  if (!body) return [];
  const isForm = FORMS.has(body.mediaType);
  if (!isForm && !/json$/.test(body.mediaType)) return [];
  const refused = ['400', '422', '4XX'].filter((refusal) =>
    operation.responses.some(({ status }) => status === refusal),
  );
  const isWrong = ({ body: sent }: WrongBody) => 'json' in sent && !isSentValid(body.schema, sent.json);
  // If the body has alternatives, the first one is used.
  const [form = body.schema] = body.schema.properties ? [] : alternativesOf(body.schema);
  const repaired = [...(isForm ? [] : otherType(operation, form)), ...extraField(operation)].filter(isWrong);
  const fields = firstOf(wrongFields(operation, form, isForm), isWrong, most);
  const bodies = [...fields, ...repaired, ...(isForm ? [] : [MALFORMED])];
  return bodies.flatMap(({ name, title, body: wrong }) => {
    const values = writeValues(operation, `${operation.id}:${name}`);
    if (typeof values === 'string') return [];
    const isOpen = refused.length === 0 || name === MALFORMED.name;
    return probe(operation, name, 'invalid', {
      title,
      validity: isOpen ? 'open' : 'invalid',
      expectation: isOpen ? OPEN : expecting([], refused),
      ...(isOpen ? {} : { rule: `${operation.id}.body` }),
      controls,
      isWriting: true,
      ...values,
      path,
      body: wrong,
    });
  });
}

/** Frameworks refuse it with their own error page, before the service sees it. */
const MALFORMED: WrongBody = { name: 'malformed', title: 'malformed JSON', body: { text: '{"' } };

/** A valid body, except for a field with a value of another type that a parser may convert. */
function otherType(operation: Operation, { properties = {} }: Schema): WrongBody[] {
  const convertible = Object.entries(properties).find(
    ([, { type, ...more }]) => type !== undefined && Object.hasOwn(CONVERTED, type) && !more.enum,
  );
  if (!convertible) return [];
  const [field, { type = '' }] = convertible;
  const converted = CONVERTED[type];
  const name = `${field}-other-type`;
  const title = `${field} is ${converted?.title}, and the rest is valid`;
  return [{ name, title, body: { json: { ...wholeOf(operation, name), [field]: converted?.value } } }];
}

const CONVERTED: Readonly<Record<string, { title: string; value: unknown }>> = {
  string: { title: 'a number', value: 5 },
  integer: { title: 'a text', value: '5' },
  number: { title: 'a text', value: '5' },
  boolean: { title: 'a text', value: 'true' },
};

/** A body with an unknown field, which is wrong only where the document says so. */
function extraField(operation: Operation): WrongBody[] {
  const name = 'extra-field';
  const valid = validBody(operation, 'second', `${operation.id}:${name}`);
  if (!isObject(valid)) return [];
  const json = { ...valid, petspecExtra: 1 };
  return [{ name, title: 'a field more than the document allows', body: { json } }];
}

function wholeOf(operation: Operation, name: string): object {
  const valid = validBody(operation, 'second', `${operation.id}:${name}`);
  return isObject(valid) ? valid : {};
}

/** The first wrong candidates: a body may have thousands of fields, so the rest is not generated. */
function firstOf(
  candidates: Iterable<WrongBody>,
  isWrong: (wrong: WrongBody) => boolean,
  most: number,
): WrongBody[] {
  const found: WrongBody[] = [];
  for (const candidate of candidates) {
    if (found.length === most) break;
    if (isWrong(candidate)) found.push(candidate);
  }
  return found;
}

/** First the likeliest wrong value of each field, then the other ones, as a field with bounds may also have a wrong type. */
function* wrongFields(
  operation: Operation,
  { properties = {}, required = [] }: Schema,
  isForm: boolean,
): Generator<WrongBody, void> {
  const bodyFor = (name: string) => wholeOf(operation, name);
  const fields = Object.entries(properties);
  for (const [field, schema] of fields) {
    if (required.includes(field)) {
      const name = `${field}-missing`;
      yield { name, title: `${field} is missing`, body: { json: without(bodyFor(name), field) } };
    }
    const [wrong] = wrongValues(schema, isForm);
    if (wrong) yield withWrong(bodyFor, field, wrong);
  }
  for (const [field, schema] of fields)
    for (const wrong of wrongValues(schema, isForm).slice(1)) yield withWrong(bodyFor, field, wrong);
}

function withWrong(
  bodyFor: (name: string) => object,
  field: string,
  { id, title, value }: WrongValue,
): WrongBody {
  const name = `${field}-${id}`;
  return { name, title: `${field} is ${title}`, body: { json: { ...bodyFor(name), [field]: value } } };
}

function without(value: object, field: string): unknown {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== field));
}

interface WrongValue {
  id: string;
  title: string;
  value: unknown;
}

/** Values that no parser takes for valid ones. In a form, every value is a text. */
function wrongValues(schema: Schema, isForm: boolean): WrongValue[] {
  const { type = '', enum: members } = schema;
  if (members?.every((member) => typeof member === 'string'))
    return [{ id: 'non-member', title: 'not in its enumeration', value: 'petspec-unknown' }];
  const ofText = isForm && type !== 'string';
  const isScalar = ['string', 'integer', 'number', 'boolean'].includes(type) && !(isForm && !ofText);
  return [
    ...beyondBounds(schema),
    ...(isScalar ? [ofText ? NO_VALUE : { id: 'object', title: 'an object', value: { value: 1 } }] : []),
  ];
}

const NO_VALUE: WrongValue = { id: 'text', title: 'a text', value: 'petspec-none-such' };
