import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Contract, Requirement } from '../../model/contract.ts';
import { packageRoot } from '../../model/package-root.ts';
import { requireForm } from '../form.ts';
import { parseYaml, yaml } from '../parse-yaml.ts';
import { readFiles } from './read-files.ts';

/** How petspec reads an ambiguous sentence. No check depends on it. */
export interface Reading {
  /** The sentence of the interface. */
  sentence?: string;
  reading: string;
  /** Other readings, and why petspec does not use them. */
  not?: readonly { reading: string; because: string }[];
  /** Ids of variants of the reference that look similar and conform. */
  variants?: readonly string[];
}

/** The readings of an interface. */
export interface Readings {
  of: Readonly<Record<string, Reading>>;
  /** The place of a requirement: `openapi.yaml line 12`. */
  placeOf(requirement: Requirement): string;
}

/**
 * The readings of the bundled interface, or those in the requirements.yaml at a path. The bundled ones have their own file:
 * ledgers and certificates name a digest of the others.
 * @throws ContractError with one line
 */
export async function readingsOf(contract: Contract, path?: string): Promise<Readings> {
  const folder = join(packageRoot, 'spec');
  const { file, text, requirements } = path === undefined ? bundled(folder) : await readFiles(path);
  const listed = requirements === undefined ? {} : parseYaml('requirements.yaml', requirements);
  const readings = path === undefined ? bundledReadings(folder) : (listed.readings ?? {});
  const lines = linesOf(text);
  const listedLines = requirements === undefined ? undefined : listedLinesOf(requirements);
  return {
    of: readings as Readings['of'],
    placeOf({ id, source, operation }) {
      const line = listedLines?.(id);
      if (source === 'listed' && line !== undefined) return `requirements.yaml line ${line}`;
      const documentLine = pathsTo(contract, id, operation).flatMap((place) => lines(place) ?? [])[0];
      return `${basename(file)}${documentLine === undefined ? '' : ` line ${documentLine}`}`;
    },
  };
}

function bundled(folder: string): { file: string; text: string; requirements: string } {
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  return { file: 'openapi.yaml', text: read('openapi.yaml'), requirements: read('requirements.yaml') };
}

function bundledReadings(folder: string): unknown {
  const name = 'readings.yaml';
  const readings = parseYaml(name, readFileSync(join(folder, name), 'utf8'));
  requireForm(name, 'requirements', { readings });
  return readings;
}

type ComponentPath = readonly string[];

/** The places of a document that may imply a requirement, the most exact first. */
function pathsTo({ operations }: Contract, id: string, operation: string | undefined): ComponentPath[] {
  const [name = '', ...rest] = id.split('.');
  const fields = rest.flatMap((field) => ['properties', field]);
  const inComponents = [
    ['schemas', name, ...fields],
    ['schemas', name],
    ['responses', name],
    ['headers', name],
  ].map((path) => ['components', ...path]);
  const match = operations.find((candidate) => candidate.id === (operation ?? name));
  if (!match) return inComponents;
  const at = ['paths', match.path, match.method.toLowerCase()];
  const [status = ''] = rest;
  return [...inComponents, [...at, 'responses', status], at, ['paths', match.path]];
}

/** Finds the line of a place in a document; undefined if it is in another file. */
function linesOf(text: string): (path: ComponentPath) => number | undefined {
  const { LineCounter, parseDocument, isCollection, isPair, isScalar } = yaml();
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, logLevel: 'silent' });
  return (path) => {
    const parent = document.getIn(path.slice(0, -1), true);
    const pair = isCollection(parent)
      ? parent.items.find(
          (item) => isPair(item) && isScalar(item.key) && String(item.key.value) === path.at(-1),
        )
      : undefined;
    const start = isPair(pair) && isScalar(pair.key) ? pair.key.range?.[0] : undefined;
    return start === undefined ? undefined : lines.linePos(start).line;
  };
}

/** Finds the line of an entry of requirements.yaml. */
function listedLinesOf(text: string): (id: string) => number | undefined {
  const { LineCounter, parseDocument, isMap, isSeq } = yaml();
  const lines = new LineCounter();
  const list = parseDocument(text, { lineCounter: lines, logLevel: 'silent' }).get('requirements');
  const entries = isSeq(list) ? list.items.filter(isMap) : [];
  return (id) => {
    const start = entries.find((entry) => entry.get('id') === id)?.range?.[0];
    return start === undefined ? undefined : lines.linePos(start).line;
  };
}
