import { createsRecord } from '../contract/resources.ts';
import type { Operation } from '../model/contract.ts';
import { OPEN } from '../model/http/expectation.ts';
import { groupedBy } from '../model/large/grouped.ts';
import type { Late, Probe, Sources, Stage } from '../model/probe.ts';

/** A probe of an operation with the right key; `fields` says what is particular about it. */
export function probe(
  operation: Operation,
  id: string,
  stage: Stage,
  fields: Partial<Probe> & { title: string },
): Probe {
  return {
    id: `${operation.id}:${id}`,
    operation: operation.id,
    stage: operation.address === 'apiUrl' ? 'messages' : stage,
    validity: 'valid',
    expectation: OPEN,
    key: 'valid',
    query: [],
    path: {},
    controls: [],
    creates: createsRecord(operation),
    ...fields,
  };
}

/** Where the value of a path is looked for; nowhere if it is known or made. */
export function sourcesIn(value: string | Late | undefined): Sources {
  return typeof value === 'object' && value.late === 'response' ? value.sources : [];
}

/** The probes of each operation, in order. */
export function byOperation(probes: readonly Probe[]): (operation: string) => readonly Probe[] {
  const found = groupedBy(probes, (each) => each.operation);
  return (operation) => found.get(operation) ?? [];
}

/** The documented statuses of success. */
export function success(operation: Operation): string[] {
  return operation.responses.map(({ status }) => status).filter((status) => status.startsWith('2'));
}

/** A status as a list: empty if the operation does not document it. */
export function documented(operation: Operation, status: string): string[] {
  return operation.responses.some((response) => response.status === status) ? [status] : [];
}
