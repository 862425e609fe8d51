import { schemaAt } from '../contract/schema.ts';
import { isFitting } from '../contract/validation/parameter-bounds.ts';
import type { Operation, Parameter, Schema } from '../model/contract.ts';
import { at, type Json, pointerOf } from '../model/json.ts';
import { exampleValue } from '../probes/reads/example-value.ts';
import { usableExamples } from '../probes/reads/usable-examples.ts';
import type { Call } from '../reference/http/call.ts';
import type { Classified } from '../traffic/classify.ts';
import { readText } from '../traffic/parameter-values.ts';
import { listAt, type ThingKind } from './kinds.ts';
import { pageOf, withPage } from './pages.ts';
import { isThing, type Thing, withValueAt } from './values.ts';

/** The thing that a client sends, and its schema. If the body is an envelope such as `{"data": …}`, the thing is inside. */
export function sentThing(
  { schema: thingSchema }: ThingKind,
  { body }: Operation,
  sent: Json | undefined,
): { thing: Thing; schema: Schema } {
  const schema = body?.schema ?? {};
  const fields = thingSchema.properties ?? {};
  const [envelope] = Object.entries(schema.properties ?? {}).filter(
    ([name, { properties }]) =>
      !Object.hasOwn(fields, name) &&
      Object.keys(properties ?? {}).some((field) => Object.hasOwn(fields, field)),
  );
  const whole = isThing(sent) ? sent : {};
  if (!envelope) return { thing: whole, schema };
  const inner = whole[envelope[0]];
  return { thing: isThing(inner) ? inner : {}, schema: envelope[1] };
}

/** The fields of a form, read as their schemas say; undefined if the body is not a form. */
export function formIn({ body }: Operation, { bodyText = '', headers }: Call): Thing | undefined {
  const isForm = (type = '') => /^application\/x-www-form-urlencoded\b/i.test(type);
  if (!body || bodyText === '' || !isForm(body.mediaType) || !isForm(headers['content-type']))
    return undefined;
  const fields = new URLSearchParams(bodyText);
  const { properties = {} } = body.schema;
  return Object.fromEntries(
    [...new Set(fields.keys())].map((name) => {
      const field = properties[name] ?? {};
      const texts = fields.getAll(name);
      const values = texts.map((text) => readText(field.items ?? field, text));
      return [name, field.type === 'array' ? values : (values[0] ?? '')];
    }),
  );
}

/** The value that a request has for a parameter of its path. */
export function valueInPath(
  values: Classified['values'],
  name: string,
): Classified['values'][number] | undefined {
  return values.find(({ parameter }) => parameter?.in === 'path' && parameter.name === name);
}

/**
 * Whether the ids in the path of a request are known, where the server has no things of their kind: the document names them, or
 * petspec makes them where it names none. An operation that lists no 404 knows every value.
 * @param ofThings parameters whose values are ids of things of the server
 */
export function isStated(
  { parameters, responses }: Operation,
  { values }: Pick<Classified, 'values'>,
  ofThings: readonly string[],
): boolean {
  if (!responses.some(({ status }) => status === '404')) return true;
  const asked = parameters.filter(({ in: place, name }) => place === 'path' && !ofThings.includes(name));
  return asked.every((parameter) => {
    const sent = valueInPath(values, parameter.name)?.value;
    return statedValues(parameter).some((stated) => String(stated) === String(sent));
  });
}

/** Whether the document names values for the ids above something, and a request has others. */
export function isBelowUnstated(
  { parameters, responses }: Operation,
  { values }: Pick<Classified, 'values'>,
  ofThings: readonly string[],
): boolean {
  if (!responses.some(({ status }) => status === '404')) return false;
  return parameters.some((parameter) => {
    if (parameter.in !== 'path' || ofThings.includes(parameter.name)) return false;
    const named = [...usableExamples(parameter), ...(parameter.schema.enum ?? [])];
    const sent = valueInPath(values, parameter.name)?.value;
    return named.length > 0 && !named.some((stated) => String(stated) === String(sent));
  });
}

function statedValues(parameter: Parameter): unknown[] {
  const { enum: members = [], default: usual } = parameter.schema;
  return [...usableExamples(parameter), ...members, usual, exampleValue(parameter)];
}

/** An example of a response with the list entries that the request asks for. A list that must have entries keeps them. */
export function askedOf(example: Json, schema: Schema, classified: Classified): Json {
  const place = listAt(schema);
  const entries = place && at(example, pointerOf(place));
  if (!place || !Array.isArray(entries) || !entries.every(isThing)) return example;
  const page = pageOf(entries, classified);
  if (page.things.length === 0 && !isFitting(schemaAt(schema, place) ?? {}, [])) return example;
  return withPage(withValueAt(example, place, [...page.things]), schema, page);
}
