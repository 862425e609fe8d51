import { resourcesOf } from '../../contract/resources.ts';
import { isObject } from '../../contract/schema.ts';
import { createdBy } from '../../contract/things/creation.ts';
import { type SchemaError, schemaErrors } from '../../contract/validation/schema-validator.ts';
import type { Contract } from '../../model/contract.ts';
import { isSuccess } from '../../model/exchange.ts';
import type { Deviation } from '../../model/finding.ts';
import { isJson } from '../../model/http/media-type.ts';
import { at, type Json, parseJson, pointerOf, sameJson } from '../../model/json.ts';
import type { Judged } from '../evidence/judged.ts';
import { shapeDeviations } from '../exchange/shape.ts';

/** A wrong body that the service accepted. */
interface AcceptedBody {
  by: Judged;
  requirement: string;
  /** The id of what it created or changed; undefined if the response shows none. */
  id: string | undefined;
  /** Null if the body is not JSON. */
  body: Json;
  /** The places in the body that violate its schema, if it is an object. */
  wrongPlaces: readonly (readonly string[])[];
  /** Whether the body is the whole record: then a field that the body lacks may be absent from the record. */
  isWhole: boolean;
}

/**
 * Attributes wrong values in a response to the request that sent them. petspec sent the wrong body, and a service that stores it
 * shows it later. Whether the service may accept the body is the requirement of that request.
 */
export function attributeWrongBodies(judged: readonly Judged[], contract: Contract): Judged[] {
  const accepted = judged.flatMap((result) => acceptedIn(result, contract) ?? []);
  const shownBy = new Map<Judged, Set<string>>();
  const attributed = judged.map((result) => {
    const shownBodies = shownOf(result, accepted);
    const [cause] = shownBodies.causes;
    if (!cause) return result;
    const deviations = withShape(result.deviations, shownBodies.own);
    const hidden = withShape(result.hidden, shownBodies.own);
    const { method, path } = result.operation;
    for (const { by } of shownBodies.causes) {
      const places = shownBy.get(by) ?? new Set<string>();
      shownBy.set(by, by === result ? places : places.add(`${method} ${path}`));
    }
    if (cause.by === result) return { ...result, deviations, hidden };
    const inconclusive = { reason: 'it shows a wrong body that was accepted', cause: cause.requirement };
    return { ...result, deviations, hidden, inconclusive } as Judged;
  });
  return attributed.map((result, index) => {
    const before = judged[index];
    const body = accepted.find(({ by }) => by === before);
    const places = before && shownBy.get(before);
    return body && places ? asOwner(result, body.requirement, [...places]) : result;
  });
}

/** The wrong body that a request sent, if the service accepted it. */
function acceptedIn(by: Judged, contract: Contract): AcceptedBody | undefined {
  const { exchange, operation, probe } = by;
  const { body } = operation;
  if (!operation.mayRefuse || !probe.isWriting || !body || !isSuccess(exchange)) return undefined;
  const parsed = parseJson(exchange.requestBody ?? '');
  if (!parsed.ok && !isJson(body.mediaType)) return undefined;
  const sent = parsed.ok ? parsed.value : null;
  const errors = schemaErrors(body.schema, sent);
  if (parsed.ok && errors.length === 0) return undefined;
  const resource = resourcesOf(contract).find(({ create }) => create.id === operation.id);
  const id = resource ? createdBy(resource, exchange, exchange.response)?.id : lastSegment(exchange.url);
  return {
    by,
    requirement: `${operation.id}.body`,
    id,
    body: sent,
    wrongPlaces: errors.map(placeOf).filter(({ length }) => length > 0),
    isWhole: operation.method !== 'PATCH',
  };
}

/** The place of what is wrong: of an object with a field too many, that field. */
function placeOf({ pointer, extra }: SchemaError): readonly string[] {
  return extra === undefined ? pointer : [...pointer, extra];
}

function lastSegment(url: string): string | undefined {
  const last = new URL(url).pathname.split('/').findLast((segment) => segment !== '');
  try {
    return last === undefined ? undefined : decodeURIComponent(last);
  } catch {
    return last;
  }
}

