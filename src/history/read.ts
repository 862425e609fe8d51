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

export interface HistoryLine {
  /** Counted from 1. */
  number: number;
  /** Of its first byte in the file. */
  offset: number;
  /** Valid until the next line is read; undefined if the line is too long. */
  bytes: Buffer | undefined;
  /** Whether it ends with a line break. */
  isWhole: boolean;
}

/** The lines of a file, in order. Only one chunk and one line are in memory. */
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
      const newline = chunk.subarray(0, read).indexOf(NEWLINE, start);
      const end = newline < 0 ? read : newline;
      length += end - start;
      if (length <= MAX_LINE) kept.push(chunk.subarray(start, end));
      if (newline < 0) break;
      yield line(true);
      number += 1;
      offset += length + 1;
      start = newline + 1;
      kept = [];
      length = 0;
    }
    // A copy, as the next chunk overwrites this one.
    kept = length > MAX_LINE || length === 0 ? [] : [Buffer.concat(kept)];
  }
  if (length > 0) yield line(false);
}

const SCHEMA = join(packageRoot, 'reports', 'history.schema.json');
let compiled: ValidateFunction<HistoryEntry> | undefined;

/** Levels of nesting: deeper than any entry, and shallow enough to validate. */
const MAX_DEPTH = 64;

/** The beginning of every entry. */
export const HEAD = `{"schemaVersion":${HISTORY_VERSION},"report":"`;

/** Whether an incomplete line may be the beginning of an entry. */
export function isBeginning(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.subarray(0, HEAD.length)).toString('latin1');
  return HEAD.startsWith(text) || text === HEAD;
}

/** Reads a line of a history. @returns the entry, or why the line is not an entry */
export function readEntry(bytes: Uint8Array | undefined): HistoryEntry | string {
  if (bytes === undefined) return `not an entry of a history: longer than ${MAX_LINE / 1024 / 1024} MiB`;
  return checked(parse(textOf(bytes)));
}

const SECTIONS = Buffer.from(',"sections":[');

/**
 * Reads lines one after another. The sections are most of a line, and most runs have the statuses of the run before: if the
 * bytes of the sections are those of the previous line, they are not parsed again.
 */
export function entryReader(): (bytes: Buffer) => HistoryEntry | string {
  let before: { bytes: Buffer; sections: HistoryEntry['sections'] } | undefined;
  return (bytes) => {
    const at = bytes.indexOf(SECTIONS);
    const sectionBytes = at < 0 ? undefined : bytes.subarray(at);
    if (before && sectionBytes?.equals(before.bytes)) {
      const rest = parse(`${textOf(bytes.subarray(0, at))}}`);
      if (isObject(rest)) return checked({ ...rest, sections: before.sections });
    }
    const entry = readEntry(bytes);
    before =
      sectionBytes && typeof entry !== 'string'
        ? { bytes: sectionBytes, sections: entry.sections }
        : undefined;
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

export interface BadLine {
  line: number;
  problem: string;
}

/** The entries of an open history, in the order of the file. Of two lines with the same report, the first counts. */
export function* entriesOf(file: number, onBad: (bad: BadLine) => void): Generator<HistoryEntry> {
  const reports = new Set<string>();
  for (const line of linesOf(file)) {
    const entry = entryIn(line);
    if (typeof entry === 'string') onBad({ line: line.number, problem: entry });
    else if (!reports.has(entry.report)) {
      reports.add(entry.report);
      yield entry;
    }
  }
}

/** The entry in a line. A last line without a line break is incomplete, unless it is a valid entry. */
export function entryIn({ bytes, isWhole }: HistoryLine): HistoryEntry | string {
  const entry = readEntry(bytes);
  if (isWhole || typeof entry !== 'string' || bytes === undefined || !isBeginning(bytes)) return entry;
  return 'the last line is cut; petspec history add removes it';
}
