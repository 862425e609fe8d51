import type { TargetSettings } from '../../config/config.ts';
import type { Contract, Operation } from '../../model/contract.ts';
import { credentialsIn, credentialsOf } from '../../model/http/credential.ts';
import { UsageError } from '../../model/usage-error.ts';
import { isWholeValue } from '../../run/options.ts';
import type { OptionValues } from '../../run/settings/option-table.ts';
import { keyProblem } from '../../run/settings/values.ts';
import {
  hasKey,
  type NamedKeys,
  variableOfKey,
  variableOfSecondKey,
} from '../../secrets/keys/keys-of-request.ts';
import { keyFromCommand } from '../../session/parts/renewed-key.ts';
import { readText } from './named-file.ts';

/**
 * The options that hold the key. Its environment variable is PETSPEC_API_KEY, unless a configuration names another. No configuration
 * names a command, because a configuration may come from anybody's checkout.
 */
export type KeyFlags = Pick<
  OptionValues,
  'apiKey' | 'apiKeyFile' | 'apiKeyCommand' | 'authFile' | 'secondKey'
> &
  Pick<TargetSettings, 'apiKeyVariable'>;

/** The environment variable with the key. */
export function keyVariable({ apiKeyVariable = 'PETSPEC_API_KEY' }: KeyFlags): string {
  return apiKeyVariable;
}

/** The source of the key, for messages to the user. It leaves out the path of a file. */
export function placeOfKey(flags: KeyFlags): string {
  if (flags.apiKeyCommand !== undefined) return '--api-key-command';
  if (flags.authFile !== undefined) return '--auth-file';
  if (flags.apiKeyFile !== undefined) return '--api-key-file';
  return flags.apiKey === undefined ? keyVariable(flags) : '--api-key';
}

/**
 * The options of a run with the key from `--api-key-command`; a dry run needs none.
 * @throws UsageError if the command fails, or beside another option with a key
 */
export async function withMadeKey<Flags extends KeyFlags & Pick<OptionValues, 'dryRun'>>(
  flags: Flags,
): Promise<Flags> {
  const { apiKeyCommand, apiKey, apiKeyFile, dryRun } = flags;
  if (apiKeyCommand === undefined) return flags;
  const other = apiKey === undefined ? '--api-key-file' : '--api-key';
  if (apiKey !== undefined || apiKeyFile !== undefined)
    throw new UsageError(`cannot combine --api-key-command and ${other}; leave one out`);
  return dryRun ? flags : { ...flags, apiKey: await keyFromCommand(apiKeyCommand) };
}

/** The file name that means stdin. */
const STDIN = '-';

/**
 * The API key of the target: from `--api-key` or `--api-key-file`, or else from its environment variable.
 * @param isWholeValue whether the key is the whole value of its header
 * @throws UsageError that never quotes a key
 */
export function apiKeyOf(flags: KeyFlags, env: NodeJS.ProcessEnv, isWholeValue = false): string | undefined {
  const checked = (text: string, where: string) => checkedKey(text, where, isWholeValue);
  const { apiKey, apiKeyFile } = flags;
  if (apiKey !== undefined && apiKeyFile !== undefined)
    throw new UsageError('cannot combine --api-key and --api-key-file; leave one out');
  if (apiKeyFile !== undefined) return checked(inFile(apiKeyFile), `--api-key-file '${apiKeyFile}'`);
  if (apiKey !== undefined) return checked(apiKey, placeOfKey(flags));
  // CI services set the variable of a missing secret to an empty text.
  const variable = keyVariable(flags);
  const text = env[variable];
  return text?.trim() ? checked(text, variable) : undefined;
}

/**
 * The keys that operations need together, each from the environment variable of its scheme.
 * @throws UsageError that never quotes a key, also if a variable that is set is that of two schemes
 */
