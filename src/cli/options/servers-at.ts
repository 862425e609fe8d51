import type { Contract } from '../../model/contract.ts';
import { UsageError } from '../../model/usage-error.ts';
import type { Servers } from '../../traffic/match-operation.ts';

/**
 * The base URLs below which the operations of an interface are, if the target is the only one that is named: several documents
 * are at its origin, each below a path of its own.
 * @param option names the target in the error
 * @throws UsageError if the target of several documents has a path
 */
export function serversAt(target: string, { bases }: Pick<Contract, 'bases'>, option: string): Servers {
  if (bases === undefined) return { baseUrl: target };
  const { origin, pathname } = new URL(target);
  if (pathname !== '/')
    throw new UsageError(
      `${option}: '${target}' has a path, and each of several documents has its own; name ${origin} and, if a document does not say its path, --interface /path=file`,
    );
  return Object.fromEntries(Object.entries(bases).map(([address, base]) => [address, origin + base]));
}
