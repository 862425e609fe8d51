import { closeSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import type { RatePlan } from '../../model/contract.ts';
import type { Exchange, Stopped, Unsent } from '../../model/exchange.ts';
import type { Used } from '../types.ts';

/** Grows with every change of meaning of a ledger's lines. */
export const LEDGER_VERSION = 1;

/** The first line of a ledger: what judging its exchanges again needs besides them. Nothing in it is secret. */
export interface LedgerHeader<Options = unknown> {
  record: 'run';
  ledgerVersion: number;
  /** Tells a run from any other that writes to the same place. */
  run: string;
  petspec: string;
  specDigest: string;
  /** ms since the epoch, by the run's clock. */
  startedAt: number;
  target: { baseUrl: string; apiUrl?: string };
  options: Options;
}

/** The last line of a ledger, where its run came to its end: what execution knew and exchanges do not show. */
export interface LedgerEnd {
  record: 'end';
  /** ms since the epoch, by the run's clock. */
  finishedAt: number;
  unsent: readonly Unsent[];
  stopped?: Stopped;
  referencesKnown: boolean;
  limits?: RatePlan;
  used?: Used;
}

export type LedgerLine = LedgerHeader | Exchange | LedgerEnd;

/** Every exchange of a run, a JSON line each, on disk as it happens: what was completed survives whatever comes next. */
export interface Ledger {
  /** @throws the file system's error where the line cannot be written */
  write(line: LedgerLine): void;
  close(): void;
}

/**
 * Begins a ledger. One that is there is unlinked, not emptied: should its run still go on, it writes into a file that
 * nobody sees any more, and not into this one.
 * @param isContinued whether the file goes on instead
 * @throws the file system's error where the file cannot be made
 */
export function openLedger(path: string, isContinued = false): Ledger {
  if (!isContinued) rmSync(path, { force: true });
  const file = openSync(path, isContinued ? 'a' : 'wx');
  return {
    // writeFileSync goes on until all of a line is written; writeSync may stop in the middle.
    write: (line) => writeFileSync(file, `${JSON.stringify(line)}\n`),
    close: () => closeSync(file),
  };
}

/** A line in the middle of a ledger is none of it: the file was changed by something else than a run. */
export class DamagedLedger extends Error {
  override name = 'DamagedLedger';
  readonly line: number;

  /** @param line counted from 1 */
  constructor(line: number, problem = 'is no JSON') {
    super(`line ${line} ${problem}`);
    this.line = line;
  }
}

/** A path; or an open file, which stays what it is whatever becomes of its name: it is read from its beginning. */
export type LedgerFile = string | number;

/**
 * The lines of a ledger, parsed one at a time as they are asked for. A last line that was cut short by a crash is left
 * out.
 * @throws DamagedLedger, or the file system's error where the file cannot be read
 */
export function* readLedger(ledger: LedgerFile): Generator<unknown> {
  let number = 0;
  for (const { text, isWhole } of linesOf(ledger)) {
    number += 1;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      if (!isWhole) return;
      throw new DamagedLedger(number);
    }
    yield value;
  }
}

/** The exchanges of a ledger that petspec itself wrote, one at a time. @throws as `readLedger` */
export function* exchangesOf(ledger: LedgerFile): Generator<Exchange> {
  for (const line of readLedger(ledger)) if (isExchange(line)) yield line;
}

function isExchange(line: unknown): line is Exchange {
  return typeof line === 'object' && line !== null && !('record' in line);
}

/** The header of a ledger; undefined where it has none. @throws as `readLedger` */
export function headerOf(ledger: LedgerFile): LedgerHeader | undefined {
  for (const line of readLedger(ledger))
    return typeof line === 'object' && line !== null && 'record' in line && line.record === 'run'
      ? (line as LedgerHeader)
      : undefined;
  return undefined;
}

const CHUNK = 64 * 1024;
const LINE_FEED = 0x0a;

/** Bytes of a line: a body of the size that is read at most, each byte escaped, is far below. */
const MAX_LINE = 128 * 1024 * 1024;

/**
 * The lines of a file, by line feed alone: readline would also split at U+2028, which JSON leaves as it is. The last
 * one is not whole where no line feed ends it.
 */
function* linesOf(ledger: LedgerFile): Generator<{ text: string; isWhole: boolean }> {
  const file = typeof ledger === 'number' ? ledger : openSync(ledger, 'r');
  try {
    const chunk = Buffer.alloc(CHUNK);
    let begun: Buffer[] = [];
    let length = 0;
    let place = 0;
    let number = 1;
    for (let size = readSync(file, chunk, 0, CHUNK, place); size > 0; ) {
      let from = 0;
      for (let end = chunk.indexOf(LINE_FEED); end >= 0 && end < size; end = chunk.indexOf(LINE_FEED, from)) {
        const text = Buffer.concat([...begun, chunk.subarray(from, end)]).toString('utf8');
        begun = [];
        length = 0;
        number += 1;
        from = end + 1;
        yield { text, isWhole: true };
      }
      if (from < size) begun.push(Buffer.from(chunk.subarray(from, size)));
      length += size - from;
      if (length > MAX_LINE) throw new DamagedLedger(number, 'is longer than any that a run writes');
      place += size;
      size = readSync(file, chunk, 0, CHUNK, place);
    }
    if (begun.length > 0) yield { text: Buffer.concat(begun).toString('utf8'), isWhole: false };
  } finally {
    if (typeof ledger !== 'number') closeSync(file);
  }
}
