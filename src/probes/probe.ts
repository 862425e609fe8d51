import { createsRecord } from '../contract/resources.ts';
import type { Operation, Parameter } from '../model/contract.ts';
import { OPEN } from '../model/http/expectation.ts';
import { groupedBy } from '../model/large/lookups.ts';
import type { Late, Probe, Sources, Stage } from '../model/probe.ts';

/** A valid probe with the right key, apart from what `fields` says. @param id unique within the operation */
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

/** The responses in which the value of a path parameter is looked for; none if it is known or generated. */
export function sourcesIn(value: string | Late | undefined): Sources {
  return typeof value === 'object' && value.late === 'response' ? value.sources : [];
}

/** The parameters of the path, in the order of the document. */
export function pathParameters({ parameters }: Operation): Parameter[] {
  return parameters.filter((parameter) => parameter.in === 'path');
}

/** The parameters of the query, in the order of the document. */
export function queryParameters({ parameters }: Operation): Parameter[] {
  return parameters.filter((parameter) => parameter.in === 'query');
}

/** Finds the probes of an operation, in their order. */
export function byOperation(probes: readonly Probe[]): (operation: string) => readonly Probe[] {
  const grouped = groupedBy(probes, (probe) => probe.operation);
  return (operation) => grouped.get(operation) ?? [];
}

/** The documented statuses of success. */
export function success(operation: Operation): string[] {
  return operation.responses.map(({ status }) => status).filter((status) => status.startsWith('2'));
}

/** A list with the status, or an empty list if the operation does not document it. */
export function documented(operation: Operation, status: string): string[] {
  return operation.responses.some((response) => response.status === status) ? [status] : [];
}

/** A query in which a parameter has other values. */
export function withValues(
  query: Probe['query'],
  name: string,
  values: readonly (readonly [string, string])[],
): Probe['query'] {
  return [...query.filter(([parameter]) => parameter !== name), ...values];
}
