import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { packageRoot } from '../package-root.ts';
import { operationsOf } from './openapi.ts';
import { derivedRequirements, listedRequirements } from './requirements.ts';
import { isObject } from './schema.ts';
import { type Contract, ContractError, type PlanLimits } from './types.ts';

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
  const document = parseYaml('animal-store.openapi.yaml', sources.openapi);
  const listed = parseYaml('requirements.yaml', sources.requirements);
  const operations = operationsOf(document);
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

function parseYaml(file: string, text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    throw new ContractError(`${file}: ${error instanceof Error ? error.message.split('\n')[0] : error}`);
  }
  if (!isObject(value)) throw new ContractError(`${file}: is not a YAML mapping`);
  return value;
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
