import { isAbsolute, relative } from 'node:path';
import type { RunOptions } from '../options.ts';
import { optionRows } from './option-table.ts';
import { optionOf } from './stated-name.ts';

/**
 * The options of a run as words of its command line, so that another run sends nothing else. Left out are the addresses, the key,
 * and the headers of the user, whose values may be secrets.
 */
export function statedOptions(options: RunOptions): string[] {
  const servers = Object.entries(options.servers ?? {}).map(([name, url]) => ['--server', `${name}=${url}`]);
  const values: Readonly<Record<string, unknown>> = { ...options, ...typed(options) };
  const repeated = optionRows.flatMap(([name, row]) => {
    const value = values[name];
    if (!row.isRepeated || value === undefined || value === false || value === row.default) return [];
    return row.kind === 'switch' ? [optionOf(name)] : [optionOf(name), String(value)];
  });
  return [...repeated, ...servers.flat(), ...(options.words ?? [])];
}

/** The options that are typed in another form than they are kept. */
function typed({ interfaceSource, limits = {}, seed, only, violatedBefore = [], ...options }: RunOptions) {
  const ids = [...only, ...violatedBefore];
  return {
    interface: interfaceSource?.url ?? (options.interface && fromHere(options.interface)),
    interfaceDigest: interfaceSource?.digest,
    example: options.example && fromHere(options.example),
    limit: limits.minute,
    dayLimit: limits.day,
    only: ids.length === 0 ? undefined : ids.join(','),
    // Only runs of older versions do not vary their requests.
    seed: seed === 'none' ? undefined : seed,
  };
}

/** A path as a user in this folder types it. */
export function fromHere(path: string): string {
  const near = relative(process.cwd(), path);
  return near === '' || near.startsWith('..') || isAbsolute(near) ? path : near;
}
