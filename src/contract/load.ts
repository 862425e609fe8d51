import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Contract } from '../model/contract.ts';
import { packageRoot } from '../model/package-root.ts';
import { contractFrom, digestOf } from './contract-from.ts';
import { parseListed } from './document/own-requirements.ts';
import { requireOpenapi } from './document/structure.ts';
import { requireForm } from './form.ts';
import { parseYaml } from './parse-yaml.ts';
import { type Documents, preparedDocuments } from './prepared.ts';

const OPENAPI = 'openapi.yaml';

/** The text of the files that state the interface. */
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
 * Builds the contract from the text of its files, as `readInterface` does from the files of a folder.
 * @param sources by default the bundled interface, which the build has parsed, and which is loaded once
 * @param asked the version of petspec whose requirements to use; by default the newest
 * @throws ContractError with one line that says where and what is wrong
 */
export function loadContract(sources?: ContractSources, asked?: string): Contract {
  if (sources) return contractOf(sources, parsed(sources), asked);
  const known = bundled.get(asked);
  if (known) return known;
  const own = readSources();
  const contract = contractOf(own, preparedDocuments(digestOfSources(own)) ?? parsed(own), asked);
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
