import { readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { ContractError } from '../../model/contract.ts';
import { isDeeper } from '../../model/json.ts';
import { EXPECTED, foreignFile } from '../foreign-file.ts';
import type { Node } from '../openapi/reading.ts';
import { parseYaml } from '../parse-yaml.ts';
import { FILES, NoSuchFile, readReferred, redirect, UNREAD, withoutSelf } from './references.ts';

/** Larger documents, in any number of files, are no descriptions of an API. */
export const MAX_BYTES = 64 * 1024 * 1024;

/** An OpenAPI document that was read from one file or several. */
export interface ReadDocument {
  /** Absolute path of its first file. */
  file: string;
  /** The text of that file, to locate mistakes. */
  text: string;
  /** The document. References to other files lead to copies of them in it. */
  document: Node;
  /** The text of the requirements.yaml beside it, if the path is a folder. */
  requirements?: string;
  /** The texts of all files, in order of their names. */
  texts: readonly string[];
}

/**
 * Reads an OpenAPI document with the files that it refers to. Files outside its folder and addresses are not read, so
 * references to them cannot be followed.
 * @throws ContractError with one line if the file cannot be read or parsed
 */
export async function readFiles(path: string): Promise<ReadDocument> {
  const file = fileOf(path);
  const folder = dirname(file);
  const texts = new Map<string, string>();
  let bytes = 0;
  const parsed = new Map<string, unknown>();
  const read = (name: string) => {
    const text = textOf(name, folder, bytes);
    bytes += Buffer.byteLength(text);
    texts.set(name, text);
    parsed.set(name, parse(name, text));
    return parsed.get(name);
  };
  const document = read(file) as Node;
  withoutSelf(document);
  const unread = new Map<string, string>();
  readReferred(file, document, read, (name, reference, why) => {
    const { line, col } = placeOf(texts.get(name) ?? '', reference);
    unread.set(reference, `${why} (${relative(folder, name)}:${line}:${col})`);
  });
  const listed = requirementsIn(path, bytes);
  const otherFiles = [...parsed.keys()].filter((name) => name !== file).sort();
  for (const [name, value] of parsed) redirect(value, name, file, new Set(otherFiles));
  const copies = Object.fromEntries(otherFiles.map((name) => [relative(folder, name), parsed.get(name)]));
  return {
    file,
    text: texts.get(file) ?? '',
    document: {
      ...document,
      ...(otherFiles.length === 0 ? {} : { [FILES]: copies }),
      ...(unread.size === 0 ? {} : { [UNREAD]: Object.fromEntries(unread) }),
    },
    texts: [
      ...[file, ...otherFiles].map((name) => texts.get(name) ?? ''),
      ...(listed === undefined ? [] : [listed]),
    ],
    ...(listed === undefined ? {} : { requirements: listed }),
  };
}

const NAMES = ['openapi.yaml', 'openapi.yml', 'openapi.json'];

/** The first file of a document: the path itself, or the document in the folder. */
function fileOf(path: string): string {
  const stats = statsOf(path);
  if (!stats) throw new ContractError(`${path}: no such file or folder`);
  if (!stats.isDirectory()) return realpathSync(path);
  const name = NAMES.find((candidate) => statsOf(join(path, candidate))?.isFile());
  if (name === undefined) throw new ContractError(`${path}: has no ${NAMES.join(', ')}`);
  return realpathSync(join(path, name));
}

/** The text of the requirements.yaml in a folder; undefined for a file, and for a folder without one. */
function requirementsIn(path: string, before: number): string | undefined {
  const name = join(path, 'requirements.yaml');
  if (!statsOf(path)?.isDirectory() || !statsOf(name)) return undefined;
  return textOf(name, path, before);
}

/** @throws ContractError if the path is not one that the system can look up */
function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw new ContractError(
      `${path.slice(0, 100)}: ${error instanceof Error ? error.message.slice(0, 60) : error}`,
    );
  }
}

/**
 * The real path of a file. The name may be anything, even one that no file can have.
 * @throws NoSuchFile if no file has this name, or it is outside the folder
 */
function realPathOf(name: string, folder: string): string {
  let real: string;
  try {
    real = realpathSync(name);
  } catch (error) {
    throw new NoSuchFile(
      `there is no such file${error instanceof Error && 'code' in error && error.code === 'ENOENT' ? '' : ' that petspec can open'}`,
    );
  }
  const inside = relative(realpathSync(folder), real);
  if (inside.startsWith(`..${sep}`) || isAbsolute(inside))
    throw new NoSuchFile(
      'it is outside the folder of the document; copy it into that folder, or name a bundled document',
    );
  return real;
}

/**
 * The text of a file. @param before the bytes of the files that were read before it
 * @throws ContractError if it is too large or cannot be read; NoSuchFile as {@link realPathOf} does
 */
function textOf(name: string, folder: string, before: number): string {
  const real = realPathOf(name, folder);
  const stats = statSync(real);
  if (!stats.isFile()) throw new ContractError(`${name}: not a file`);
  if (before + stats.size > MAX_BYTES)
    throw new ContractError(
      `${name}: ${before > 0 ? 'with the other files ' : ''}larger than ${MAX_BYTES} bytes`,
    );
  try {
    return readFileSync(real, 'utf8');
  } catch (error) {
    throw new ContractError(`${name}: ${error instanceof Error ? error.message : error}`);
  }
}

/** Line and column of a text within another, counted from 1. */
function placeOf(text: string, part: string): { line: number; col: number } {
  const before = text.slice(0, Math.max(0, text.indexOf(part))).split('\n');
  return { line: before.length, col: (before.at(-1)?.length ?? 0) + 1 };
}

/** Deeper than any interface. Recursive functions walk what is read. */
const MAX_LEVELS = 512;

/** Parses a file. @throws ContractError if it is neither JSON nor YAML, or nested too deeply */
function parse(name: string, text: string): unknown {
  const value = parsed(name, text);
  if (isDeeper(value, MAX_LEVELS))
    throw new ContractError(`${name}: nested more than ${MAX_LEVELS} levels deep, or contains itself`);
  return value;
}

/** JSON is parsed as JSON, in a tenth of the time. Its mistakes are reported by the YAML parser, with their place. */
function parsed(name: string, text: string): unknown {
  if (/^\s*\{/.test(text)) {
    try {
      return JSON.parse(text);
    } catch {
      // YAML allows more than JSON, and locates mistakes.
    }
  }
  try {
    return parseYaml(name, text);
  } catch (error) {
    const foreign = foreignFile(text, 'an OpenAPI document', EXPECTED);
    throw foreign === undefined ? error : new ContractError(`${name}:1:1: ${foreign}`);
  }
}
