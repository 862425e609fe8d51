import type { Contract, Operation } from '../../model/contract.ts';
import type { Probe } from '../../model/probe.ts';

/** Entries of the first list that further requests read by their ids, one after the other. */
export const LISTED = 20;

/** How an entry of a list is read by its id, as a link of the contract says. */
export interface EntryLink {
  source: Operation;
  target: Operation;
  parameter: string;
  /** The pointer to the id of the entry at a place. */
  pointerAt: (place: number) => string;
  /** Entries of the longest list; 1 if the contract has no bound. */
  longest: number;
}

/** The links of a contract from the first entry of a list. */
export function entryLinks({ operations }: Contract): EntryLink[] {
  return operations.flatMap((source) =>
    source.responses
      .flatMap(({ links }) => links)
      .filter(({ pointer }) => pointer.startsWith('/0/'))
      .flatMap(({ operation, parameter, pointer }) => {
        const target = operations.find(({ id }) => id === operation);
        const pointerAt = (place: number) => pointer.replace('/0/', `/${place}/`);
        return target ? [{ source, target, parameter, pointerAt, longest: longestOf(source) }] : [];
      }),
  );
}

/** The largest value of a size in the query. */
function longestOf({ parameters }: Operation): number {
  const sizes = parameters.filter((each) => each.in === 'query').map(({ schema }) => schema.maximum ?? 1);
  return Math.max(1, ...sizes);
}

/** The request of a plan whose list is the longest: with the largest size, and nothing else. */
export function longestList(planned: readonly Probe[], { source, longest }: EntryLink): Probe | undefined {
  return planned.find(
    ({ operation, key, validity, query }) =>
      operation === source.id &&
      key === 'valid' &&
      validity === 'valid' &&
      query.length === 1 &&
      query.every(([, value]) => value === String(longest)),
  );
}
