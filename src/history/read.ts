import { readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { isObject } from '../contract/schema.ts';
import { ajvOfRecords } from '../model/ajv.ts';
import { isDeeper } from '../model/json.ts';
import { packageRoot } from '../model/package-root.ts';
import { clip, visible } from '../model/visible.ts';
import { HISTORY_VERSION, type HistoryEntry, MAX_REQUIREMENTS } from './entry.ts';

/** The longest line, in bytes. The longest entry that petspec writes is shorter. */
export const MAX_LINE = 2 * 1024 * 1024;

const CHUNK = 1024 * 1024;
const NEWLINE = 10;

/** A line of a file. */
export interface HistoryLine {
  /** Counted from 1. */
  number: number;
  /** Where it begins, in bytes. */
  offset: number;
  /** Its bytes, which the next line may overwrite; undefined if it is too long. */
  bytes: Buffer | undefined;
  /** Whether a line break ends it. */
  isWhole: boolean;
}

/** The lines of a file, in order. Keeps one chunk and one line in memory, however long the file is. */
export function* linesOf(file: number): Generator<HistoryLine> {
  const chunk = Buffer.allocUnsafe(CHUNK);
  let number = 1;
  let offset = 0;
  let position = 0;
  let kept: Buffer[] = [];
  let length = 0;
  const line = (isWhole: boolean): HistoryLine => {
    const bytes = length > MAX_LINE ? undefined : kept.length === 1 ? kept[0] : Buffer.concat(kept);
    return { number, offset, bytes, isWhole };
  };
  for (;;) {
    const read = readSync(file, chunk, 0, CHUNK, position);
    if (read === 0) break;
    position += read;
    let start = 0;
    while (start < read) {
      const found = chunk.subarray(0, read).indexOf(NEWLINE, start);
      const end = found < 0 ? read : found;
      length += end - start;
      if (length <= MAX_LINE) kept.push(chunk.subarray(start, end));
      if (found < 0) break;
      yield line(true);
      number += 1;
      offset += length + 1;
      start = found + 1;
      kept = [];
      length = 0;
    }
    // The next chunk overwrites this one.
    kept = length > MAX_LINE || length === 0 ? [] : [Buffer.concat(kept)];
  }
  if (length > 0) yield line(false);
}

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
