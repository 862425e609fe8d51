import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { packageRoot } from '../package-root.ts';
import { requireForm } from './form.ts';
import { operationsOf } from './openapi.ts';
import { derivedRequirements, listedRequirements } from './requirements.ts';
import { isObject } from './schema.ts';
import { type Contract, ContractError, type PlanLimits } from './types.ts';

/** Aliases that are resolved, with those inside of what they stand for: more are taken for an attack. */
const MAX_ALIASES = 100;

/** The text of the two files that state the interface. */
export interface ContractSources {
  openapi: string;
  requirements: string;
}

/** Reads the interface's files from a folder; the package's own `spec/` unless another is named. */
export function readSources(folder = join(packageRoot, 'spec')): ContractSources {
  return {
    openapi: readFileSync(join(folder, 'animal-store.openapi.yaml'), 'utf8'),
    requirements: readFileSync(join(folder, 'requirements.yaml'), 'utf8'),
  };
}

/**
 * Builds the contract from the text of its files.
 * @throws ContractError with one line that says where and what is wrong
 */
export function loadContract(sources: ContractSources = readSources()): Contract {
  const document = parseYaml('animal-store.openapi.yaml', 'openapi', sources.openapi);
  const listed = parseYaml('requirements.yaml', 'requirements', sources.requirements);
  const operations = operationsOf(document);
  const repeated = operations.find(
    ({ id }, index) => operations.findIndex((each) => each.id === id) !== index,
  );
  if (repeated)
    throw new ContractError(`${repeated.id}: two operations of the OpenAPI document have this id`);
  const requirements = [...derivedRequirements(operations), ...listedRequirements(listed.requirements)];
  const twice = requirements.find(
    (each, index) => requirements.findIndex(({ id }) => id === each.id) !== index,
  );
  if (twice)
    throw new ContractError(
      `${twice.id}: listed in requirements.yaml, though the OpenAPI document implies it`,
    );
  const info = isObject(document.info) ? document.info : {};
  return {
    version: String(info.version),
    digest: createHash('sha256')
      .update(sources.openapi)
      .update('\0')
      .update(sources.requirements)
      .digest('hex'),
    operations,
    requirements,
    plans: plansOf(listed.plans),
  };
}

/** YAML 1.2 whose names are texts. A warning (a tag or a directive that is not known) is an error: it would be lost. */
function parseYaml(
  file: string,
  form: keyof ContractSources,
  text: string,
): Readonly<Record<string, unknown>> {
  const document = parseDocument(text, { stringKeys: true, logLevel: 'silent' });
  const [problem] = [...document.errors, ...document.warnings];
  if (problem) throw new ContractError(`${file}: ${problem.message.split('\n')[0]}`);
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    throw new ContractError(`${file}: ${error instanceof Error ? error.message : error}`);
  }
  requireForm(file, form, value);
  return isObject(value) ? value : {};
}

function plansOf(source: unknown): Record<string, PlanLimits> {
  if (!isObject(source)) throw new ContractError('requirements.yaml: `plans` is not a mapping');
  return Object.fromEntries(
    Object.entries(source).map(([name, figures]) => {
      const { minute, day } = isObject(figures) ? figures : {};
      return [
        name,
        { ...(typeof minute === 'number' ? { minute } : {}), ...(typeof day === 'number' ? { day } : {}) },
      ];
    }),
  );
}
