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

/** An operation as `petspec diff` names it. */
export type OperationName = Pick<Operation, 'id' | 'method' | 'path'>;

/** What changes from one version of an interface to another. */
export interface InterfaceChanges {
  service: readonly ClassifiedChange[];
  clients: readonly ClassifiedChange[];
  /** Operations that the newer version does not have. */
  gone: readonly OperationName[];
  /** Operations that may be gone on the date of the newer version, and not on that of the older one. */
  removed: readonly (OperationName & { removal: string })[];
}

/** A change of one requirement. */
export interface ClassifiedChange extends RequirementChange {
  /** Whether a service or request that conforms to the older version may violate the newer one. */
  breaks: boolean;
}

/** The changes for services and for their clients. The two versions may be read as of different dates. */
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

/** Whether a service or client that conforms to the older version may break. */
export function isBreaking({ service, clients, gone, removed }: InterfaceChanges): boolean {
  return [...service, ...clients].some(({ breaks }) => breaks) || gone.length + removed.length > 0;
}

/** Whether an operation may be gone on a date. Both are `YYYY-MM-DD`. */
export function isRemovedBy(removal: string | undefined, day: string | undefined): boolean {
  return removal !== undefined && day !== undefined && day >= removal;
}

function isGoneIn({ operations, asOf }: Contract, operation: OperationName): boolean {
  const earlier = operations.find((candidate) => among([candidate])(operation));
  return isRemovedBy(earlier?.removal, asOf);
}

type MethodAndPath = Pick<Operation, 'method' | 'path'>;

/** Prefix of the ids of client requirements. */
const CLIENT = 'client.';

/** An operation as clients see it: without its id and the names of its path parameters. */
function routeOf({ method, path }: MethodAndPath): string {
  return `${method} ${path.replace(/\{[^}]*\}/g, '{}')}`;
}

/** A predicate for operations with the method and path of one of these. */
function among(operations: readonly MethodAndPath[]): (operation: MethodAndPath) => boolean {
  const routes = new Set(operations.map(routeOf));
  return (operation) => routes.has(routeOf(operation));
}

/** The new ids of renamed operations, by the old ids. */
function renamedIn(before: Contract, after: Contract): ReadonlyMap<string, string> {
  const now = new Map(after.operations.map((operation) => [routeOf(operation), operation.id]));
  return new Map(
    before.operations.flatMap((operation) => {
      const id = now.get(routeOf(operation));
      return id === undefined || id === operation.id ? [] : [[operation.id, id]];
    }),
  );
}

/** Requirements with the new ids of operations in their own ids: `client.listBooks.limit`. */
function renaming(asked: VersionRequirements, names: ReadonlyMap<string, string>): VersionRequirements {
  if (names.size === 0) return asked;
  const named = (id: string): string => {
    if (id.startsWith(CLIENT)) return CLIENT + named(id.slice(CLIENT.length));
    // An operation id may contain dots.
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

/** A new optional field breaks no service: it need not send the field. */
function breaksService({ change, after, isRequired }: RequirementChange): boolean {
  if (after?.level !== 'must') return false;
  return change === 'tightens' || change === 'changes' || (change === 'appears' && isRequired !== false);
}

/** @param fresh ids of operations that the older version does not have */
function breaksClients({ change, after, isRequired }: RequirementChange, fresh: ReadonlySet<string>) {
  if (change === 'tightens' || change === 'changes') return true;
  return change === 'appears' && isRequired === true && !fresh.has(after?.operation ?? '');
}

/** The requirements of a version for requests. */
function askedOfClients({ operations }: Pick<Contract, 'operations'>): VersionRequirements {
  const places = new Map<string, RequirementSchema>();
  const add = (rule: string, place: RequirementSchema) => {
    const id = CLIENT + rule;
    if (!places.has(id)) places.set(id, place);
  };
  for (const { id, parameters, body } of operations) {
    // A path parameter cannot be left out, and clients do not see its name.
    for (const { name, schema, required, in: place } of parameters)
      add(`${id}.${name}`, { schema, required: required && place !== 'path' });
    if (!body) continue;
    add(`${id}.body`, { schema: {}, required: body.required });
    for (const field of fieldsOf(body.schema, body.schema['x-component'] ?? `${id}.body`))
      add(field.id, field);
  }
  return { requirements: derivedClientChecks({ operations }).map(({ requirement }) => requirement), places };
}
