import { loadContract } from '../contract/load.ts';
import { type Contract, UnknownSet } from '../model/contract.ts';
import { UsageError } from './options.ts';

/**
 * The contract with all requirements, or with those of an older version of petspec.
 * @throws UsageError if the version is unknown
 */
export function contractOf({ set }: { set?: string | undefined }): Contract {
  try {
    return loadContract(undefined, set);
  } catch (error) {
    if (error instanceof UnknownSet) throw new UsageError(`--set ${error.message}`);
    throw error;
  }
}
