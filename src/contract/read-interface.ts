import { createHash } from 'node:crypto';
import { type Contract, ContractError, type Gap, type Operation } from '../model/contract.ts';
import { credentialOf } from './document/credentials.ts';
import { readListed, withListed } from './document/own-requirements.ts';
import { readFiles } from './document/read-files.ts';
import { schemaReader } from './document/read-schema.ts';
import { follow } from './document/references.ts';
import { requireOpenapi } from './document/structure.ts';
import { unsupportedIn } from './document/unsupported.ts';
import { generalRequirements } from './general-requirements.ts';
import { basePathOf, operationOf, operationsIn, type Reading } from './openapi.ts';
import { derivedRequirements } from './requirements.ts';
import { isObject } from './schema.ts';
import { semanticRequirements } from './semantics.ts';
import { FIRST_SET } from './sets.ts';

type Node = Record<string, unknown>;

/**
 * Reads an OpenAPI document, version 3.0 or 3.1, with the files in its folder that it refers to. What petspec cannot derive
 * is a gap of the contract, and the rest is judged.
 * @param path the document, or the folder with `openapi.yaml` or `openapi.json`, and perhaps `requirements.yaml`
 * @throws ContractError with one line if it is not an OpenAPI document
 */
export async function readInterface(path: string): Promise<Contract> {
  const read = await readFiles(path);
  requireOpenapi(read);
  const gaps: Gap[] = [];
  const document = withPathItems(read.document, gaps);
  const operations = readOperations(document, gaps);
  const listed = read.requirements === undefined ? undefined : readListed(read.requirements);
  const implied = [
    ...generalRequirements(operations, Object.keys(listed?.plans ?? {}).length > 0),
    ...derivedRequirements(operations),
    ...semanticRequirements({ operations }),
  ];
  const info = isObject(document.info) ? document.info : {};
  const basePath = basePathOf(document);
  const digest = createHash('sha256');
  for (const text of read.texts) digest.update(text).update('\0');
  return {
    title: String(info.title ?? 'this interface'),
    version: String(info.version ?? ''),
    digest: digest.digest('hex'),
    earlierDigests: { interface: [], set: [] },
    operations,
    ...(basePath === undefined ? {} : { basePath }),
    requirements: withListed(implied, listed?.requirements ?? []),
    set: FIRST_SET,
    sets: [FIRST_SET],
    newer: [],
    ratePlans: listed?.plans ?? {},
    ...(listed?.noun === undefined ? {} : { noun: listed.noun }),
    file: read.file,
    gaps,
  };
}

/** The document with the path items that it refers to. */
function withPathItems(document: Node, gaps: Gap[]): Node {
  const paths = Object.entries(isObject(document.paths) ? document.paths : {}).flatMap(([path, item]) => {
    if (!isObject(item) || typeof item.$ref !== 'string') return [[path, item] as const];
    try {
      const { value } = follow(document, item.$ref);
      return [[path, { ...(isObject(value) ? value : {}), ...item }] as const];
    } catch (error) {
      if (!(error instanceof ContractError)) throw error;
      gaps.push({ operation: path, isWhole: true, reason: error.message });
      return [];
    }
  });
  return { ...document, paths: Object.fromEntries(paths) };
}

function readOperations(document: Node, gaps: Gap[]): Operation[] {
  const schemas = schemaReader(document);
  const reading: Reading = {
    follow: (reference) => follow(document, reference),
    schema: (source, direction, onGap) => schemas.read(source, direction, onGap),
    mayRefuse: true,
  };
  const ids = new Set<string>();
  return [...operationsIn(document)].flatMap((each) => {
    const name = `${each.method.toUpperCase()} ${each.path}`;
    const own = new Set<string>();
    const gap = (reason: string, isWhole: boolean) => gaps.push({ operation: name, isWhole, reason });
    try {
      const found = operationOf(document, each, reading, (words) => own.add(words));
      const reason = unsupportedIn(document, each, found, reading);
      if (reason !== undefined) {
        gap(reason, true);
        return [];
      }
      for (const words of own) gap(words, false);
      const credential = found.secured
        ? credentialOf(document, each.item[each.method] as Node, reading)
        : undefined;
      const operation: Operation = {
        ...found,
        ...(ids.has(found.id) ? { id: name } : {}),
        ...(credential ? { credential } : {}),
      };
      ids.add(operation.id);
      return [operation];
    } catch (error) {
      if (!(error instanceof ContractError)) throw error;
      gap(error.message, true);
      return [];
    }
  });
}
