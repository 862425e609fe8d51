import { namesIn } from '../contract/resources.ts';
import { schemaAt } from '../contract/schema.ts';
import { isFitting } from '../contract/validation/parameter-bounds.ts';
import type { Contract, Operation, Schema } from '../model/contract.ts';
import type { Json } from '../model/json.ts';
import type { Answer, HeaderField } from '../reference/http/answer.ts';
import type { Call } from '../reference/http/call.ts';
import type { Classified } from '../traffic/classify.ts';
import { fill } from '../traffic/match-operation.ts';
import { readText } from '../traffic/parameter-values.ts';
import { answerOf, refusal, statusFor, successFor } from './answers.ts';
import { listAt, type OperationRole, placeOfThing, type Roles, rolesOf, type ThingKind } from './kinds.ts';
import { pageOf, withPage } from './pages.ts';
import { askedOf, formIn, isBelowUnstated, isStated, sentThing, valueInPath } from './request-values.ts';
import { Things, type ThingsOptions } from './things.ts';
import { isThing, merged, shownThing, type Thing, thingOf, withValueAt } from './values.ts';

/** Statuses for the same outcome: the answer has the first that the document lists. */
type StatusPreference = readonly [number, ...number[]];
const WRONG_TYPE: StatusPreference = [415, 400, 422];
const INVALID: StatusPreference = [400, 422, 404];
const REMOVED: StatusPreference = [204, 200, 202];
const DONE: StatusPreference = [200, 201, 202, 204];

/** A request for a thing. */
interface ThingRequest {
  operation: Operation;
  classified: Classified;
  /** The values of the parameters of its path, in order. */
  values: readonly string[];
  sent: Json | undefined;
  path: string;
}

/** Holds the things of a document, and applies its operations to them. */
export class DocumentStore {
  readonly #roles: Roles;
  readonly #things: Things;
  /** Resources without an id, by path: null if removed. */
  readonly #singles = new Map<string, Json>();

  constructor(contract: Contract, options: ThingsOptions) {
    this.#roles = rolesOf(contract);
    this.#things = new Things(options);
  }

  answer(operation: Operation, classified: Classified, call: Call): Answer {
    const params = fill(operation.path, call.path.slice(-pathLength(operation, call.path))) ?? call.params;
    const values = namesIn(operation.path).map((name) => {
      const read = valueInPath(classified.values, name);
      return read === undefined ? (params[name] ?? '') : String(read.value);
    });
    const [problem] = classified.problems;
    const form = formIn(operation, call);
    const isWrongForm = form !== undefined && !isFitting(operation.body?.schema ?? {}, form);
    if (problem || isWrongForm) {
      const { kind = 'shape', reason = 'the form is not valid' } = problem ?? {};
      const wanted = kind === 'media-type' ? WRONG_TYPE : INVALID;
      return refusal(operation, statusFor(operation, ...wanted), reason);
    }
    const missing = this.#roles.above(operation.path).find((kind) => {
      const itemValues = values.slice(0, namesIn(kind.item).length);
      return this.#things.find(kind, itemValues) === undefined;
    });
    if (missing) return notFound(operation);
    const role = this.#roles.roleOf(operation);
    if (role.does !== 'other' && isBelowUnstated(operation, classified, this.#idsOf(role.kind, operation)))
      return notFound(operation);
    const sent = form ?? classified.body?.value;
    return this.#answerOf(role, { operation, classified, values, sent, path: call.path });
  }

  /** The parameters of a path that are ids of things of the server. */
  #idsOf({ parameter }: ThingKind, { path }: Operation): string[] {
    return [parameter, ...this.#roles.above(path).flatMap(({ item }) => namesIn(item))];
  }

  #answerOf(role: OperationRole, ask: ThingRequest): Answer {
    if (role.does === 'other') return this.#other(ask);
    if (role.does === 'list') return this.#list(role.kind, ask);
    if (role.does === 'create') return this.#create(role.kind, ask);
    if (role.does === 'item') return this.#item(role.kind, ask);
    this.#things.clear(role.kind, [...ask.values, '']);
    return done(ask.operation);
  }

  #list(kind: ThingKind, { operation, classified, values }: ThingRequest): Answer {
    const page = pageOf(this.#things.all(kind, [...values, '']), classified);
    return answerOf(operation, successFor(operation, 200), (example, schema) => {
      const place = listAt(schema) ?? [];
      const entry = schemaAt(schema, [...place, '[]']) ?? {};
      const entries = page.things.map((thing) => shownThing(thing, entry));
      return withPage(withValueAt(example, place, entries), schema, page);
    });
  }

  #create(kind: ThingKind, { operation, values, sent, path }: ThingRequest): Answer {
    const { thing: body, schema } = sentThing(kind, operation, sent);
    const { properties = {}, required = [] } = schema;
    const name = [kind.parameter, kind.idField].find(
      (field) => properties[field] && required.includes(field),
    );
    const chosen = name === undefined ? undefined : body[name];
    if (chosen !== undefined && this.#things.find(kind, [...values, String(chosen)]))
      return refusal(operation, statusFor(operation, 409, 400, 422), 'there is one with this id');
    const thing = withParents(kind, thingOf(kind, body, schema), values);
    const added = this.#things.add(kind, [...values, ''], thing, chosen);
    const id = String(added[kind.idField] ?? chosen ?? '');
    const location: HeaderField[] = id === '' ? [] : [['Location', `${path}/${encodeURIComponent(id)}`]];
    return shown(kind, operation, successFor(operation, 201, 200, 202), added, location);
  }

  #item(kind: ThingKind, { operation, values, sent }: ThingRequest): Answer {
    const { method } = operation;
    const existing = this.#things.find(kind, values);
    const { thing: body, schema } = sentThing(kind, operation, sent);
    const isNew = method === 'PUT' && operation.responses.some(({ status }) => status === '201');
    if (!existing && !isNew) return notFound(operation);
    if (method === 'GET') return shown(kind, operation, successFor(operation, 200), existing ?? {});
    if (method === 'DELETE') {
      this.#things.remove(kind, values);
      return done(operation, kind, existing);
    }
    const changed =
      method === 'PUT'
        ? withParents(kind, { ...thingOf(kind, body, schema) }, values.slice(0, -1))
        : merged(kind.schema, existing ?? {}, body);
    const whole = existing ? { ...keptOf(kind, existing, schema), ...changed } : changed;
    this.#things.put(kind, values, whole);
    const stored = {
      ...whole,
      ...(existing && kind.idField in existing ? { [kind.idField]: existing[kind.idField] ?? null } : {}),
    };
    return shown(kind, operation, successFor(operation, existing ? 200 : 201, 204), stored);
  }

  #other({ operation, classified, sent, path }: ThingRequest): Answer {
    const { method } = operation;
    const parentParameters = this.#roles.above(operation.path).flatMap(({ item }) => namesIn(item));
    if (method !== 'PUT' && !isStated(operation, classified, parentParameters)) return notFound(operation);
    const single = this.#singles.get(path);
    const isThere = single !== null;
    if (!isThere && (method === 'GET' || method === 'DELETE')) return notFound(operation);
    if (method === 'DELETE') this.#singles.set(path, null);
    if ((method === 'PUT' || method === 'PATCH') && isThing(sent))
      this.#singles.set(path, method === 'PATCH' && isThing(single) ? { ...single, ...sent } : sent);
    const stored = this.#singles.get(path);
    const wanted = method === 'DELETE' ? REMOVED : DONE;
    return answerOf(operation, successFor(operation, ...wanted), (example, schema) =>
      isThing(stored) && schema.properties
        ? { ...(isThing(example) ? example : {}), ...pick(stored, schema.properties) }
        : askedOf(example, schema, classified),
    );
  }
}

