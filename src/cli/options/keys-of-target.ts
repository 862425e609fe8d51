import { withHeaders } from '../../config/config.ts';
import type { Contract } from '../../model/contract.ts';
import { needsKeyOfRun } from '../../model/http/credential.ts';
import { UsageError } from '../../model/usage-error.ts';
import { isKeyWholeValue, type RunOptions } from '../../run/options.ts';
import type { OptionValues } from '../../run/settings/option-table.ts';
import {
  apiKeyOf,
  type KeyFlags,
  keyVariable,
  namedKeysOf,
  placeOfKey,
  refuseMissingKeys,
  secondKeyOf,
  secondNamedKeysOf,
} from './api-key.ts';
import { keysInFile } from './auth-file.ts';

/** The parts of a contract that decide about keys. */
type KeyContract = Pick<Contract, 'operations' | 'file'>;

type TargetKeyFlags = KeyFlags & Pick<OptionValues, 'write' | 'dryRun' | 'header'>;

/** The keys of a target. @throws UsageError like {@link keyOf} and {@link secondKeyOf} */
export function keysOf(
  flags: TargetKeyFlags,
  contract: KeyContract,
): Pick<RunOptions, 'apiKey' | 'apiKeyCommand' | 'keyFrom' | 'secondKey' | 'keys' | 'secondKeys'> & {
  headers?: RunOptions['headers'];
} {
  if (flags.authFile !== undefined) return keysOfFile(flags, flags.authFile, contract);
  const key = keyOf(flags, contract);
  // A variable may be set for another run, but an option is meant for this run.
  const isUsed = contract.file !== undefined && flags.write === true;
  if (!isUsed && flags.secondKey !== undefined)
    throw new UsageError('--second-key is for an interface of your own, with --write; leave it out');
  const second = isUsed ? secondKeyOf(flags, process.env, key.apiKey, isKeyWholeValue(contract)) : undefined;
  const keys = namedKeysOf(contract, process.env);
  if (!flags.dryRun) refuseMissingKeys(contract, keys);
  const secondKeys = isUsed ? secondNamedKeysOf(contract, process.env, keys) : undefined;
  return { ...key, secondKey: second, keys: Object.keys(keys).length === 0 ? undefined : keys, secondKeys };
}

/** The keys in a file with users, and the headers beside them. @throws UsageError also beside another option with a key */
function keysOfFile(
  flags: TargetKeyFlags,
  file: string,
  { operations }: KeyContract,
): Pick<RunOptions, 'apiKey' | 'keyFrom' | 'secondKey' | 'keys' | 'secondKeys' | 'headers'> {
  const { apiKey, apiKeyFile, apiKeyCommand, secondKey } = flags;
  const stated = {
    '--api-key': apiKey,
    '--api-key-file': apiKeyFile,
    '--api-key-command': apiKeyCommand,
    '--second-key': secondKey,
  };
  const [option] = Object.entries(stated).find(([, value]) => value !== undefined) ?? [];
  if (option !== undefined) throw new UsageError(`cannot combine --auth-file and ${option}; leave one out`);
  const fileKeys = keysInFile(file, operations, isKeyWholeValue({ operations }));
  const keys = { ...namedKeysOf({ operations }, process.env), ...fileKeys.keys };
  if (!flags.dryRun) refuseMissingKeys({ operations }, keys);
  return {
    ...(fileKeys.apiKey === undefined ? {} : { apiKey: fileKeys.apiKey }),
    ...(Object.keys(keys).length === 0 ? {} : { keys }),
    keyFrom: placeOfKey(flags),
    // Only a run that writes needs another user.
    secondKey: flags.write ? fileKeys.secondKey : undefined,
    secondKeys: flags.write ? fileKeys.secondKeys : undefined,
    headers: withHeaders(fileKeys.headers, flags.header ?? []),
  };
}

/** The key of a target. @throws UsageError if no key is given and an operation needs one */
function keyOf(
  flags: TargetKeyFlags,
  { operations }: KeyContract,
): Pick<RunOptions, 'apiKey' | 'apiKeyCommand' | 'keyFrom'> {
  const apiKey = apiKeyOf(flags, process.env, isKeyWholeValue({ operations }));
  const { apiKeyCommand } = flags;
  if (apiKey) return { apiKey, keyFrom: placeOfKey(flags), apiKeyCommand };
  const secured = operations.filter(needsKeyOfRun);
  if (secured.length === 0 || flags.dryRun) return {};
  const isBasic = secured.every(({ credential }) => credential?.scheme === 'Basic');
  throw new UsageError(
    `missing ${isBasic ? 'user and password' : 'API key'}; set the environment variable ${keyVariable(flags)}${isBasic ? ' to user:password' : ''}, or name a file with --api-key-file`,
  );
}
