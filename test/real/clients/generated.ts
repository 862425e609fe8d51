import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../src/model/package-root.ts';
import type { PlantedMistake } from './languages.ts';

/** A generator of clients as source code, with a program that uses what it generates. */
export interface ClientGenerator {
  /** Its package. */
  name: string;
  /** What makes a client of a document, in a folder of its own. */
  generate: (document: string, output: string) => readonly [script: string, ...args: string[]];
  /** The program, in `generated/`. */
  program: string;
  /** The advisory that a client of projects.yaml gets where the clock of the service is slow. */
  bySlowClock: string;
  /** In a client of the animal store. */
  mistakes: readonly PlantedMistake[];
}

/** The generators, with what their programs need. */
export const GENERATOR_PACKAGES: readonly string[] = [
  ...['@hey-api/openapi-ts@0.92.2', 'openapi-typescript-codegen@0.31.0', 'swagger-typescript-api@13.13.0'],
  'typescript@5.9.3',
];

const EARLY = 'client.retry-after';

export const GENERATORS: readonly ClientGenerator[] = [
  {
    name: '@hey-api/openapi-ts',
    generate: (document, output) => ['@hey-api/openapi-ts/bin/run.js', '-i', document, '-o', output],
    program: 'openapi-ts.mjs',
    bySlowClock: EARLY,
    mistakes: [
      ['no-auth', 'key.sent', 'plain'],
      ['all-at-once', 'listPets.limit', 'plain'],
      ['json-of-json', 'createPet.body', 'plain'],
      ['no-retry', 'retry', 'retry-after-seconds'],
    ],
  },
  {
    name: 'openapi-typescript-codegen',
    generate: (document, output) => [
      'openapi-typescript-codegen/bin/index.js',
      ...['-i', document, '-o', output, '-c', 'axios', '--name', 'Client'],
    ],
    program: 'openapi-typescript-codegen.mjs',
    bySlowClock: EARLY,
    mistakes: [
      ['bearer-twice', 'key.form', 'plain'],
      ['enum-by-name', 'NewPet.status', 'plain'],
      ['one-address', 'address', 'plain'],
    ],
  },
  {
    name: 'swagger-typescript-api',
    generate: (document, output) => [
      'swagger-typescript-api/dist/cli.mjs',
      ...['generate', '-p', document, '-o', output, '-n', 'index.ts', '--silent'],
    ],
    program: 'swagger-typescript-api.mjs',
    bySlowClock: EARLY,
    mistakes: [
      ['not-secure', 'key.sent', 'plain'],
      ['other-type', 'createPet.body', 'plain'],
      ['no-retry', 'retry', 'retry-after-seconds'],
    ],
  },
];

/** The documents from which clients are generated, by the name of their folder. */
const DOCUMENTS = {
  animals: join(packageRoot, 'spec', 'openapi.yaml'),
  projects: join(packageRoot, 'test', 'document-server', 'documents', 'projects.yaml'),
};

/** What generates the clients in the folder where the packages are, and bundles them with the program into one file. */
export function generating(folder: string, { generate, program }: ClientGenerator): (readonly string[])[] {
  const own = join(folder, program.replace('.mjs', ''));
  mkdirSync(own);
  copyFileSync(join(import.meta.dirname, 'generated', program), join(own, program));
  const sources = Object.entries(DOCUMENTS).map(([name, document]) => {
    const [script, ...args] = generate(document, join(own, name));
    return [process.execPath, join(folder, 'node_modules', script), ...args];
  });
  const bundler = join(packageRoot, 'node_modules', '.bin', 'rolldown');
  const bundled = ['--file', bundleOf(folder, program), '--platform', 'node', '--logLevel', 'warn'];
  return [...sources, [bundler, join(own, program), ...bundled]];
}

/** The client of a document, with a mistake or without. */
export const generatedClient = (
  folder: string,
  { program }: ClientGenerator,
  ...words: readonly [document: keyof typeof DOCUMENTS, ...mistake: string[]]
): readonly string[] => [process.execPath, bundleOf(folder, program), ...words];

const bundleOf = (folder: string, program: string) => join(folder, `bundled-${program}`);
