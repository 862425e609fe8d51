import { existsSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

function findRoot(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findRoot(dirname(folder));
}

/** The folder of the petspec package, from the sources and from compiled files. */
export const packageRoot = findRoot(dirname(fileURLToPath(import.meta.url)));

export const packageVersion: string = JSON.parse(
  readFileSync(join(packageRoot, 'package.json'), 'utf8'),
).version;

/** The folder of `src/` and `suites/`: this file, and each chunk that the build puts it in, is two folders deeper. */
const codeRoot = new URL('../../', import.meta.url);

/** The URL of a petspec module that is loaded by its place. @param name without its extension, such as `suites/index` */
export function ownModule(name: string): URL {
  return new URL(name + extname(import.meta.url), codeRoot);
}
