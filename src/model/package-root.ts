import { existsSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

function findRoot(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findRoot(dirname(folder));
}

/** The folder of the petspec package, the same from the sources and from the compiled files. */
export const packageRoot = findRoot(dirname(fileURLToPath(import.meta.url)));

/** The version of petspec, as package.json states it. */
export const packageVersion: string = JSON.parse(
  readFileSync(join(packageRoot, 'package.json'), 'utf8'),
).version;

/** The folder of `src/` and `suites/`. This file, and each chunk that the build puts it in, is two folders below. */
const codeRoot = new URL('../../', import.meta.url);

/** A file of petspec that is not imported by its name. @param name without its ending, such as `suites/index` */
export function ownModule(name: string): URL {
  return new URL(name + extname(import.meta.url), codeRoot);
}
