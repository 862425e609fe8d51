import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { isObject } from '../contract/schema.ts';
import { ajvOfRecords } from '../model/ajv.ts';
import { isDeeper } from '../model/json.ts';
import { packageRoot } from '../model/package-root.ts';
import { clip, visible } from '../model/visible.ts';
import { HISTORY_VERSION, type HistoryEntry, MAX_REQUIREMENTS } from './entry.ts';
import { type HistoryLine, linesOf, MAX_LINE } from './lines.ts';

const SCHEMA = join(packageRoot, 'reports', 'history.schema.json');
let compiled: ValidateFunction<HistoryEntry> | undefined;

/** Deeper than any entry, and shallow enough to be shown. */
const MAX_DEPTH = 64;

/** What every entry begins with. */
export const HEAD = `{"schemaVersion":${HISTORY_VERSION},"report":"`;

/** Whether bytes without a line break may be the beginning of an entry. */
export function isBeginning(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.subarray(0, HEAD.length)).toString('latin1');
  return HEAD.startsWith(text) || text === HEAD;
}

/** Reads a line of a history. @returns the entry, or why it is not one */
export function readEntry(bytes: Uint8Array | undefined): HistoryEntry | string {
  if (bytes === undefined) return `not an entry of a history: longer than ${MAX_LINE / 1024 / 1024} MiB`;
  return checked(parse(textOf(bytes)));
}

const SECTIONS = Buffer.from(',"sections":[');

/**
 * Reads lines one after another. From run to run most statuses stay the same, and they are most of a line: where the bytes
 * of the sections are those of the line before, so are the sections, and they are not parsed again.
 */
export function entryReader(): (bytes: Buffer) => HistoryEntry | string {
  let before: { bytes: Buffer; sections: HistoryEntry['sections'] } | undefined;
  return (bytes) => {
    const at = bytes.indexOf(SECTIONS);
    const own = at < 0 ? undefined : bytes.subarray(at);
    if (before && own?.equals(before.bytes)) {
      const rest = parse(`${textOf(bytes.subarray(0, at))}}`);
      if (isObject(rest)) return checked({ ...rest, sections: before.sections });
    }
    const entry = readEntry(bytes);
    before = own && typeof entry !== 'string' ? { bytes: own, sections: entry.sections } : undefined;
    return entry;
  };
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function checked(value: unknown): HistoryEntry | string {
  if (value === undefined) return 'not an entry of a history: not valid JSON';
  if (isDeeper(value, MAX_DEPTH))
    return `not an entry of a history: nested more than ${MAX_DEPTH} levels deep`;
  compiled ??= ajvOfRecords({ strict: true }).compile<HistoryEntry>(JSON.parse(readFileSync(SCHEMA, 'utf8')));
  if (!compiled(value)) {
    const [first] = compiled.errors ?? [];
    const words = `${first?.instancePath || 'it'} ${first?.message ?? 'is not valid'}`;
    return `not an entry of a history: ${visible(clip(words, 200))}`;
  }
  let count = 0;
  for (const { statuses } of value.sections) for (const ids of Object.values(statuses)) count += ids.length;
  return count <= MAX_REQUIREMENTS ? value : `it has more than ${MAX_REQUIREMENTS} requirements`;
}

/** A line that is not an entry. */
export interface BadLine {
  line: number;
  problem: string;
}

/** The entries of an open history, in the order of the file. A report that two lines have counts once. */
export function* entriesOf(file: number, onBad: (bad: BadLine) => void): Generator<HistoryEntry> {
  const known = new Set<string>();
  for (const line of linesOf(file)) {
    const entry = entryIn(line);
    if (typeof entry === 'string') onBad({ line: line.number, problem: entry });
    else if (!known.has(entry.report)) {
      known.add(entry.report);
      yield entry;
    }
  }
}

/** The entry in a line. A last line without a line break is cut, unless it is a whole entry. */
export function entryIn({ bytes, isWhole }: HistoryLine): HistoryEntry | string {
  const entry = readEntry(bytes);
  if (isWhole || typeof entry !== 'string' || bytes === undefined || !isBeginning(bytes)) return entry;
  return 'the last line is cut; petspec history add removes it';
}
