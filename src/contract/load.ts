import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Contract } from '../model/contract.ts';
import { inTurns } from '../model/large/steps.ts';
import { packageRoot } from '../model/package-root.ts';
import { contractFrom, digestOf, readingContract } from './contract-from.ts';
import { readFiles } from './document/files/read-files.ts';
import { parseListed } from './document/own-requirements.ts';
import { requireOpenapi } from './document/structure.ts';
import { requireForm } from './form.ts';
import { parseYaml } from './parse-yaml.ts';

const OPENAPI = 'openapi.yaml';

/** The texts of the files of the interface. */
export interface ContractSources {
  openapi: string;
  requirements: string;
  /** JSON: by version, the digests of its interface, and of its set before it was reworded. */
  digests?: string;
}

/** Reads the bundled interface from the package's `spec/`. */
export function readSources(): ContractSources {
  const read = (name: string) => readFileSync(join(packageRoot, 'spec', name), 'utf8');
  return {
    openapi: read(OPENAPI),
    requirements: read('requirements.yaml'),
    digests: read('digests.json'),
  };
}

const bundled = new Map<string | undefined, Contract>();

/**
 * Builds the contract from the texts of its files, as `readInterface` does from a folder.
 * @param sources by default the bundled interface, which the build has parsed, and which is loaded once
 * @param asked the version of petspec whose requirements to use; by default the newest
 * @throws ContractError with one line that says where and what is wrong
 */
export function loadContract(sources?: ContractSources, asked?: string): Contract {
  if (sources) return contractOf(sources, parsed(sources), asked);
  const loaded = bundled.get(asked);
  if (loaded) return loaded;
  const bundledSources = readSources();
  const contract = contractOf(
    bundledSources,
    preparedDocuments(digestOfSources(bundledSources)) ?? parsed(bundledSources),
    asked,
  );
  bundled.set(asked, contract);
  return contract;
}

/** The digest of the interface that these texts state. */
export function digestOfSources({ openapi, requirements }: ContractSources): string {
  return digestOf([openapi, requirements]);
}

/** Parses the files of an interface. @throws ContractError with one line */
export function parsed({ openapi, requirements }: ContractSources): Documents {
  const document = parseYaml(OPENAPI, openapi);
  const listed = parseListed(requirements);
  if (listed.complete === true) requireForm(OPENAPI, 'openapi', document);
  requireOpenapi({ file: OPENAPI, text: openapi, document });
  return { openapi: document, requirements: listed };
}

function contractOf(
  { openapi, requirements, digests = '{}' }: ContractSources,
  { openapi: document, requirements: listed }: Documents,
  asked: string | undefined,
): Contract {
  return contractFrom(
    { document, listed, texts: [openapi, requirements], digests: JSON.parse(digests) },
    asked,
  );
}

/**
 * Reads an OpenAPI document, version 3.0, 3.1 or 3.2, with the files in its folder that it refers to.
 * @param path the document, or the folder with `openapi.yaml` or `openapi.json`, and perhaps `requirements.yaml`
 * @throws ContractError with one line if it is not an OpenAPI document
 */
export async function readInterface(path: string): Promise<Contract> {
  const { requirements, ...read } = await readFiles(path);
  requireOpenapi(read);
  const listed = requirements === undefined ? undefined : parseListed(requirements);
  if (listed?.complete === true) requireForm(read.file, 'openapi', read.document);
  const { document, texts, file } = read;
  return inTurns(readingContract({ document, texts, file, listed }));
}

/** The files of the interface, parsed. */
export interface Documents {
  openapi: Readonly<Record<string, unknown>>;
  requirements: Readonly<Record<string, unknown>>;
}

const FILE = join(packageRoot, 'dist', 'interface.json');

/** The documents that the build parsed, if their texts have this digest. */
function preparedDocuments(digest: string): Documents | undefined {
  if (!existsSync(FILE)) return undefined;
  const { digest: preparedDigest, documents } = JSON.parse(readFileSync(FILE, 'utf8'));
  return preparedDigest === digest ? documents : undefined;
}

/** Saves the parsed documents, so that no command has to parse them again. */
export function prepareDocuments(digest: string, documents: Documents): void {
  writeFileSync(FILE, JSON.stringify({ digest, documents }));
}
