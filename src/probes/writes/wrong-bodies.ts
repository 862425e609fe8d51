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

/** Bodies with a wrong field, of an operation at most. */
const MAX_WRONG = 12;

interface WrongBody {
  name: string;
  title: string;
  body: NonNullable<Probe['body']>;
}

/**
 * Bodies that are wrong in one way: each should get a documented 400 or 422. Where none is documented, they still should not
 * break the service. No lenient parser repairs them, except for one of another type and one with a field that the schema rules
 * out: frameworks are often set up to convert the one and to drop the other, which the document does not say.
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
  const refused = ['400', '422', '4XX'].filter((each) =>
    operation.responses.some(({ status }) => status === each),
  );
  const isWrong = ({ body: sent }: WrongBody) => 'json' in sent && !isSentValid(body.schema, sent.json);
  // Of several forms of a body, the first one.
  const [form = body.schema] = body.schema.properties ? [] : alternativesOf(body.schema);
  const repaired = [...(isForm ? [] : otherType(operation, form)), ...extraField(operation)].filter(isWrong);
  const fields = firstOf(wrongFields(operation, form, isForm), isWrong, most);
  const all = [...fields, ...repaired, ...(isForm ? [] : [MALFORMED])];
  return all.flatMap(({ name, title, body: wrong }) => {
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

/** Frameworks refuse it before the service sees it, with a page of their own. */
const MALFORMED: WrongBody = { name: 'malformed', title: 'malformed JSON', body: { text: '{"' } };

/** A field with the value of another type that a parser may convert, in a body that is otherwise valid. */
function otherType(operation: Operation, { properties = {} }: Schema): WrongBody[] {
  const found = Object.entries(properties).find(
    ([, { type, ...more }]) => type !== undefined && Object.hasOwn(CONVERTED, type) && !more.enum,
  );
  if (!found) return [];
  const [field, { type = '' }] = found;
  const other = CONVERTED[type];
  const name = `${field}-other-type`;
  const title = `${field} is ${other?.title}, and the rest is valid`;
  return [{ name, title, body: { json: { ...wholeOf(operation, name), [field]: other?.value } } }];
}

const CONVERTED: Readonly<Record<string, { title: string; value: unknown }>> = {
  string: { title: 'a number', value: 5 },
  integer: { title: 'a text', value: '5' },
  number: { title: 'a text', value: '5' },
  boolean: { title: 'a text', value: 'true' },
};

/** A field that no schema of the body knows. It is wrong where the document says so. */
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

/** The first few that are wrong: a body may have thousands of fields. */
function firstOf(
  all: Iterable<WrongBody>,
  isWrong: (wrong: WrongBody) => boolean,
  most: number,
): WrongBody[] {
  const found: WrongBody[] = [];
  for (const each of all) {
    if (found.length === most) break;
    if (isWrong(each)) found.push(each);
  }
  return found;
}

/** The likeliest wrong value of each field first, then the others: a field with bounds may be of a wrong type, too. */
function* wrongFields(
  operation: Operation,
  { properties = {}, required = [] }: Schema,
  isForm: boolean,
): Generator<WrongBody, void> {
  const whole = (name: string) => wholeOf(operation, name);
  const fields = Object.entries(properties);
  for (const [field, schema] of fields) {
    if (required.includes(field)) {
      const name = `${field}-missing`;
      yield { name, title: `${field} is missing`, body: { json: without(whole(name), field) } };
    }
    const [wrong] = wrongValues(schema, isForm);
    if (wrong) yield withWrong(whole, field, wrong);
  }
  for (const [field, schema] of fields)
    for (const wrong of wrongValues(schema, isForm).slice(1)) yield withWrong(whole, field, wrong);
}

function withWrong(
  whole: (name: string) => object,
  field: string,
  { id, title, value }: WrongValue,
): WrongBody {
  const name = `${field}-${id}`;
  return { name, title: `${field} is ${title}`, body: { json: { ...whole(name), [field]: value } } };
}

function without(value: object, field: string): unknown {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== field));
}

interface WrongValue {
  id: string;
  title: string;
  value: unknown;
}

/** Values that nobody takes for valid ones. Whatever a form has is a text. */
function wrongValues(schema: Schema, isForm: boolean): WrongValue[] {
  const { type = '', enum: members } = schema;
  if (members?.every((each) => typeof each === 'string'))
    return [{ id: 'non-member', title: 'not in its enumeration', value: 'petspec-unknown' }];
  const ofText = isForm && type !== 'string';
  const isScalar = ['string', 'integer', 'number', 'boolean'].includes(type) && !(isForm && !ofText);
  return [
    ...beyondBounds(schema),
    ...(isScalar ? [ofText ? NO_VALUE : { id: 'object', title: 'an object', value: { value: 1 } }] : []),
  ];
}

const NO_VALUE: WrongValue = { id: 'text', title: 'a text', value: 'petspec-none-such' };
