import type { Contract, Operation } from '../../model/contract.ts';
import { operationsById } from '../../model/large/lookups.ts';
import { type Probe, sourcesOf } from '../../model/probe.ts';
import { needsNothing } from '../../probes/order.ts';
import { isReadOperation } from '../../probes/reads/find-reads.ts';

/** The requests that a profile may send: reads alone. */
export interface ProfileProbes {
  /** One plain read of each operation, in the order in which they are tried. */
  reads: readonly Probe[];
  /** The requests that measure the cost of each kind of request, for the chosen read. */
  measuring(meter: Probe): Measuring;
  /** The contract with the operations of the HEAD requests. */
  contract: Contract;
}

/** What is sent between two meters. Absent if the interface has no such request. */
export interface Measuring {
  'wrong-key'?: Probe;
  rejected?: Probe;
  head: Probe;
  unchanged: Probe;
}

/** The most operations that are tried. */
const MOST_READS = 6;

/** @param probes what the interface implies */
export function profileProbes(contract: Contract, probes: readonly Probe[]): ProfileProbes {
  const operations = operationsById(contract.operations);
  const isRead = (probe: Probe) => {
    const operation = operations.get(probe.operation);
    return operation !== undefined && isReadOperation(operation) && operation.address === 'baseUrl';
  };
  const reads = probes.filter(isRead);
  const plain = reads.filter(
    ({ validity, key, spelling, isPartial, onlyIf, isWriting, stage }) =>
      validity === 'valid' &&
      key === 'valid' &&
      !spelling &&
      !isPartial &&
      !onlyIf &&
      !isWriting &&
      stage !== 'recover',
  );
  const free = firstOfEach(plain.filter(needsNothing));
  const freeIds = new Set(free.map(({ id }) => id));
  const after = firstOfEach(plain.filter((probe) => sourcesOf(probe).some((source) => freeIds.has(source))));
  const tried = new Set(free.map(({ operation }) => operation));
  const chosen = [...free, ...after.filter(({ operation }) => !tried.has(operation))].slice(0, MOST_READS);
  const heads = chosen.flatMap(({ operation }) => headOf(operations.get(operation)));
  return {
    reads: chosen.map(unvaried),
    contract: { ...contract, operations: [...contract.operations, ...heads] },
    measuring: (meter) => ({
      ...wrongKey(meter, operations.get(meter.operation)),
      ...rejected(meter, reads),
      head: { ...meter, operation: headName(meter.operation) },
      unchanged: {
        ...meter,
        headers: [...(meter.headers ?? []), ['if-none-match', { late: 'validator', header: 'ETag' }]],
      },
    }),
  };
}

function firstOfEach(probes: readonly Probe[]): Probe[] {
  const seen = new Set<string>();
  return probes.filter(({ operation }) => !seen.has(operation) && seen.add(operation));
}

/** A probe as a profile sends it: plain, and whenever its turn comes. */
function unvaried({
  variations: _,
  rounds: _rounds,
  lenient: _lenient,
  burst: _burst,
  ...probe
}: Probe): Probe {
  return { ...probe, stage: 'read' };
}

function headName(operation: string): string {
  return `${operation} (HEAD)`;
}

function headOf(operation: Operation | undefined): Operation[] {
  return operation ? [{ ...operation, id: headName(operation.id), method: 'HEAD' }] : [];
}

function wrongKey(meter: Probe, operation: Operation | undefined): { 'wrong-key'?: Probe } {
  return operation?.secured ? { 'wrong-key': { ...meter, key: 'unknown' } } : {};
}

/** A read that the service must reject for another reason than its key, preferably of the same operation. */
function rejected(meter: Probe, reads: readonly Probe[]): { rejected?: Probe } {
  const invalid = reads.filter(
    (probe) => probe.validity === 'invalid' && probe.key === 'valid' && sourcesOf(probe).length === 0,
  );
  const chosen = invalid.find(({ operation }) => operation === meter.operation) ?? invalid[0];
  return chosen ? { rejected: unvaried(chosen) } : {};
}
