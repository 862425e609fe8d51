import { ContractError } from '../../model/contract.ts';
import { didYouMean } from '../../model/usage-error.ts';
import { EXPECTED, foreignFile } from '../foreign-file.ts';
import { isUnknownMethod, METHODS } from '../openapi/operations.ts';
import { written } from '../openapi/reading.ts';
import { yaml } from '../parse-yaml.ts';
import { isObject } from '../schema.ts';
import type { ReadDocument } from './files/read-files.ts';

type DocumentPath = readonly (string | number)[];

/**
 * Refuses what is not an OpenAPI document. Anything else that petspec cannot use is reported with its operation.
 * @throws ContractError with file, line and column
 */
export function requireOpenapi({
  file,
  text,
  document,
}: Pick<ReadDocument, 'file' | 'text' | 'document'>): void {
  const mistake = mistakeIn(document, text);
  if (!mistake) return;
  const { line, col } = placeOf(text, mistake.path);
  throw new ContractError(`${file}:${line}:${col}: ${mistake.words}`);
}

interface Mistake {
  path: DocumentPath;
  words: string;
}

function mistakeIn(document: Record<string, unknown>, text: string): Mistake | undefined {
  const { openapi, swagger, info, paths } = document;
  if (openapi === undefined && swagger !== undefined)
    return {
      path: ['swagger'],
      words: `Swagger ${written(swagger)} is not supported; convert it to OpenAPI 3.0, 3.1 or 3.2`,
    };
  if (openapi === undefined)
    return {
      path: [],
      words:
        foreignFile(text, 'an OpenAPI document', EXPECTED) ??
        "not an OpenAPI document: 'openapi' is missing, such as openapi: 3.1.0",
    };
  // 3.0 without quotes is the number 3.
  if (openapi !== 3 && !/^3\.[012](?:\.\d+)?$/.test(written(openapi)))
    return {
      path: ['openapi'],
      words: `unknown OpenAPI version '${written(openapi)}'; expected 3.0, 3.1 or 3.2`,
    };
  if (info !== undefined && !isObject(info)) return notMapping(['info']);
  if (paths === undefined)
    return { path: [], words: "'paths' is missing, so there is no operation to judge" };
  if (!isObject(paths)) return notMapping(['paths']);
  if (!isSecurity(document.security)) return wrongSecurity([]);
  for (const [path, item] of Object.entries(paths)) {
    const mistake = path.startsWith('x-') ? undefined : itemMistake(path, item);
    if (mistake) return mistake;
  }
  return undefined;
}

function itemMistake(path: string, item: unknown): Mistake | undefined {
  const place = ['paths', path];
  if (!path.startsWith('/')) return { path: place, words: `the path '${path}' does not begin with a slash` };
  if (!isObject(item)) return notMapping(place);
  for (const [name, operation] of Object.entries(item)) {
    const near = isUnknownMethod(name, operation) ? didYouMean(name, METHODS) : '';
    if (near !== '') return { path: [...place, name], words: `'${name}' is not a method of OpenAPI${near}` };
  }
  for (const method of METHODS) {
    const operation = item[method];
    if (operation === undefined) continue;
    if (!isObject(operation)) return notMapping([...place, method]);
    const { parameters, responses, security } = operation;
    if (!isSecurity(security)) return wrongSecurity([...place, method]);
    if (parameters !== undefined && !Array.isArray(parameters))
      return { path: [...place, method, 'parameters'], words: "'parameters' is not a list" };
    if (responses !== undefined && !isObject(responses)) return notMapping([...place, method, 'responses']);
  }
  return undefined;
}

/** A bare scheme would read as an alternative without a key, so that no key is sent. */
function isSecurity(security: unknown): boolean {
  return security === undefined || (Array.isArray(security) && security.every(isObject));
}

function wrongSecurity(place: DocumentPath): Mistake {
  return {
    path: [...place, 'security'],
    words: "'security' is not a list of mappings, such as - bearer: []",
  };
}

function notMapping(path: DocumentPath): Mistake {
  return { path, words: `'${String(path.at(-1))}' is not a mapping` };
}

/** Line and column of a place in a YAML or JSON text, counted from 1; the beginning if the place is missing. */
function placeOf(text: string, path: DocumentPath): { line: number; col: number } {
  const { LineCounter, parseDocument } = yaml();
  const lines = new LineCounter();
  const parsed = parseDocument(text, { lineCounter: lines, stringKeys: true, logLevel: 'silent' });
  const target = path.length === 0 ? parsed.contents : parsed.getIn(path, true);
  const range = typeof target === 'object' && target !== null && 'range' in target ? target.range : undefined;
  const { line, col } = lines.linePos(Array.isArray(range) ? Number(range[0]) : 0);
  return { line: Math.max(1, line), col: Math.max(1, col) };
}
