import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import {
  type Contract,
  ContractError,
  type Gap,
  type Operation,
  type Requirement,
  type Schema,
  type Unjudged,
} from '../model/contract.ts';
import { atOnce, type Steps } from '../model/large/steps.ts';
import { packageVersion } from '../model/package-root.ts';
import { credentialsOf } from './document/credentials.ts';
import { type Listed, listedIn, withListed } from './document/own-requirements.ts';
import { linesOf } from './document/patterns.ts';
import { schemaReader } from './document/read-schema.ts';
import { follow } from './document/references.ts';
import { generalRequirements, semanticRequirements } from './implied-requirements.ts';
import {
  basePathOf,
  METHODS,
  operationOf,
  operationsIn,
  otherMethods,
  streamOf,
  unsupportedIn,
} from './openapi/operations.ts';
import { type DocumentReading, type Node, written } from './openapi/reading.ts';
import { withHeaderIds } from './openapi/responses.ts';
import { derivingRequirements } from './requirements.ts';
import { isObject } from './schema.ts';
import { asOf, compareVersions, setOf } from './sets.ts';
import { followedRequirements, listRequirements } from './things/lists.ts';

/** The files of an interface. */
export interface InterfaceSources {
  /** The OpenAPI document, with references to places in it only. */
  document: Node;
  /** The content of requirements.yaml; undefined without one. */
  listed?: Node | undefined;
  /** The texts of all files. */
  texts: readonly string[];
  /** Absolute path of the document; undefined for the bundled interface. */
  file?: string | undefined;
  /** By version, the digests of its interface, and of its set before it was reworded. */
  digests?: Readonly<Record<string, { set?: string[]; interface?: string[] }>>;
}

/** The digest of an interface: two runs with equal digests were judged by the same one. */
export function digestOf(texts: readonly string[]): string {
  return createHash('sha256').update(texts.join('\0')).digest('hex');
}

/**
 * Makes the contract of an OpenAPI document and the sentences beside it. What petspec cannot derive is a gap of the contract,
 * and the rest is judged.
 * @param asked the version whose requirements to use; by default the newest
 * @throws ContractError with one line
 */
export function contractFrom(sources: InterfaceSources, asked?: string): Contract {
  return atOnce(readingContract(sources, asked));
}

/** The same in steps. */
export function* readingContract(sources: InterfaceSources, asked?: string): Steps<Contract> {
  const { document, texts, file, digests = {} } = sources;
  const listed = listedIn(sources.listed);
  const placeOf = file === undefined ? () => '' : linesOf(basename(file), texts[0] ?? '');
  const latest = yield* statedBy(document, listed, placeOf);
  const sets = [...new Set(latest.requirements.map(({ since }) => since))].sort(compareVersions);
  const newest = sets.at(-1) ?? '';
  const set = setOf(asked ?? newest, sets, packageVersion);
  const { operations, requirements, gaps, unjudged } =
    set === newest ? latest : yield* statedBy(asOf(document, set) as Node, listed, placeOf, set);
  const ids = new Set(requirements.map(({ id }) => id));
  const info = isObject(document.info) ? document.info : {};
  return {
    title: written(info.title ?? 'this interface'),
    version: written(info.version ?? ''),
    digest: digestOf(texts),
    earlierDigests: {
      interface: Object.values(digests).flatMap((version) => version.interface ?? []),
      set: digests[set]?.set ?? [],
    },
    operations,
    basePath: basePathOf(document),
    requirements,
    set,
    sets,
    newer: latest.requirements.filter(({ id }) => !ids.has(id)),
    ratePlans: listed.plans,
    isComplete: listed.isComplete,
    stated: listed.requirements.map(({ id }) => id),
    noun: listed.noun,
    file,
    gaps,
    unjudged,
  };
}

/** The content of the files, up to a version if one is given. */
function* statedBy(
  stated: Node,
  listed: Listed,
  placeOf: (pattern: string) => string,
  set?: string,
): Steps<Pick<Contract, 'operations' | 'requirements' | 'gaps'> & { unjudged: readonly Unjudged[] }> {
  const unjudged: Unjudged[] = [];
  const gaps: Gap[] = [];
  const document = withReferred(stated, gaps);
  const read = yield* readOperations(document, listed.isComplete, placeOf, gaps, unjudged);
  const operations = withHeaderIds(read, document);
  if (listed.isComplete) requireComplete(operations, gaps);
  const sentences = listed.requirements.filter(
    ({ since }) => set === undefined || compareVersions(since, set) <= 0,
  );
  const implied = listed.isComplete
    ? yield* derivingRequirements(operations)
    : yield* implying(operations, Object.keys(listed.plans).length > 0);
  return { operations, requirements: withListed(implied, sentences), gaps, unjudged };
}

/** The requirements that the operations of a user's document imply. */
export function* implying(operations: readonly Operation[], isLimited = false): Steps<Requirement[]> {
  return [
    ...generalRequirements(operations, isLimited),
    ...(yield* derivingRequirements(operations)),
    ...semanticRequirements({ operations }),
    ...listRequirements(operations),
    ...followedRequirements(operations),
  ];
}

