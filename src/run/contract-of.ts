import { loadContract } from '../contract/load.ts';
import { readInterface } from '../contract/read-interface.ts';
import { type Contract, ContractError, UnknownSet } from '../model/contract.ts';
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

/** What names the interface of a run. */
interface Named {
  interface?: string | undefined;
  set?: string | undefined;
}

/**
 * The contract of the OpenAPI document that the options name, or else of the bundled interface.
 * @throws UsageError if the file cannot be read, or is not an OpenAPI document
 */
export async function interfaceOf({ interface: path, set }: Named): Promise<Contract> {
  if (path === undefined) return contractOf({ set });
  if (set !== undefined)
    throw new UsageError('--set names requirements of the bundled interface; leave out --set or --interface');
  try {
    return await readInterface(path);
  } catch (error) {
    if (error instanceof ContractError) throw new UsageError(`--interface: ${error.message}`);
    throw error;
  }
}
