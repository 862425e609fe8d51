import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { type Contract, ContractError, type Operation, type Requirement } from '../model/contract.ts';
import { packageRoot, packageVersion } from '../model/package-root.ts';
import { requireForm } from './form.ts';
import { basePathOf, operationsOf } from './openapi.ts';
import { derivedRequirements, listedRequirements } from './requirements.ts';
import { isObject } from './schema.ts';
import { asOf, compareVersions, setOf } from './sets.ts';

/** Aliases that are resolved, nested ones included. More look like an attack. */
const MAX_ALIASES = 100;

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
    openapi: read('animal-store.openapi.yaml'),
    requirements: read('requirements.yaml'),
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
  if (sources) return contractFrom(sources, asked, requireForm);
  const contract = bundled.get(asked) ?? contractFrom(readSources(), asked, () => {});
  bundled.set(asked, contract);
  return contract;
}

function contractFrom(
  sources: ContractSources,
  asked: string | undefined,
  check: typeof requireForm,
): Contract {
  const document = parseYaml('animal-store.openapi.yaml', sources.openapi);
  const listed = parseYaml('requirements.yaml', sources.requirements);
  check('animal-store.openapi.yaml', 'openapi', document);
  check('requirements.yaml', 'requirements', listed);
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
    version: String(info.version),
    digest: createHash('sha256')
      .update(sources.openapi)
      .update('\0')
      .update(sources.requirements)
      .digest('hex'),
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
    ratePlans: listed.plans as Contract['ratePlans'],
  };
}

/** What the two files say; if a version is given, up to that version. */
function interfaceOf(
  document: Record<string, unknown>,
  listed: Record<string, unknown>,
  set?: string,
): { operations: Operation[]; requirements: Requirement[] } {
  const operations = operationsOf(document);
  const repeated = operations.find(
    ({ id }, index) => operations.findIndex((each) => each.id === id) !== index,
  );
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
  const twice = requirements.find(
    (each, index) => requirements.findIndex(({ id }) => id === each.id) !== index,
  );
  if (twice)
    throw new ContractError(
      `${twice.id}: the OpenAPI document already implies this requirement; remove it from requirements.yaml`,
    );
  return { operations, requirements };
}

/** YAML 1.2 with text keys. A warning (an unknown tag or directive) is an error, as its content would be lost. */
function parseYaml(file: string, text: string): Readonly<Record<string, unknown>> {
  const document = parseDocument(text, { stringKeys: true, logLevel: 'silent' });
  const [problem] = [...document.errors, ...document.warnings];
  if (problem) throw new ContractError(`${file}: ${problem.message.split('\n')[0]}`);
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    throw new ContractError(`${file}: ${error instanceof Error ? error.message : error}`);
  }
  if (!isObject(value)) throw new ContractError(`${file}: not a mapping`);
  return value;
}
