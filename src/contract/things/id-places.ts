import type { Operation } from '../../model/contract.ts';
import { isSure, pointersIn, type Resource } from '../resources.ts';
import { alternativesOf } from '../schema.ts';

/** Where the body of an operation states the id of the thing that it is about, as JSON Pointers. */
export function idPlaces({ parameter, field }: Resource, { body }: Operation): string[] {
  if (!body) return [];
  const schemas = [body.schema, ...alternativesOf(body.schema)];
  const places = schemas.flatMap((each) => pointersIn(each, parameter, each));
  return [...new Set(places)].filter(
    (each) => isSure(each, parameter) || (each === field && /\/(?:id|uuid)$/i.test(each)),
  );
}
