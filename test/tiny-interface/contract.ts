import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ContractSources, loadContract } from '../../src/contract/load.ts';
import type { Contract } from '../../src/model/contract.ts';

const read = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8');

/** The text of a small interface: two operations, one query parameter, one body. */
export const tinySources: ContractSources = {
  openapi: read('tiny.openapi.yaml'),
  requirements: read('requirements.yaml'),
};

/** The small interface, loaded; with its OpenAPI text changed where a test wants it to differ. */
export function tinyContract(change: (openapi: string) => string = (text) => text): Contract {
  return loadContract({ ...tinySources, openapi: change(tinySources.openapi) });
}
