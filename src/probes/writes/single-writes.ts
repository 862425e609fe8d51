import { effectOf, namesIn, resourcesOf } from '../../contract/resources.ts';
import type { Contract, Operation } from '../../model/contract.ts';
import type { Late, Probe } from '../../model/probe.ts';
import type { KeysOfDocument } from '../keys.ts';
import { isReadOperation, shownPath } from '../reads/find-reads.ts';
import { sent, statedValues, wrongKeys } from './write-request.ts';

/**
 * For disposable targets: each write that the plan lacks, once, to what lists show, and with wrong keys. They come last, removals after
 * the others, because they may change what other requests need.
 */
export function unguardedWrites(
  contract: Contract,
  planned: readonly Probe[],
  keysOf: KeysOfDocument,
): Probe[] {
  const plannedIds = new Set(planned.map(({ operation }) => operation));
  return contract.operations
    .filter(
      (operation) => operation.isUnguarded && !isReadOperation(operation) && !plannedIds.has(operation.id),
    )
    .toSorted((a, b) => rank(a) - rank(b))
    .flatMap((operation) => {
      const path = shownPath(contract, operation);
      const values = namesIn(operation.path).map((name): string | Late => path?.[name] ?? '');
      const probe = path && sent(operation, 'sandbox', 'remove', 'in a sandbox', 'first', values);
      if (!probe) return [];
      const keyless = wrongKeys(operation, values, keysOf(operation, probe.id));
      return [
        ...keyless.map((each) => ({ ...each, creates: false })),
        { ...probe, creates: false, isUnguarded: true as const },
      ];
    });
}

/** Removals come last, those of whole collections after those of single things. */
function rank({ method, path }: Operation): number {
  if (method !== 'DELETE') return 0;
  return path.endsWith('}') ? 1 : 2;
}

/** Writes that petspec can send only with the values that the user stated, once each. */
export function statedWrites(contract: Contract): Probe[] {
  const planned = new Set(resourcesOf(contract).flatMap(({ create }) => create.id));
  return contract.operations.flatMap((operation) => {
    const effect = effectOf(operation, contract);
    if (!operation.isAllowed || effect === 'read' || planned.has(operation.id)) return [];
    const values = statedValues(operation);
    if (!values.every((value) => value !== undefined)) return [];
    const probe = sent(
      operation,
      'example',
      effect === 'remove' ? 'remove' : 'other',
      'as in the examples',
      'first',
      values,
    );
    return probe ? [probe] : [];
  });
}
