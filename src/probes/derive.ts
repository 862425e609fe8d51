import type { Contract, Operation } from '../contract/types.ts';
import { invalidBodies, validBodies } from './bodies.ts';
import { parameterProbes, pathProbes } from './parameters.ts';
import { documented, probe, success } from './probe.ts';
import { type KeyKind, type Probe, STAGES } from './types.ts';

/** Creations that are read back one by one; of the others the response alone says enough. */
const READ_BACK = /:(minimal|full-\d+|bounds-\w+|beyond-2-53)$/;

/** Ways in which a key is wrong; the first operation gets all, every other one the two of different kind. */
const WRONG_KEYS: Readonly<Record<Exclude<KeyKind, 'valid'>, string>> = {
  absent: 'no key',
  unknown: 'an unknown key',
  empty: 'an empty key',
  scheme: 'the key under another scheme',
  longer: 'the key with one character more',
  shorter: 'the key with one character less',
};

/**
 * All probes that the contract gives rise to, in the order of a run. Nothing here knows an operation by name: what is
 * added to the OpenAPI document is probed.
 */
export function deriveProbes(contract: Contract): Probe[] {
  const bases = contract.operations.flatMap((operation) => baseProbes(operation));
  const first = bases.find((each) => each.acceptable.length > 0 && each.stage === 'list');
  const valid = contract.operations.flatMap((operation) => {
    const base = bases.find((each) => each.operation === operation.id);
    return base && operation.method === 'GET' ? parameterProbes(operation, base) : [];
  });
  const creations = contract.operations.flatMap((operation) =>
    operation.body ? validBodies(operation, operation.body) : [],
  );
  const invalid = contract.operations.flatMap((operation) => [
    ...(operation.body ? invalidBodies(operation, operation.body) : []),
    ...pathProbes(operation),
  ]);
  const ordinary = [
    ...bases.map((each) => (each === first ? { ...each, stage: 'first' as const } : each)),
    ...creations,
  ];
  const reads = readProbes(contract, ordinary);
  const probes = [...ordinary, ...reads, ...valid, ...invalid];
  return inOrder([...probes, ...keyProbes(contract, probes, first), ...exhaustProbes(contract, first)]);
}

/** The request of an operation that needs neither a body nor anything in its path. */
function baseProbes(operation: Operation): Probe[] {
  if (operation.method !== 'GET' || operation.parameters.some((each) => each.required)) return [];
  const acceptable = success(operation);
  const known = acceptable.length > 0;
  const title = known ? 'without parameters' : 'the operation as such';
  return [
    probe(operation, 'plain', known ? 'list' : 'other', {
      title,
      acceptable,
      validity: known ? 'valid' : 'open',
    }),
  ];
}

/** Reads by the document's links: of what was created, or, where nothing could be created, of what was listed. */
function readProbes(contract: Contract, sources: readonly Probe[]): Probe[] {
  const reads = contract.operations.flatMap((source) =>
    source.responses.flatMap((response) =>
      response.links.flatMap((link) => {
        const target = contract.operations.find(({ id }) => id === link.operation);
        if (!target) return [];
        return sources
          .filter((each) => each.operation === source.id && (!each.creates || READ_BACK.test(each.id)))
          .map((each) =>
            probe(target, each.id, 'read', {
              title: each.creates ? `what was created with ${each.title}` : 'the first of the listing',
              acceptable: each.creates ? success(target) : [...success(target), ...documented(target, '404')],
              path: {
                [link.parameter]: { late: 'response', sources: [{ probe: each.id, pointer: link.pointer }] },
              },
            }),
          );
      }),
    ),
  );
  const isListed = (read: Probe) => read.acceptable.includes('404');
  const inTurn = [...reads.filter((read) => !isListed(read)), ...reads.filter(isListed)];
  return inTurn.map((read) => {
    const created = reads
      .filter((each) => each.operation === read.operation && !isListed(each))
      .map(({ id }) => id);
    return isListed(read) && created.length > 0 ? { ...read, onlyIf: { unsent: created } } : read;
  });
}

/** Every secured operation with wrong keys, in a request that is right otherwise. */
function keyProbes(contract: Contract, probes: readonly Probe[], first: Probe | undefined): Probe[] {
  return contract.operations
    .filter((operation) => operation.secured)
    .flatMap((operation) => {
      const right = probes.find((each) => each.operation === operation.id && each.validity !== 'invalid');
      const refused = operation.responses
        .filter(({ status }) => status === '401')
        .map(({ status }) => status);
      if (!right || refused.length === 0) return [];
      const kinds = Object.keys(WRONG_KEYS) as (keyof typeof WRONG_KEYS)[];
      const own = operation.id === first?.operation ? kinds : kinds.slice(0, 2);
      const absent = `${operation.id}:key-absent`;
      return own.map((key) =>
        probe(operation, `key-${key}`, 'keys', {
          title: WRONG_KEYS[key],
          validity: 'invalid',
          acceptable: refused,
          // That an operation asks for no key at all is one fault, however many wrong keys it takes.
          ...(key === 'absent'
            ? {}
            : { rule: key === 'scheme' ? 'authentication.scheme' : 'authentication.key', control: absent }),
          key,
          query: right.query,
          path: anyOf(probes, operation.id),
          ...(right.body ? { body: right.body } : {}),
        }),
      );
    });
}

/** Path values from whatever source has one: a wrong key is to be refused before the path is looked at. */
function anyOf(probes: readonly Probe[], operation: string): Probe['path'] {
  const reads = probes.filter((each) => each.operation === operation && each.stage === 'read');
  const [parameter] = Object.keys(reads[0]?.path ?? {});
  if (parameter === undefined) return {};
  const sources = reads.flatMap(({ path }) => {
    const value = path[parameter];
    return typeof value === 'object' && value.late === 'response' ? value.sources : [];
  });
  return { [parameter]: { late: 'response', sources, otherwise: '1' } };
}

/** The cheapest read, again and again until the limit is reached; and once more when it is over. */
function exhaustProbes(contract: Contract, first: Probe | undefined): Probe[] {
  const operation = contract.operations.find(({ id }) => id === first?.operation);
  if (!first || !operation) return [];
  const small = operation.parameters.filter(
    (each) => each.in === 'query' && each.schema.minimum !== undefined,
  );
  const query = small.map((each) => [each.name, String(each.schema.minimum)] as const);
  const acceptable = success(operation);
  return [
    probe(operation, 'exhaust', 'exhaust', { title: 'until the limit is reached', acceptable, query }),
    probe(operation, 'recover', 'recover', {
      title: 'after the time that Retry-After states',
      acceptable,
      query,
    }),
  ];
}

/** Stage by stage; within a stage in the order of derivation. */
export function inOrder(probes: readonly Probe[]): Probe[] {
  return STAGES.flatMap((stage) => probes.filter((each) => each.stage === stage));
}
