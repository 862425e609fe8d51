import { closeSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import type { RatePlan } from '../../model/contract.ts';
import type { Exchange, Stopped, TakenApart, Unsent } from '../../model/exchange.ts';
import { countValues } from '../../model/json/json-text.ts';
import type { NoRoom } from '../../model/limits/request-counts.ts';
import type { NotSent } from '../../model/report/confirmation.ts';
import { MAX_BODY, MAX_HEADERS } from '../http/bounds.ts';
import type { UsedWindow } from '../terms/types.ts';

/** Grows with every incompatible change of a ledger's lines. */
export const LEDGER_VERSION = 1;

/** The first line of a ledger: the data that judging needs besides the exchanges. It holds no secret. */
export interface LedgerHeader<Options = unknown> {
  record: 'run';
  ledgerVersion: number;
  /** Identifies the run among runs that write to the same path. */
  run: string;
  petspec: string;
  specDigest: string;
  /** ms since the epoch, by the run's clock. */
  startedAt: number;
  target: {
    baseUrl: string;
    apiUrl?: string | undefined;
    servers?: Readonly<Record<string, string>> | undefined;
  };
  options: Options;
  /** The key is too short or too common to be hidden. */
  isKeyShown?: true | undefined;
}

/** The last line of a ledger whose run was not broken off: the results that the exchanges do not show. */
export interface LedgerEnd {
  record: 'end';
  /** ms since the epoch, by the run's clock. */
  finishedAt: number;
  unsent: readonly Unsent[];
  stopped?: Stopped | undefined;
  referencesKnown: boolean;
  limits?: RatePlan | undefined;
  used?: UsedWindow | undefined;
  takenApart?: readonly TakenApart[] | undefined;
  /** Why findings were not sent again. Absent if the run did not get so far, and from older ledgers. */
  unconfirmed?: Readonly<Record<string, NotSent>> | undefined;
  /** What found no room in the window after the recovery. Absent from older ledgers. */
  noRoom?: NoRoom | undefined;
}

export type LedgerLine = LedgerHeader | Exchange | LedgerEnd;

export type Ledger = ReturnType<typeof openLedger>;

/**
 * Begins a ledger: every exchange of a run as a line of JSON, on disk as soon as it is complete, so that it survives a crash. An
 * existing ledger is unlinked, not emptied: if its run still goes on, it writes to the unlinked file.
 * @param isContinued appends to the file instead
 * @throws the error of the file system
 */
export function openLedger(path: string, isContinued = false) {
  if (!isContinued) rmSync(path, { force: true });
  const file = openSync(path, isContinued ? 'a' : 'wx');
  return {
    // writeFileSync writes the whole line; writeSync may stop in the middle.
    write: (line: LedgerLine): void => writeFileSync(file, `${JSON.stringify(line)}\n`),
    close: () => closeSync(file),
  };
}

/** A line in the middle of a ledger is invalid, so something other than a run changed the file. */
export class DamagedLedger extends Error {
  override name = 'DamagedLedger';
  readonly line: number;

  /** @param line counted from 1 */
  constructor(line: number, problem = 'is not valid JSON') {
    super(`line ${line} ${problem}`);
    this.line = line;
  }
}

/** A path, or an open file, which stays the same even if its path is replaced. It is read from the beginning. */
export type LedgerFile = string | number;

/**
 * The lines of a ledger, parsed one at a time. A last line that a crash cut short is left out.
 * @throws DamagedLedger, or the error of the file system
 */
export function* readLedger(ledger: LedgerFile): Generator<unknown> {
  let number = 0;
  for (const { text, isWhole } of linesOf(ledger)) {
    number += 1;
    if (countValues(text) > MAX_VALUES)
      throw new DamagedLedger(number, 'has more values than any line that a run writes');
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

/** The exchanges of a ledger that petspec itself wrote, one at a time. @throws like `readLedger` */
export function* exchangesOf(ledger: LedgerFile): Generator<Exchange> {
  for (const line of readLedger(ledger)) if (isExchange(line)) yield line;
}

function isExchange(line: unknown): line is Exchange {
  return typeof line === 'object' && line !== null && !('record' in line);
}

/** The header of a ledger; undefined if it has none. @throws like `readLedger` */
export function headerOf(ledger: LedgerFile): LedgerHeader | undefined {
  for (const line of readLedger(ledger))
    return typeof line === 'object' && line !== null && 'record' in line && line.record === 'run'
      ? (line as LedgerHeader)
      : undefined;
  return undefined;
}

const CHUNK = 64 * 1024;
const LINE_FEED = 0x0a;

/** The most bytes of a line: in JSON, a control character takes six. 1 MiB is for the fields that petspec writes. */
const MAX_LINE = 6 * (MAX_BODY + MAX_HEADERS) + 1024 * 1024;

/** The most values of a line. A body is one value, and a line of a head is three. */
const MAX_VALUES = 500_000;

/**
 * The lines of a file. Only line feeds end them: readline would also split at U+2028, which JSON does not escape. The last
 * line is not whole if no line feed ends it.
 */
function* linesOf(ledger: LedgerFile): Generator<{ text: string; isWhole: boolean }> {
  const file = typeof ledger === 'number' ? ledger : openSync(ledger, 'r');
  try {
    const chunk = Buffer.alloc(CHUNK);
    // One buffer for all lines: a buffer for each line with a long body would leave megabytes of garbage.
    let line = Buffer.alloc(CHUNK);
    let length = 0;
    const add = (piece: Buffer) => {
      if (length + piece.length > line.length) line = Buffer.concat([line], 2 * (length + piece.length));
      length += piece.copy(line, length);
    };
    let place = 0;
    let number = 1;
    for (let size = readSync(file, chunk, 0, CHUNK, place); size > 0; ) {
      let from = 0;
      for (let end = chunk.indexOf(LINE_FEED); end >= 0 && end < size; end = chunk.indexOf(LINE_FEED, from)) {
        add(chunk.subarray(from, end));
        const text = line.toString('utf8', 0, length);
        length = 0;
        number += 1;
        from = end + 1;
        yield { text, isWhole: true };
      }
      add(chunk.subarray(from, size));
      if (length > MAX_LINE) throw new DamagedLedger(number, 'is longer than any line that a run writes');
      place += size;
      size = readSync(file, chunk, 0, CHUNK, place);
    }
    if (length > 0) yield { text: line.toString('utf8', 0, length), isWhole: false };
  } finally {
    if (typeof ledger !== 'number') closeSync(file);
  }
}
