import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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
