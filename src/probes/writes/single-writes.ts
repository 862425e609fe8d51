import { effectOf, namesIn, resourcesOf } from '../../contract/resources.ts';
import type { Contract, Operation } from '../../model/contract.ts';
import type { Late, Probe } from '../../model/probe.ts';
import { isReadOperation, shownPath } from '../reads/find-reads.ts';
import { sent, statedValues } from './write-request.ts';

/**
 * Where the target is disposable: each operation that nothing else sends, once, to what the lists show. They come last, as they may
 * change what other requests need, and of them the removals.
 */
export function unguardedWrites(contract: Contract, planned: readonly Probe[]): Probe[] {
  const known = new Set(planned.map(({ operation }) => operation));
  return contract.operations
    .filter((each) => each.isUnguarded && !isReadOperation(each) && !known.has(each.id))
    .toSorted((one, other) => rank(one) - rank(other))
    .flatMap((operation) => {
      const path = shownPath(contract, operation);
      const values = namesIn(operation.path).map((name): string | Late => path?.[name] ?? '');
      const own = path && sent(operation, 'sandbox', 'remove', 'in a sandbox', 'first', values);
      return own ? [{ ...own, creates: false, isUnguarded: true as const }] : [];
    });
}

/** A collection goes after the single things. */
function rank({ method, path }: Operation): number {
  if (method !== 'DELETE') return 0;
  return path.endsWith('}') ? 1 : 2;
}

/** What the user stated values for and petspec could not send otherwise: once, with these values. */
export function statedWrites(contract: Contract): Probe[] {
  const planned = new Set(resourcesOf(contract).flatMap(({ create }) => create.id));
  return contract.operations.flatMap((operation) => {
    const effect = effectOf(operation, contract);
    if (!operation.isAllowed || effect === 'read' || planned.has(operation.id)) return [];
    const values = statedValues(operation);
    if (!values.every((each) => each !== undefined)) return [];
    const own = sent(
      operation,
      'example',
      effect === 'remove' ? 'remove' : 'other',
      'as in the examples',
      'first',
      values,
    );
    return own ? [own] : [];
  });
}
