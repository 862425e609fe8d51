import { loadContract, readSources } from '../contract/load.ts';
import { type Contract, UnknownSet } from '../model/contract.ts';
import { UsageError } from './options.ts';

/**
 * The contract that options ask for: all requirements, or those of an older version of petspec.
 * @throws UsageError where there is no such version
 */
export function contractOf({ set }: { set?: string | undefined }): Contract {
  try {
    return loadContract(readSources(), set);
  } catch (error) {
    if (error instanceof UnknownSet) throw new UsageError(`--set ${error.message}`);
    throw error;
  }
}
