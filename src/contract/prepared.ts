import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../model/package-root.ts';

/** The files of the interface, parsed. */
export interface Documents {
  openapi: Readonly<Record<string, unknown>>;
  requirements: Readonly<Record<string, unknown>>;
}

const FILE = join(packageRoot, 'dist', 'interface.json');

/** What the build parsed, if it was texts of this digest. */
export function preparedDocuments(digest: string): Documents | undefined {
  if (!existsSync(FILE)) return undefined;
  const { digest: theirs, documents } = JSON.parse(readFileSync(FILE, 'utf8'));
  return theirs === digest ? documents : undefined;
}

/** Keeps what was parsed, so that no command has to parse it again. */
export function prepareDocuments(digest: string, documents: Documents): void {
  writeFileSync(FILE, JSON.stringify({ digest, documents }));
}
