import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/model/package-root.ts';

const isDocument = (name: string) =>
  /\.(?:ya?ml|json)$/.test(name) && !/^requirements\.yaml$|\.config\./.test(name);

/** The OpenAPI documents in a folder; a file is itself one. */
export function documentsIn(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .filter(isDocument)
    .sort()
    .map((name) => join(path, name));
}

/** The documents of the repository that petspec serves. */
export const OWN_DOCUMENTS: readonly string[] = [
  'test/document-server/documents',
  'test/own-interface',
  'test/tiny-interface',
  'examples/bookshop',
].flatMap((each) => documentsIn(join(packageRoot, each)));