/** The fields of a value that a schema has and that fit it. */
function pick(value: Thing, properties: NonNullable<Operation['body']>['schema']['properties'] = {}): Thing {
  return Object.fromEntries(
    Object.entries(value).filter(([name, field]) => properties[name] && isFitting(properties[name], field)),
  );
}

/** The fields that a replacement leaves as they were: those that clients cannot send. */
function keptOf(kind: ThingKind, thing: Thing, { properties: asked = {} }: Schema): Thing {
  return Object.fromEntries(
    Object.entries(thing).filter(([name]) => asked[name] === undefined || name === kind.idField),
  );
}

function shown(
  kind: ThingKind,
  operation: Operation,
  status: number,
  thing: Thing,
  headers: HeaderField[] = [],
): Answer {
  return answerOf(
    operation,
    status,
    (example, schema) => {
      const place = placeOfThing(schema, kind.parameter);
      return withValueAt(example, place, shownThing(thing, schemaAt(schema, place) ?? {}));
    },
    headers,
  );
}

function done(operation: Operation, kind?: ThingKind, thing?: Thing): Answer {
  const status = successFor(operation, 204, 200, 202);
  return kind && thing
    ? shown(kind, operation, status, thing)
    : answerOf(operation, status, (example) => example);
}

function notFound(operation: Operation): Answer {
  return refusal(operation, statusFor(operation, 404, 410), 'nothing has this id');
}

/** A thing with the ids of its parents, in the fields that are named like the parameters of the path. */
function withParents({ item, schema }: ThingKind, thing: Thing, values: readonly string[]): Thing {
  const names = namesIn(item).slice(0, -1);
  const parentIds = names.flatMap((name, index) => {
    const field = schema.properties?.[name];
    const value = field && readText(field, values[index] ?? '');
    return field && value !== undefined && isFitting(field, value) ? [[name, value] as const] : [];
  });
  return { ...thing, ...Object.fromEntries(parentIds) };
}

/** The length of the end of a path that belongs to an operation. */
function pathLength({ path }: Operation, whole: string): number {
  const segments = path.split('/').length - 1;
  return whole.split('/').slice(-segments).join('/').length + 1;
}
