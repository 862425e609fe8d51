import { readFileSync } from 'node:fs';
import { UsageError } from '../../run/options.ts';

/** Where a user may put the key. */
export interface KeyFlags {
  apiKey?: string;
  apiKeyFile?: string;
  /** The environment variable that holds it, where a configuration names another than PETSPEC_API_KEY. */
  apiKeyVariable?: string;
}

/** The environment variable that holds the key. */
export function keyVariable({ apiKeyVariable = 'PETSPEC_API_KEY' }: KeyFlags): string {
  return apiKeyVariable;
}

/** Where the key is taken from, as its user knows the place; a path is nothing that a report need tell. */
export function placeOfKey(flags: KeyFlags): string {
  if (flags.apiKeyFile !== undefined) return '--api-key-file';
  return flags.apiKey === undefined ? keyVariable(flags) : '--api-key';
}

/** The name of the standard input. */
const STDIN = '-';

/**
 * The key of the target: of `--api-key` or `--api-key-file`, else of its environment variable.
 * @throws UsageError of one line, never with a key in it
 */
export function apiKeyOf(flags: KeyFlags, env: NodeJS.ProcessEnv): string | undefined {
  const { apiKey, apiKeyFile } = flags;
  if (apiKey !== undefined && apiKeyFile !== undefined)
    throw new UsageError('--api-key and --api-key-file contradict each other: one key is used');
  if (apiKeyFile !== undefined) return checked(inFile(apiKeyFile), `--api-key-file ${apiKeyFile}`);
  if (apiKey !== undefined) return checked(apiKey, '--api-key');
  // CI services set a variable whose secret does not exist to nothing.
  const variable = keyVariable(flags);
  const held = env[variable];
  return held?.trim() ? checked(held, variable) : undefined;
}

/** The key without the blanks and line breaks around it, which no key has: they come along where one is copied. */
function checked(text: string, where: string): string {
  const key = text.trim();
  if (key === '') throw new UsageError(`${where}: holds no key`);
  if (/^bearer(?:\s|$)/i.test(key))
    throw new UsageError(`${where}: the key alone is expected, without "Bearer": petspec adds that itself`);
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new UsageError(`the key holds characters that no header can carry: check ${where}`);
  return key;
}

/** The one line of a file, or of the standard input. */
function inFile(file: string): string {
  let text: string;
  try {
    text = readFileSync(file === STDIN ? 0 : file, 'utf8');
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? error.code : error;
    throw new UsageError(`--api-key-file ${file}: cannot be read (${why})`);
  }
  if (/[\r\n]/.test(text.trim()))
    throw new UsageError(`--api-key-file ${file}: has more than one line; it is to hold the key alone`);
  return text;
}
