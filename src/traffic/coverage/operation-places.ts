import type { DocumentedResponse, Operation, Parameter } from '../../model/contract.ts';
import type { Steps } from '../../model/large/steps.ts';
import { type SchemaPlace, type SchemaPlaces, visitAll } from './places.ts';

/** The places that the schemas of an operation begin at. */
export interface OperationPlaces {
  /** By place and name: `query limit`. */
  parameters: ReadonlyMap<string, SchemaPlace>;
  body?: SchemaPlace | undefined;
  /** By status as documented. */
  responses: ReadonlyMap<string, ResponsePlaces>;
}

interface ResponsePlaces {
  body?: SchemaPlace | undefined;
  headers: ReadonlyMap<string, SchemaPlace>;
}

/** The places that the schemas of an operation begin at: of its parameters, its body and its responses. */
export function placesOf(all: SchemaPlaces, { id, parameters, body, responses }: Operation): OperationPlaces {
  const whole = body && all.of(body.schema, `${id}.body`, body.schema['x-component'], body.required);
  return {
    parameters: new Map(
      parameters.map((each) => [`${each.in} ${each.name}`, placeOfParameter(all, id, each)]),
    ),
    body: whole,
    responses: new Map(responses.map((each) => [each.status, placesOfResponse(all, each)])),
  };
}

function placeOfParameter(all: SchemaPlaces, operation: string, parameter: Parameter): SchemaPlace {
  const { name, schema, required, in: location, isJson } = parameter;
  const place = all.of(schema, `${operation}.${name}`, undefined, required && location !== 'path');
  if (schema.type !== 'string' || isJson) return place;
  // Every text of a URL or a header is a string.
  return { ...place, keywords: place.keywords.filter((keyword) => keyword !== 'type') };
}

function placesOfResponse(
  all: SchemaPlaces,
  { schema, bodyRequirement = '', headers }: DocumentedResponse,
): ResponsePlaces {
  return {
    body: schema && all.of(schema, bodyRequirement),
    headers: new Map(
      headers.map((each) => [each.name, all.of(each.schema, each.name, undefined, each.required)]),
    ),
  };
}

/** Every place of the requests of these operations and every place of their responses, each schema once. */
export function* visitingOperations(
  all: SchemaPlaces,
  operations: Iterable<OperationPlaces>,
  onPlace: (direction: 'request' | 'response', place: SchemaPlace) => void,
): Steps<void> {
  const seen = { request: new Set<SchemaPlace['schema']>(), response: new Set<SchemaPlace['schema']>() };
  for (const { parameters, body, responses } of operations) {
    yield;
    for (const each of [...parameters.values(), ...(body ? [body] : [])])
      visitAll(all, each, (place) => onPlace('request', place), seen.request);
    for (const response of responses.values())
      for (const each of [...(response.body ? [response.body] : []), ...response.headers.values()])
        visitAll(all, each, (place) => onPlace('response', place), seen.response);
  }
}
