import { schemaAt } from '../contract/schema.ts';
import { isFitting } from '../contract/validation/parameter-bounds.ts';
import type { Operation, Parameter, Schema } from '../model/contract.ts';
import { at, type Json, pointerOf } from '../model/json.ts';
import { exampleValue } from '../probes/reads/example-value.ts';
import { usableExamples } from '../probes/reads/usable-examples.ts';
import type { Classified } from '../traffic/classify.ts';
import { listAt } from './kinds.ts';
import { pageOf, withPage } from './pages.ts';
import { isThing, withValueAt } from './values.ts';

/**
 * Whether something has the ids in the path of a request, where the server has no things of their kind: what the document names, or
 * what petspec makes where it names nothing. An operation that lists no 404 knows every value.
 * @param ofThings parameters whose values the server has things for
 */
export function isStated(
  { parameters, responses }: Operation,
  { values }: Pick<Classified, 'values'>,
  ofThings: readonly string[],
): boolean {
  if (!responses.some(({ status }) => status === '404')) return true;
  const asked = parameters.filter((each) => each.in === 'path' && !ofThings.includes(each.name));
  return asked.every((each) => {
    const sent = values.find(({ parameter: own }) => own?.in === 'path' && own.name === each.name)?.value;
    return statedValues(each).some((stated) => String(stated) === String(sent));
  });
}

/** Whether the document names values of the ids in the path that something is below, and a request has others. */
export function isBelowUnstated(
  { parameters, responses }: Operation,
  { values }: Pick<Classified, 'values'>,
  ofThings: readonly string[],
): boolean {
  if (!responses.some(({ status }) => status === '404')) return false;
  return parameters.some((each) => {
    if (each.in !== 'path' || ofThings.includes(each.name)) return false;
    const named = [...usableExamples(each), ...(each.schema.enum ?? [])];
    const sent = values.find(({ parameter: own }) => own?.in === 'path' && own.name === each.name)?.value;
    return named.length > 0 && !named.some((stated) => String(stated) === String(sent));
  });
}

function statedValues(parameter: Parameter): unknown[] {
  const { enum: members = [], default: usual } = parameter.schema;
  return [...usableExamples(parameter), ...members, usual, exampleValue(parameter)];
}

/** An example of a response with the entries of its list that the request asks for. A list that must have entries keeps them. */
export function askedOf(example: Json, schema: Schema, classified: Classified): Json {
  const place = listAt(schema);
  const entries = place && at(example, pointerOf(place));
  if (!place || !Array.isArray(entries) || !entries.every(isThing)) return example;
  const page = pageOf(entries, classified);
  if (page.things.length === 0 && !isFitting(schemaAt(schema, place) ?? {}, [])) return example;
  return withPage(withValueAt(example, place, [...page.things]), schema, page);
}
