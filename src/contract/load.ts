import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Contract, ContractError } from '../model/contract.ts';
import { inTurns } from '../model/large/steps.ts';
import { packageRoot } from '../model/package-root.ts';
import { didYouMean } from '../model/usage-error.ts';
import { contractFrom, digestOf, readingContract } from './contract-from.ts';
import { parseListed } from './document/own-requirements.ts';
import { type ReadDocument, readFiles } from './document/read-files.ts';
import { EXPECTED, foreignFile } from './foreign-file.ts';
import { requireForm } from './form.ts';
import { isUnknownMethod, METHODS } from './openapi/operations.ts';
import { written } from './openapi/reading.ts';
import { parseYaml, yaml } from './parse-yaml.ts';
import { isObject } from './schema.ts';

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
interface Documents {
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

type DocumentPath = readonly (string | number)[];

/**
 * Refuses what is not an OpenAPI document. Anything else that petspec cannot use is reported with its operation.
 * @throws ContractError with file, line and column
 */
function requireOpenapi({ file, text, document }: Pick<ReadDocument, 'file' | 'text' | 'document'>): void {
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
