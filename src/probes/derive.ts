import type { Contract, Operation, RequestBody } from '../model/contract.ts';
import { expecting, isExpected } from '../model/http/expectation.ts';
import type { Steps } from '../model/large/steps.ts';
import type { Probe } from '../model/probe.ts';
import { invalidBodies, validBodies } from './bodies.ts';
import { keyProbes, spelledProbes } from './keys.ts';
import { byStage, needsNothing, withStart } from './order.ts';
import { knownPath, parameterProbes, pathProbes } from './parameters.ts';
import { byOperation, documented, probe, success } from './probe.ts';
import { derivingReads } from './reads/derive-reads.ts';
import { surelyWrongIn } from './validity.ts';

/**
 * All probes that a complete interface implies, stage by stage. No operation is known by name here: whatever the OpenAPI
 * document describes is probed.
 * @param added probes that checks add; they get the same controls as the others
 * @param seed which wrong keys, and which other spellings of an address, go to which operation, and which extreme value
 */
export function deriveProbes(
  contract: Contract,
  added: readonly Probe[] = [],
  seed: number | 'none' = 'none',
): Probe[] {
  const isKept = keptBy(contract, added);
  const bases = contract.operations.flatMap((operation) => baseProbes(operation));
  const first = bases.find((each) => each.expectation.kind !== 'open' && each.stage === 'list');
  const basesOf = byOperation(bases);
  const valid = contract.operations.flatMap((operation) =>
    basesOf(operation.id).length > 0 ? parameterProbes(operation) : [],
  );
  const creations = contract.operations.flatMap((operation) =>
    isCreation(operation) ? validBodies(operation, operation.body, seed) : [],
  );
  const ordinary = [
    ...bases.map((each) => (each === first ? { ...each, stage: 'first' as const } : each)),
    ...creations,
  ];
  const reads = readProbes(contract, ordinary);
  const invalid = contract.operations.flatMap((operation) => [
    ...(isCreation(operation) ? invalidBodies(operation, operation.body) : []),
    ...pathProbes(operation, reads),
  ]);
  const probes = withControls([...ordinary, ...added, ...reads, ...valid, ...invalid].filter(isKept));
  const keys = keyProbes(contract, probes, first, seed);
  const spelled = seed === 'none' ? [] : spelledProbes(contract, probes, seed);
  const all = [...probes, ...keys, ...spelled, ...exhaustProbes(contract, probes)];
  return withStart(byStage(all), startReads(contract, probes, first), contract);
}

/** A read of each operation for the start: the plainest request, or an id that does not exist, whose 404 is documented. */
function startReads({ operations }: Contract, all: readonly Probe[], first: Probe | undefined): Probe[] {
  const probesOf = byOperation(all);
  return operations.flatMap(({ id, method }) => {
    if (method !== 'GET' || id === first?.operation) return [];
    return probesOf(id)
      .filter((each) => needsNothing(each) && !each.onlyIf)
      .slice(0, 1);
  });
}

/** The probes of any interface, in steps. */
export function* derivedProbes(
  contract: Contract,
  added: readonly Probe[],
  seed: number | 'none',
): Steps<Probe[]> {
  if (contract.isComplete) return deriveProbes(contract, added, seed);
  return (yield* derivingReads(contract, added)).filter(keptBy(contract, added));
}

/** What a check adds may be wrong by a sentence that no schema states. */
function keptBy(contract: Contract, added: readonly Probe[]): (probe: Probe) => boolean {
  const isSurelyWrong = surelyWrongIn(contract);
  const ids = new Set(added.map(({ id }) => id));
  return (each) => ids.has(each.id) || isSurelyWrong(each);
}

/** Whether an operation adds something to a collection: what replaces or removes something needs what the run created. */
function isCreation(operation: Operation): operation is Operation & { body: RequestBody } {
  return operation.body !== undefined && operation.method === 'POST' && !operation.path.includes('{');
}

/** The plainest valid request of each operation is a control of all its others. */
function withControls(probes: readonly Probe[]): Probe[] {
  const controls = byOperation(
    probes.filter(({ expectation, validity }) => expectation.kind === 'due' && validity === 'valid'),
  );
  return probes.map((each) => {
    const [plainest] = controls(each.operation);
    return !plainest || plainest === each ? each : { ...each, controls: [plainest.id, ...each.controls] };
  });
}

/** The request of an operation that needs no body and no path parameter. */
function baseProbes(operation: Operation): Probe[] {
  if (operation.method !== 'GET' || operation.parameters.some((each) => each.required)) return [];
  const expectation = expecting(success(operation));
  const known = expectation.kind !== 'open';
  return [
    probe(operation, 'plain', known ? 'list' : 'other', {
      title: known ? 'without parameters' : 'a plain request',
      expectation,
      validity: known ? 'valid' : 'open',
    }),
  ];
}

/** Reads by the links of the OpenAPI document: of what was created, and of the first listed. */
function readProbes(contract: Contract, sources: readonly Probe[]): Probe[] {
  const links = contract.operations.flatMap((source) =>
    source.responses.flatMap((response) => response.links.map((link) => ({ source, link }))),
  );
  const operations = new Map(contract.operations.map((each) => [each.id, each]));
  const sourcesOf = byOperation(sources);
  const reads = links.flatMap(({ source, link }) => {
    const target = operations.get(link.operation);
    if (!target) return [];
    return sourcesOf(source.id)
      .filter((each) => !each.creates || each.isReadBack)
      .map((each) =>
        probe(target, each.id, 'read', {
          title: each.creates ? `what was created with ${each.title}` : 'the first of the list',
          expectation: expecting(success(target), each.creates ? [] : documented(target, '404')),
          path: {
            [link.parameter]: { late: 'response', sources: [{ probe: each.id, pointer: link.pointer }] },
          },
        }),
      );
  });
  // Somebody may delete what is listed, so the plainest read is one of what this run created.
  const isListed = ({ expectation }: Probe) => isExpected(expectation, '404');
  return [...reads.filter((read) => !isListed(read)), ...reads.filter(isListed)];
}

/**
 * The cheapest read of each operation, to be sent until its limit is reached and once more after the wait. A run uses
 * the first one that the limit covers.
 */
function exhaustProbes(contract: Contract, all: readonly Probe[]): Probe[] {
  const probesOf = byOperation(all);
  const reads = contract.operations.filter(
    ({ method, address }) => method === 'GET' && address === 'baseUrl',
  );
  return reads.flatMap((operation) => {
    const probes = probesOf(operation.id);
    const right = probes.find((each) => !each.onlyIf && each.validity !== 'invalid');
    const path = knownPath(probes, operation.id);
    if (!right || !path) return [];
    const small = operation.parameters.filter(
      (each) => each.in === 'query' && each.schema.minimum !== undefined,
    );
    const query = small.map((each) => [each.name, String(each.schema.minimum)] as const);
    const [bound] = query;
    const rule = query.length === 1 && bound ? `${operation.id}.${bound[0]}.minimum` : undefined;
    const fields = {
      ...(rule ? { rule } : {}),
      controls: probes.filter((each) => rule !== undefined && each.rule === rule).map(({ id }) => id),
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
