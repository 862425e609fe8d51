import type { Contract, Operation, RequestBody } from '../model/contract.ts';
import { expecting, isExpected } from '../model/http/expectation.ts';
import type { Steps } from '../model/large/steps.ts';
import type { Probe } from '../model/probe.ts';
import { invalidBodies, validBodies } from './bodies.ts';
import { guessedRequests, keyProbes, spelledProbes } from './keys.ts';
import { byStage, needsNothing, withStart } from './order.ts';
import { knownPath, parameterProbes, pathProbes } from './parameters.ts';
import { byOperation, documented, probe, queryParameters, success } from './probe.ts';
import { derivingReads } from './reads/derive-reads.ts';
import { surelyWrongIn } from './validity.ts';

/**
 * All probes that a complete interface implies, sorted by stage. They are derived from the OpenAPI document alone: no operation
 * is known by name here.
 * @param added probes of checks, which get the same controls as the others
 * @param seed decides which wrong keys and address spellings go to which operation, and which extreme value is sent
 */
export function deriveProbes(
  contract: Contract,
  added: readonly Probe[] = [],
  seed: number | 'none' = 'none',
): Probe[] {
  const isKept = keptBy(contract, added);
  const bases = contract.operations.flatMap((operation) => baseProbes(operation));
  const first = bases.find((probe) => probe.expectation.kind !== 'open' && probe.stage === 'list');
  const basesOf = byOperation(bases);
  const valid = contract.operations.flatMap((operation) =>
    basesOf(operation.id).length > 0 ? parameterProbes(operation) : [],
  );
  const creations = contract.operations.flatMap((operation) =>
    isCreation(operation) ? validBodies(operation, operation.body, seed) : [],
  );
  const ordinary = [
    ...bases.map((probe) => (probe === first ? { ...probe, stage: 'first' as const } : probe)),
    ...creations,
  ];
  const reads = readProbes(contract, ordinary);
  const invalid = contract.operations.flatMap((operation) => [
    ...(isCreation(operation) ? invalidBodies(operation, operation.body) : []),
    ...pathProbes(operation, reads),
  ]);
  const probes = withControls([...ordinary, ...added, ...reads, ...valid, ...invalid].filter(isKept));
  const keys = keyProbes(contract, probes, first, seed);
  const spelled = spelledProbes(contract, guessedRequests(probes), seed);
  const sent = [...probes, ...keys, ...spelled, ...exhaustProbes(contract, probes)];
  return withStart(byStage(sent), startReads(contract, probes, first), contract);
}

/** A read of each operation that the run can start with: the plainest request, or an id that does not exist. */
function startReads({ operations }: Contract, probes: readonly Probe[], first: Probe | undefined): Probe[] {
  const probesOf = byOperation(probes);
  return operations.flatMap(({ id, method }) => {
    if (method !== 'GET' || id === first?.operation) return [];
    return probesOf(id)
      .filter((probe) => needsNothing(probe) && !probe.onlyIf)
      .slice(0, 1);
  });
}

/** The probes of any interface, complete or not, derived in steps. */
export function* derivedProbes(
  contract: Contract,
  added: readonly Probe[],
  seed: number | 'none',
): Steps<Probe[]> {
  if (contract.isComplete) return deriveProbes(contract, added, seed);
  return (yield* derivingReads(contract, added, seed)).filter(keptBy(contract, added));
}

/** Drops invalid probes that the document allows after all. Those of checks stay: no schema may state what they violate. */
function keptBy(contract: Contract, added: readonly Probe[]): (probe: Probe) => boolean {
  const isSurelyWrong = surelyWrongIn(contract);
  const ids = new Set(added.map(({ id }) => id));
  return (probe) => ids.has(probe.id) || isSurelyWrong(probe);
}

/** Whether an operation adds something to a collection. */
function isCreation(operation: Operation): operation is Operation & { body: RequestBody } {
  return operation.body !== undefined && operation.method === 'POST' && !operation.path.includes('{');
}

/** Makes the plainest valid request of each operation a control of its other requests. */
function withControls(probes: readonly Probe[]): Probe[] {
  const controls = byOperation(
    probes.filter(({ expectation, validity }) => expectation.kind === 'due' && validity === 'valid'),
  );
  return probes.map((probe) => {
    const [plainest] = controls(probe.operation);
    return !plainest || plainest === probe ? probe : { ...probe, controls: [plainest.id, ...probe.controls] };
  });
}

/** The plainest read of an operation, if it has no required parameters. */
function baseProbes(operation: Operation): Probe[] {
  if (operation.method !== 'GET' || operation.parameters.some((parameter) => parameter.required)) return [];
  const expectation = expecting(success(operation));
  const isDocumented = expectation.kind !== 'open';
  return [
    probe(operation, 'plain', isDocumented ? 'list' : 'other', {
      title: isDocumented ? 'without parameters' : 'a plain request',
      expectation,
      validity: isDocumented ? 'valid' : 'open',
    }),
  ];
}

/** Reads by the links of the OpenAPI document: of created things, and of the first entry of a list. */
function readProbes(contract: Contract, sources: readonly Probe[]): Probe[] {
  const links = contract.operations.flatMap((source) =>
    source.responses.flatMap((response) => response.links.map((link) => ({ source, link }))),
  );
  const operations = new Map(contract.operations.map((operation) => [operation.id, operation]));
  const sourcesOf = byOperation(sources);
  const reads = links.flatMap(({ source, link }) => {
    const target = operations.get(link.operation);
    if (!target) return [];
    return sourcesOf(source.id)
      .filter((probe) => !probe.creates || probe.isReadBack)
      .map((origin) =>
        probe(target, origin.id, 'read', {
          title: origin.creates ? `what was created with ${origin.title}` : 'the first of the list',
          expectation: expecting(success(target), origin.creates ? [] : documented(target, '404')),
          path: {
            [link.parameter]: { late: 'response', sources: [{ probe: origin.id, pointer: link.pointer }] },
          },
        }),
      );
  });
  // Somebody may delete a listed entry, so reads of what this run created come first.
  const isListed = ({ expectation }: Probe) => isExpected(expectation, '404');
  return [...reads.filter((read) => !isListed(read)), ...reads.filter(isListed)];
}

/**
 * The cheapest read of each operation, to be sent until the limit is reached and once more after the wait. A run uses the
 * first one that the limit covers.
 */
function exhaustProbes(contract: Contract, planned: readonly Probe[]): Probe[] {
  const probesOf = byOperation(planned);
  const reads = contract.operations.filter(
    ({ method, address }) => method === 'GET' && address === 'baseUrl',
  );
  return reads.flatMap((operation) => {
    const probes = probesOf(operation.id);
    const right = probes.find((probe) => !probe.onlyIf && probe.validity !== 'invalid');
    const path = knownPath(probes, operation.id);
    if (!right || !path) return [];
    const query = queryParameters(operation)
      .filter(({ schema }) => schema.minimum !== undefined)
      .map(({ name, schema }) => [name, String(schema.minimum)] as const);
    const [bound] = query;
    const rule = query.length === 1 && bound ? `${operation.id}.${bound[0]}.minimum` : undefined;
    const fields = {
      ...(rule ? { rule } : {}),
      controls: probes.filter((probe) => rule !== undefined && probe.rule === rule).map(({ id }) => id),
      expectation: right.expectation,
      validity: right.validity,
      query,
      path,
    };
    return [
      probe(operation, 'exhaust', 'exhaust', { title: 'until the limit is reached', ...fields }),
      probe(operation, 'recover', 'recover', { title: 'after the time that Retry-After states', ...fields }),
    ];
  });
}
