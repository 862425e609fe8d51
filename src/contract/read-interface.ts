import type { Contract } from '../model/contract.ts';
import { inTurns } from '../model/large/steps.ts';
import { readingContract } from './contract-from.ts';
import { readFiles } from './document/files/read-files.ts';
import { parseListed } from './document/own-requirements.ts';
import { requireOpenapi } from './document/structure.ts';
import { requireForm } from './form.ts';

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
