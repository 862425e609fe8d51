import {
  askedOfService,
  changesBetween,
  type RequirementChange,
  type RequirementSchema,
  type VersionRequirements,
} from '../contract/requirement-changes.ts';
import { fieldsOf } from '../contract/schema.ts';
import type { Contract, Operation } from '../model/contract.ts';
import { derivedClientChecks } from '../traffic/derived-client-checks.ts';

/** An operation that two versions of an interface do not have alike. */
export type OperationName = Pick<Operation, 'id' | 'method' | 'path'>;

/** What changes from one version of an interface to another. */
export interface InterfaceChanges {
  service: readonly ClassifiedChange[];
  clients: readonly ClassifiedChange[];
  /** Operations that the newer version does not have. */
  gone: readonly OperationName[];
  /** Operations that may be gone by the day as which the newer version is read, and not yet by the older one. */
  removed: readonly (OperationName & { removal: string })[];
}

/** A change of one requirement. */
export interface ClassifiedChange extends RequirementChange {
  /** Whether what conforms to the older version may violate the newer one. */
  breaks: boolean;
}

/** What changes for services and for their clients. The newer version may be read as of another day. */
export function interfaceChanges(before: Contract, after: Contract): InterfaceChanges {
  const isKnown = among(before.operations);
  const fresh = new Set(after.operations.filter((operation) => !isKnown(operation)).map(({ id }) => id));
  const isThere = among([...after.operations, ...(after.unjudged ?? [])]);
  const names = renamedIn(before, after);
  const between = (asked: (contract: Contract) => VersionRequirements) =>
    changesBetween(renaming(asked(before), names), asked(after));
  return {
    service: between(askedOfService).map((change) => ({ ...change, breaks: breaksService(change) })),
    clients: between(askedOfClients).map((change) => ({ ...change, breaks: breaksClients(change, fresh) })),
    gone: before.operations.filter((operation) => !isThere(operation)),
    removed: after.operations.flatMap((operation) => {
      const { id, method, path, removal } = operation;
      const isNews =
        removal !== undefined && isRemovedBy(removal, after.asOf) && !isGoneIn(before, operation);
      return isNews ? [{ id, method, path, removal }] : [];
    }),
  };
}

/** Whether anything may break that conforms to the older version. */
export function isBreaking({ service, clients, gone, removed }: InterfaceChanges): boolean {
  return [...service, ...clients].some(({ breaks }) => breaks) || gone.length + removed.length > 0;
}

/** Whether an operation may be gone on a day. Both are `YYYY-MM-DD`. */
export function isRemovedBy(removal: string | undefined, day: string | undefined): boolean {
  return removal !== undefined && day !== undefined && day >= removal;
}

function isGoneIn({ operations, asOf }: Contract, operation: OperationName): boolean {
  const earlier = operations.find((candidate) => among([candidate])(operation));
  return isRemovedBy(earlier?.removal, asOf);
}

type MethodAndPath = Pick<Operation, 'method' | 'path'>;

/** What the ids of requirements of clients begin with. */
const CLIENT = 'client.';

/** What tells an operation to its clients: neither its id nor the names of its path parameters. */
function routeOf({ method, path }: MethodAndPath): string {
  return `${method} ${path.replace(/\{[^}]*\}/g, '{}')}`;
}

/** Tells whether an operation is one of these. */
function among(operations: readonly MethodAndPath[]): (operation: MethodAndPath) => boolean {
  const routes = new Set(operations.map(routeOf));
  return (operation) => routes.has(routeOf(operation));
}

/** The operations that have another id in the newer version: their new ids by the old ones. */
function renamedIn(before: Contract, after: Contract): ReadonlyMap<string, string> {
  const now = new Map(after.operations.map((operation) => [routeOf(operation), operation.id]));
  return new Map(
    before.operations.flatMap((operation) => {
      const id = now.get(routeOf(operation));
      return id === undefined || id === operation.id ? [] : [[operation.id, id]];
    }),
  );
}

/** What is asked, with the new ids of operations in the ids of requirements: `client.listBooks.limit`. */
function renaming(asked: VersionRequirements, names: ReadonlyMap<string, string>): VersionRequirements {
  if (names.size === 0) return asked;
  const named = (id: string): string => {
    if (id.startsWith(CLIENT)) return CLIENT + named(id.slice(CLIENT.length));
    // The id of an operation may have dots of its own.
    for (let end = id.indexOf('.'); end >= 0; end = id.indexOf('.', end + 1)) {
      const name = names.get(id.slice(0, end));
      if (name !== undefined) return name + id.slice(end);
    }
    return id;
  };
  return {
    requirements: asked.requirements.map((requirement) => ({ ...requirement, id: named(requirement.id) })),
    places: new Map([...asked.places].map(([id, place]) => [named(id), place])),
  };
}

/** A field that may be absent asks nothing of a service that does not send it. */
function breaksService({ change, after, isRequired }: RequirementChange): boolean {
  if (after?.level !== 'must') return false;
  return change === 'tightens' || change === 'changes' || (change === 'appears' && isRequired !== false);
}

/** @param fresh operations that nobody could use by the older version */
function breaksClients({ change, after, isRequired }: RequirementChange, fresh: ReadonlySet<string>) {
  if (change === 'tightens' || change === 'changes') return true;
  return change === 'appears' && isRequired === true && !fresh.has(after?.operation ?? '');
}

/** What a version asks of requests. */
function askedOfClients({ operations }: Pick<Contract, 'operations'>): VersionRequirements {
  const places = new Map<string, RequirementSchema>();
  const add = (rule: string, place: RequirementSchema) => {
    const id = CLIENT + rule;
    if (!places.has(id)) places.set(id, place);
  };
  for (const { id, parameters, body } of operations) {
    // Nobody can leave out a parameter of the path, and no client sees its name.
    for (const { name, schema, required, in: place } of parameters)
      add(`${id}.${name}`, { schema, required: required && place !== 'path' });
    if (!body) continue;
    add(`${id}.body`, { schema: {}, required: body.required });
    for (const field of fieldsOf(body.schema, body.schema['x-component'] ?? `${id}.body`))
      add(field.id, field);
  }
  return { requirements: derivedClientChecks({ operations }).map(({ requirement }) => requirement), places };
}
