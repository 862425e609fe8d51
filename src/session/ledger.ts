import { closeSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import type { PlanLimits } from '../contract/types.ts';
import type { Exchange, Unsent } from './exchange.ts';
import type { Stopped, Used } from './types.ts';

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
  limits?: PlanLimits;
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

/** A line in the middle of a ledger is no JSON: the file was changed by something else than a run. */
export class DamagedLedger extends Error {
  override name = 'DamagedLedger';
  readonly line: number;

  /** @param line counted from 1 */
  constructor(line: number) {
    super(`line ${line} is no JSON`);
    this.line = line;
  }
}

/**
 * The lines of a ledger, parsed one at a time as they are asked for. A last line that was cut short by a crash is left
 * out.
 * @throws DamagedLedger, or the file system's error where the file cannot be read
 */
export function* readLedger(path: string): Generator<unknown> {
  let number = 0;
  for (const { text, isWhole } of linesOf(path)) {
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
export function* exchangesOf(path: string): Generator<Exchange> {
  for (const line of readLedger(path)) if (isExchange(line)) yield line;
}

function isExchange(line: unknown): line is Exchange {
  return typeof line === 'object' && line !== null && !('record' in line);
}

/** The header of a ledger; undefined where it has none. @throws as `readLedger` */
export function headerOf(path: string): LedgerHeader | undefined {
  for (const line of readLedger(path))
    return typeof line === 'object' && line !== null && 'record' in line && line.record === 'run'
      ? (line as LedgerHeader)
      : undefined;
  return undefined;
}

const CHUNK = 64 * 1024;
const LINE_FEED = 0x0a;

/**
 * The lines of a file, by line feed alone: readline would also split at U+2028, which JSON leaves as it is. The last
 * one is not whole where no line feed ends it.
 */
function* linesOf(path: string): Generator<{ text: string; isWhole: boolean }> {
  const file = openSync(path, 'r');
  try {
    const chunk = Buffer.alloc(CHUNK);
    let begun: Buffer[] = [];
    for (let size = readSync(file, chunk); size > 0; size = readSync(file, chunk)) {
      let from = 0;
      for (let end = chunk.indexOf(LINE_FEED); end >= 0 && end < size; end = chunk.indexOf(LINE_FEED, from)) {
        const text = Buffer.concat([...begun, chunk.subarray(from, end)]).toString('utf8');
        begun = [];
        from = end + 1;
        yield { text, isWhole: true };
      }
      if (from < size) begun.push(Buffer.from(chunk.subarray(from, size)));
    }
    if (begun.length > 0) yield { text: Buffer.concat(begun).toString('utf8'), isWhole: false };
  } finally {
    closeSync(file);
  }
}
