import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Contract, ContractError, type Operation, type Requirement } from '../model/contract.ts';
import { packageRoot, packageVersion } from '../model/package-root.ts';
import { requireForm } from './form.ts';
import { basePathOf, literally, operationOf, operationsIn } from './openapi.ts';
import { parseYaml } from './parse-yaml.ts';
import { type Documents, preparedDocuments } from './prepared.ts';
import { derivedRequirements, listedRequirements } from './requirements.ts';
import { isObject } from './schema.ts';
import { asOf, compareVersions, setOf } from './sets.ts';

const OPENAPI = 'animal-store.openapi.yaml';
const REQUIREMENTS = 'requirements.yaml';

/** The text of the files that state the interface. */
export interface ContractSources {
  openapi: string;
  requirements: string;
  /** JSON: by version, the digests of its interface, and of its set before it was reworded. */
  digests?: string;
}

type Digests = Readonly<Record<string, { set?: string[]; interface?: string[] }>>;

/** Reads the bundled interface from the package's `spec/`. */
export function readSources(): ContractSources {
  const read = (name: string) => readFileSync(join(packageRoot, 'spec', name), 'utf8');
  return {
    openapi: read(OPENAPI),
    requirements: read(REQUIREMENTS),
    digests: read('digests.json'),
  };
}

const bundled = new Map<string | undefined, Contract>();

/**
 * Builds the contract from the text of its files.
 * @param sources by default the bundled interface, which a test holds to its form and which is loaded once
 * @param asked the version of petspec whose requirements to use; by default the newest
 * @throws ContractError with one line that says where and what is wrong
 */
export function loadContract(sources?: ContractSources, asked?: string): Contract {
  if (sources) return contractFrom(sources, formed(parsed(sources)), asked);
  const known = bundled.get(asked);
  if (known) return known;
  const own = readSources();
  const contract = contractFrom(own, preparedDocuments(digestOf(own)) ?? parsed(own), asked);
  bundled.set(asked, contract);
  return contract;
}

/** The digest of an interface, by which two runs are known to be judged by the same one. */
export function digestOf({ openapi, requirements }: ContractSources): string {
  return createHash('sha256').update(openapi).update('\0').update(requirements).digest('hex');
}

/** Parses the files of an interface. @throws ContractError with one line */
export function parsed({ openapi, requirements }: ContractSources): Documents {
  return {
    openapi: parseYaml(OPENAPI, openapi),
    requirements: parseYaml(REQUIREMENTS, requirements),
  };
}

/** @throws ContractError if they lack the form that loading relies on */
function formed(documents: Documents): Documents {
  requireForm(OPENAPI, 'openapi', documents.openapi);
  requireForm(REQUIREMENTS, 'requirements', documents.requirements);
  return documents;
}

function contractFrom(
  sources: ContractSources,
  { openapi: document, requirements: listed }: Documents,
  asked: string | undefined,
): Contract {
  const all = interfaceOf(document, listed);
  const sets = [...new Set(all.requirements.map(({ since }) => since))].sort(compareVersions);
  const newest = sets.at(-1) ?? '';
  const set = setOf(asked ?? newest, sets, packageVersion);
  const digests = JSON.parse(sources.digests ?? '{}') as Digests;
  const { operations, requirements } =
    set === newest ? all : interfaceOf(asOf(document, set) as Record<string, unknown>, listed, set);
  const ids = new Set(requirements.map(({ id }) => id));
  const info = isObject(document.info) ? document.info : {};
  const basePath = basePathOf(document);
  return {
    title: String(info.title ?? ''),
    version: String(info.version),
    digest: digestOf(sources),
    earlierDigests: {
      interface: Object.values(digests).flatMap((each) => each.interface ?? []),
      set: digests[set]?.set ?? [],
    },
    operations,
    ...(basePath === undefined ? {} : { basePath }),
    requirements,
    set,
    sets,
    newer: all.requirements.filter(({ id }) => !ids.has(id)),
    ratePlans: (listed.plans ?? {}) as Contract['ratePlans'],
    gaps: [],
  };
}

/** What the two files say; if a version is given, up to that version. */
function interfaceOf(
  document: Record<string, unknown>,
  listed: Record<string, unknown>,
  set?: string,
): { operations: Operation[]; requirements: Requirement[] } {
  const reading = literally(document);
  const operations = [...operationsIn(document)].map((each) =>
    operationOf(document, each, reading, () => {}),
  );
  const untestable = operations.find(
    ({ method, path }) => method !== 'GET' && (method !== 'POST' || path.includes('{')),
  );
  if (untestable)
    throw new ContractError(
      `${untestable.id}: petspec sends no ${untestable.method} ${untestable.path}, so nothing could test what it must do`,
    );
  const repeated = firstRepeated(operations);
  if (repeated)
    throw new ContractError(
      `${repeated.id}: two operations in the OpenAPI document have this id; give each its own`,
    );
  const requirements = [
    ...derivedRequirements(operations),
    ...listedRequirements(listed.requirements).filter(
      ({ since }) => set === undefined || compareVersions(since, set) <= 0,
    ),
  ];
  const twice = firstRepeated(requirements);
  if (twice)
    throw new ContractError(
      `${twice.id}: the OpenAPI document already implies this requirement; remove it from requirements.yaml`,
    );
  return { operations, requirements };
}

/** The first whose id an earlier one has. */
function firstRepeated<T extends { id: string }>(all: readonly T[]): T | undefined {
  const seen = new Set<string>();
  return all.find(({ id }) => seen.size === seen.add(id).size);
}