export function namedKeysOf(
  { operations }: Pick<Contract, 'operations'>,
  env: NodeJS.ProcessEnv,
  variableOf = variableOfKey,
): NamedKeys {
  const named = credentialsOf({ operations }).flatMap((credential) =>
    credential.key === undefined ? [] : [{ credential, scheme: credential.key }],
  );
  const keys = named.flatMap(({ credential, scheme }) => {
    const variable = variableOf(scheme);
    const text = env[variable];
    if (!text?.trim()) return [];
    const other = named.find(
      (candidate) => candidate.scheme !== scheme && variableOf(candidate.scheme) === variable,
    );
    if (other)
      throw new UsageError(
        `${variable}: the schemes '${scheme}' and '${other.scheme}' have the same variable; state their keys with --auth-file`,
      );
    return [[scheme, checkedKey(text, variable, isWholeValue(credential))] as const];
  });
  return Object.fromEntries(keys);
}

/**
 * The keys of another user that operations need together.
 * @throws UsageError also if an operation would get those of the run
 */
export function secondNamedKeysOf(
  contract: Pick<Contract, 'operations'>,
  env: NodeJS.ProcessEnv,
  keys: NamedKeys,
): NamedKeys | undefined {
  const second = namedKeysOf(contract, env, variableOfSecondKey);
  const same = sameKeys(contract, keys, second);
  if (same)
    throw new UsageError(
      `${same.map(variableOfSecondKey).join(' and ')}: the same as for the run; expected keys of another user`,
    );
  return Object.keys(second).length === 0 ? undefined : second;
}

/** The schemes of an operation whose keys are the same for both users: findings about another user would be wrong. */
export function sameKeys(
  { operations }: Pick<Contract, 'operations'>,
  keys: NamedKeys,
  second: NamedKeys,
): string[] | undefined {
  return operations
    .map((operation) => credentialsIn(operation).flatMap(({ key }) => key ?? []))
    .find(
      (names) =>
        names.length > 0 &&
        names.every((name) => hasKey(second, name) && hasKey(keys, name) && keys[name] === second[name]),
    );
}

/** @throws UsageError if each operation needs several keys together, and none has all of them */
export function refuseMissingKeys({ operations }: Pick<Contract, 'operations'>, keys: NamedKeys): void {
  const missingOf = (operation: Operation) =>
    operation.secured
      ? credentialsIn(operation).flatMap(({ key }) => (key !== undefined && !hasKey(keys, key) ? [key] : []))
      : [];
  const missing = operations.map(missingOf);
  if (operations.length === 0 || !missing.every((names) => names.length > 0)) return;
  const variables = [...new Set(missing.flat())].map(variableOfKey);
  throw new UsageError(
    `missing ${variables.length === 1 ? 'a key' : 'keys'} that operations need together; set ${variables.join(' and ')} in the environment`,
  );
}

/** The environment variable with the key of another user. */
const SECOND_VARIABLE = 'PETSPEC_SECOND_KEY';

/**
 * The key of another user: from `--second-key`, or else from its environment variable.
 * @throws UsageError that quotes neither key, also if the two are the same
 */
export function secondKeyOf(
  { secondKey }: KeyFlags,
  env: NodeJS.ProcessEnv,
  apiKey: string | undefined,
  isWholeValue: boolean,
): string | undefined {
  const where = secondKey === undefined ? SECOND_VARIABLE : '--second-key';
  const text = secondKey ?? env[SECOND_VARIABLE];
  if (secondKey === undefined && !text?.trim()) return undefined;
  const key = checkedKey(text ?? '', where, isWholeValue);
  if (key === apiKey)
    throw new UsageError(`${where}: it is the API key itself; expected that of another user`);
  return key;
}

/**
 * A key without the spaces and line breaks around it, which come from copying.
 * @param isWholeValue whether the key is the whole value of its header
 * @throws UsageError that never quotes it
 */
export function checkedKey(text: string, where: string, isWholeValue = false): string {
  const problem = keyProblem(text, isWholeValue);
  if (problem !== undefined) throw new UsageError(`${where}: ${problem}`);
  return text.trim();
}

/** The text of a file, or of stdin, which must be one line. */
function inFile(file: string): string {
  const text = readText('--api-key-file', file, file === STDIN ? 0 : file);
  if (/[\r\n]/.test(text.trim()))
    throw new UsageError(`--api-key-file: '${file}' has more than one line; it must hold only the key`);
  return text;
}