/** The accepted wrong bodies that a response shows, and the other deviations of its shape. */
function shownOf(
  judged: Judged,
  accepted: readonly AcceptedBody[],
): { own: readonly Deviation[]; causes: readonly AcceptedBody[] } {
  const { exchange, value, documented, deviations, hidden } = judged;
  const { schema, bodyRequirement } = documented ?? {};
  const earlier = accepted.filter(({ by }) => by.exchange.id <= exchange.id);
  const isShaped = [...deviations, ...hidden].some(isOfShape);
  if (!isShaped || earlier.length === 0 || value === undefined || !schema || !bodyRequirement)
    return { own: [], causes: [] };
  const causes = new Set<AcceptedBody>();
  const isOwn = (error: SchemaError) => {
    const place = placeOf(error);
    const cause = earlier.find((body) => isResponseTo(body, judged) || isShownAt(value, place, body));
    if (cause) causes.add(cause);
    return cause === undefined;
  };
  const errors = schemaErrors(schema, value).filter(isOwn);
  return { own: shapeDeviations(value, schema, bodyRequirement, errors), causes: [...causes] };
}

const isOfShape = ({ kind }: Deviation) => kind === 'shape';

/** Replaces the deviations of the shape, if there are any. */
function withShape(deviations: readonly Deviation[], shape: readonly Deviation[]): readonly Deviation[] {
  if (!deviations.some(isOfShape)) return deviations;
  return [...deviations.filter((deviation) => !isOfShape(deviation)), ...shape];
}

/** Whether a response is the one to a body that is no object: its form says nothing of how the service responds to right ones. */
function isResponseTo({ by, body }: AcceptedBody, judged: Judged): boolean {
  return by.exchange === judged.exchange && !isObject(body);
}

/**
 * Whether a value in a response comes from a wrong body: it is in the record that the request created or changed, and is the value
 * that was sent, or what the service made of it. A service may show null for a field that the body lacks.
 */
function isShownAt(
  value: Json,
  place: readonly string[],
  { id, body, wrongPlaces, isWhole }: AcceptedBody,
): boolean {
  if (id === undefined) return false;
  return place.some((_, depth) => {
    const thing = at(value, pointerOf(place.slice(0, depth)));
    if (!isObject(thing) || !Object.values(thing).some((field) => isId(field, id))) return false;
    const within = place.slice(depth);
    const shown = at(thing, pointerOf(within));
    // The fields may be in an object of their own: `{ "task": { … } }`.
    const inside = isObject(body) ? Object.keys(body).filter((name) => isObject(body[name])) : [];
    const sentAt = [[], ...inside.map((name) => [name])]
      .map((above) => [...above, ...within])
      .filter((inBody) => at(body, pointerOf(inBody)) !== undefined);
    if (sentAt.length === 0) return isWhole && (shown === undefined || shown === null);
    return sentAt.some(
      (inBody) =>
        wrongPlaces.some((wrong) => startsWith(inBody, wrong)) ||
        sameJson(at(body, pointerOf(inBody)), shown),
    );
  });
}

function startsWith(place: readonly string[], beginning: readonly string[]): boolean {
  return beginning.every((segment, index) => segment === place[index]);
}

function isId(value: Json, id: string): boolean {
  return ['string', 'number', 'bigint'].includes(typeof value) && String(value) === id;
}

/** The request that sent an accepted wrong body, with the operations that show the body since. */
function asOwner(judged: Judged, requirement: string, places: readonly string[]): Judged {
  const { probe, exchange, deviations } = judged;
  const status = exchange.response?.status;
  const verb = places.length === 1 ? 'shows' : 'show';
  const since = places.length === 0 ? '' : `; ${places.join(', ')} ${verb} it since`;
  const acceptance = deviations.find((deviation) => deviation.requirement === requirement);
  const owner: Deviation = acceptance ?? {
    requirement,
    kind: 'status',
    reason: `${probe.title}: accepted with ${status}`,
    expected: 'a rejection',
    received: `status ${status}`,
  };
  const others = deviations.filter((deviation) => deviation !== acceptance);
  return { ...judged, deviations: [{ ...owner, reason: `${owner.reason}${since}` }, ...others] };
}
