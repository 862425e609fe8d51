import type { Contract, Operation } from '../../model/contract.ts';
import type { Probe } from '../../model/probe.ts';

const counts = new WeakMap<readonly Operation[], number>();

/** In how many ways the operations of an interface take a key: petspec has one key, which may be right for one of them. */
function waysOf(operations: readonly Operation[]): number {
  const known = counts.get(operations);
  if (known !== undefined) return known;
  const ways = new Set(
    operations.filter(({ secured }) => secured).map(({ credential }) => JSON.stringify(credential ?? {})),
  );
  counts.set(operations, ways.size);
  return ways.size;
}

/** Why an operation may refuse the key that another one accepts, in words; nothing if there is no such reason. */
export function perhapsOtherKey(
  { probe, operation }: { probe: Pick<Probe, 'key'>; operation: Operation },
  status: number,
  { operations }: Pick<Contract, 'operations'>,
): string {
  const isAboutKey = probe.key === 'valid' && (status === 401 || status === 403);
  if (!isAboutKey || !operation.secured || waysOf(operations) < 2) return '';
  const { in: place, name } = operation.credential ?? { in: 'header', name: 'Authorization' };
  return `; the document has several kinds of keys, and the one of this run may not be one for the ${place} ${name}`;
}
