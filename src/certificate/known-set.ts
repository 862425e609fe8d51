import type { Contract } from '../model/contract.ts';
import { UsageError } from '../model/usage-error.ts';
import { contractOf } from '../run/contract-of.ts';

/** The contract with a set of requirements; undefined if this petspec does not have the set. */
export function knownSet(set: string): Contract | undefined {
  try {
    const contract = contractOf({ set });
    return contract.set === set ? contract : undefined;
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}