/** The document with the path items and the operations that it refers to. */
function withReferred(document: Node, gaps: Gap[]): Node {
  const referred = (operation: string, value: unknown): unknown => {
    if (!isObject(value) || typeof value.$ref !== 'string') return value;
    try {
      const { value: target } = follow(document, value.$ref);
      return isObject(target) ? { ...target, ...value } : value;
    } catch (error) {
      if (!(error instanceof ContractError)) throw error;
      gaps.push({ operation, isWhole: true, reason: error.message });
      return undefined;
    }
  };
  const paths = Object.entries(isObject(document.paths) ? document.paths : {}).map(([path, stated]) => {
    const item = referred(path, stated);
    if (!isObject(item)) return [path, item] as const;
    gaps.push(...otherMethods(item, path, written(document.openapi)));
    const operations = METHODS.filter((method) => isObject(item[method])).map(
      (method) => [method, referred(`${method.toUpperCase()} ${path}`, item[method])] as const,
    );
    return [path, { ...item, ...Object.fromEntries(operations) }] as const;
  });
  return { ...document, paths: Object.fromEntries(paths.filter(([, item]) => item !== undefined)) };
}

function* readOperations(
  document: Node,
  isComplete: boolean,
  placeOf: (pattern: string) => string,
  gaps: Gap[],
  unjudged: Unjudged[],
): Steps<Operation[]> {
  const schemas = schemaReader(document, isComplete ? 'must' : 'should', placeOf);
  const reading: DocumentReading = {
    follow: (reference) => follow(document, reference),
    schema: (source, direction, onGap) => schemas.read(source, direction, onGap),
    mayRefuse: !isComplete,
  };
  const ids = new Set<string>();
  const operations: Operation[] = [];
  for (const stated of operationsIn(document)) {
    yield;
    const name = `${stated.method.toUpperCase()} ${stated.path}`;
    const ownGaps = new Set<string>();
    const gap = (reason: string, isWhole: boolean) => gaps.push({ operation: name, isWhole, reason });
    try {
      const derived = operationOf(document, stated, reading, (words) => ownGaps.add(words));
      const reason = unsupportedIn(document, stated, derived, reading);
      if (reason !== undefined) {
        gap(reason, true);
        const { method, path, address } = derived;
        unjudged.push({ method, path, address, isStream: streamOf(derived) !== undefined });
        continue;
      }
      for (const words of ownGaps) gap(words, false);
      const source = stated.item[stated.method] as Node;
      const [credential, ...furtherCredentials] = credentialsOf(document, source, reading);
      const operation: Operation = {
        ...derived,
        id: ids.has(derived.id) ? name : derived.id,
        isKeyOptional: credential !== undefined && !derived.secured,
        // A bearer token is the default of an operation.
        credential: credential?.scheme === 'Bearer' && credential.key === undefined ? undefined : credential,
        furtherCredentials: furtherCredentials.length > 0 ? furtherCredentials : undefined,
      };
      ids.add(operation.id);
      operations.push(operation);
    } catch (error) {
      if (!(error instanceof ContractError)) throw error;
      gap(error.message, true);
      const { method, path } = stated;
      unjudged.push({ method: method.toUpperCase(), path, address: 'baseUrl', isStream: false });
    }
  }
  return operations;
}

/** The most schemas that one schema may consist of: references that double at each step would fill the memory. */
const MAX_SCHEMAS = 1_000;

/**
 * Refuses an interface that claims to be complete if petspec cannot test all of it: then no service could be shown to conform.
 * @throws ContractError that names the operation
 */
function requireComplete(operations: readonly Operation[], [gap]: readonly Gap[]): void {
  if (gap) throw new ContractError(`${gap.operation ?? 'the document'}: ${gap.reason}`);
  const untestable = operations.find(
    ({ method, path }) => method !== 'GET' && (method !== 'POST' || path.includes('{')),
  );
  if (untestable)
    throw new ContractError(
      `${untestable.id}: petspec sends no ${untestable.method} ${untestable.path}, so nothing could test what it must do`,
    );
  for (const { parameters, body, responses } of operations) {
    const schemas: Schema[] = [
      ...parameters.map(({ schema }) => schema),
      ...(body ? [body.schema] : []),
      ...responses.flatMap(({ schema }) => (schema ? [schema] : [])),
    ];
    for (const schema of schemas)
      requireFinite(schema, schema['x-component'] ?? 'schema', { left: MAX_SCHEMAS });
  }
}

function requireFinite(schema: Schema, name: string, budget: { left: number }): void {
  budget.left -= 1;
  if (budget.left < 0)
    throw new ContractError(`${name}: its references expand to more than ${MAX_SCHEMAS} schemas`);
  if (schema['x-circular'])
    throw new ContractError(`${schema['x-component'] ?? name}: this schema contains itself`);
  const { items, properties = {} } = schema;
  for (const inner of [...(items ? [items] : []), ...Object.values(properties)] as Schema[])
    requireFinite(inner, name, budget);
}
