import { readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { CONFIG_FILE, type Config, ConfigError } from '../../config/config.ts';
import { isFileError } from '../../model/file-error.ts';
import { UsageError } from '../../model/usage-error.ts';

/**
 * Reads the configuration: the named one, or else the nearest one in a folder or its parents.
 * @returns undefined if none is named and none is found
 * @throws UsageError if it cannot be read, or has a mistake
 */
export async function readConfig(
  named: string | undefined,
  folder = process.cwd(),
): Promise<Config | undefined> {
  const file = named ?? findConfig(folder);
  if (file === undefined) return undefined;
  const { parseConfig } = await import('../../config/parse.ts');
  try {
    return parseConfig(readFileSync(file, 'utf8'), relative(process.cwd(), file) || file);
  } catch (error) {
    if (error instanceof ConfigError) throw new UsageError(error.message, error.more);
    if (!isFileError(error)) throw error;
    const why = error.code === 'ENOENT' ? `no such file '${file}'` : `cannot read '${file}' (${error.code})`;
    throw new UsageError(named === undefined ? why : `--config: ${why}`);
  }
}

/** Path of the nearest configuration, in a folder or its parents. */
function findConfig(folder: string): string | undefined {
  const file = join(folder, CONFIG_FILE);
  if (statSync(file, { throwIfNoEntry: false })?.isFile()) return file;
  const above = dirname(folder);
  return above === folder ? undefined : findConfig(above);
}
