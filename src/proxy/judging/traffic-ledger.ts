import { closeSync, openSync, writeFileSync } from 'node:fs';
import type { Received } from '../../model/exchange.ts';
import { isProblem, repeated } from '../../model/finding.ts';
import { packageVersion } from '../../model/package-root.ts';
import type { Captured } from '../../recording/capture/capture.ts';
import type { RecordingPart } from '../../recording/judgment.ts';
import { type BodyContent, entryOf, renderLog } from '../../report/formats/har.ts';
import { type LedgerFile, readLedger } from '../../session/ledger/ledger.ts';

/** The size of a ledger, and what it could not keep. */
export interface LedgerState {
  bytes: number;
  /** Exchanges in the ledger, and those that it had no room for. */
  kept: number;
  notKept: number;
  /** Why nothing more can be written. */
  problem?: string;
}

/** This share of the ledger is for the evidence of findings alone. */
const FOR_EVIDENCE = 0.1;

/** A file with the exchanges that passed, a line for each. */
export class TrafficLedger {
  readonly #file: number;
  readonly #most: number;
  readonly #keepsBodies: boolean;
  #state: LedgerState = { bytes: 0, kept: 0, notKept: 0 };
  #waiting = '';

  /**
   * @param most bytes
   * @throws the error of the file system
   */
  constructor(path: string, { most, keepsBodies }: { most: number; keepsBodies: boolean }) {
    this.#file = openSync(path, 'wx');
    this.#most = most;
    this.#keepsBodies = keepsBodies;
  }

  get state(): LedgerState {
    return this.#state;
  }

  /** Keeps an exchange, with its bodies if all are kept. */
  add(captured: Captured): void {
    const isKept = this.#write(captured, this.#keepsBodies, this.#most * (1 - FOR_EVIDENCE));
    if (isKept) this.#state.kept += 1;
    else this.#state.notKept += 1;
  }

  /** Keeps an exchange once more, with its bodies. */
  addEvidence(captured: Captured): void {
    if (!this.#keepsBodies) this.#write(captured, true, this.#most);
  }

  /** Writes what waits. */
  flush(): void {
    if (this.#waiting === '' || this.#state.problem !== undefined) return;
    try {
      writeFileSync(this.#file, this.#waiting);
    } catch (error) {
      this.#state.problem = error instanceof Error ? error.message : String(error);
    }
    this.#waiting = '';
  }

  close(): void {
    this.flush();
    closeSync(this.#file);
  }

  #write(captured: Captured, hasBodies: boolean, most: number): boolean {
    if (this.#state.problem !== undefined || this.#state.bytes >= most) return false;
    const line = ledgerLine(captured, hasBodies);
    const bytes = Buffer.byteLength(line);
    if (this.#state.bytes + bytes > most) return false;
    this.#state.bytes += bytes;
    this.#waiting += line;
    return true;
  }
}

/** A ledger as HAR 1.2, in pieces. @throws the error of the file system */
export function* harOfLedger(ledger: LedgerFile): Generator<string> {
  const withBodies = new Set<unknown>();
  for (const { _entry, _hasBodies } of entriesIn(ledger)) if (_hasBodies) withBodies.add(_entry);
  yield* renderLog(packageVersion, fullestIn(ledger, withBodies));
}

/** The entries of a ledger. Of an exchange that it has with and without bodies, the entry with them. */
function* fullestIn(ledger: LedgerFile, withBodies: ReadonlySet<unknown>): Generator<object> {
  for (const entry of entriesIn(ledger)) if (entry._hasBodies || !withBodies.has(entry._entry)) yield entry;
}

function entriesIn(ledger: LedgerFile): Generator<{ _entry?: number; _hasBodies?: boolean }> {
  return readLedger(ledger) as Generator<{ _entry?: number; _hasBodies?: boolean }>;
}

/**
 * A line of the ledger: an entry of HAR 1.2. Bodies are left out, and only their sizes stay, unless a finding cites
 * the exchange.
 */
function ledgerLine(captured: Captured, hasBodies: boolean): string {
  const { requestBody, sentAt, receivedAt, response, entry, isHeadComplete, sentKey } = captured;
  const bodies = {
    requestSize: requestBody === undefined ? -1 : Buffer.byteLength(requestBody),
    requestText: hasBodies && requestBody ? requestBody : undefined,
    content: contentOf(response, hasBodies),
  };
  // A duration of 0 would mean an unknown duration.
  const time = Math.max(0.001, receivedAt - sentAt);
  const line = {
    ...entryOf(captured, time, bodies),
    _sentKey: sentKey,
    _entry: entry,
    ...(isHeadComplete ? { _isHeadComplete: true } : {}),
    ...(hasBodies ? { _hasBodies: true } : {}),
  };
  return `${JSON.stringify(line)}\n`;
}

function contentOf(response: Received | undefined, hasBodies: boolean): BodyContent {
  const { body = '', undecodable, unread } = response ?? {};
  return {
    size: Buffer.byteLength(body),
    text: hasBodies && unread === undefined && undecodable === undefined ? body : undefined,
    _undecodable: hasBodies && undecodable !== undefined ? undecodable : undefined,
    _unread: unread,
  };
}

/** Exchanges whose bodies are kept for each requirement, at most. */
const MAX_EVIDENCE = 20;

/** Keeps the bodies of exchanges that findings cite. */
export class KeptEvidence {
  /** The numbers of exchanges by requirement. */
  readonly #kept = new Map<string, Set<number>>();

  /** @param captured the exchanges by their numbers */
  keep(
    { requests, findings }: RecordingPart,
    captured: ReadonlyMap<number, Captured>,
    ledger: TrafficLedger,
  ): void {
    const entries = new Map(requests.map(({ exchange, entry }) => [exchange.id, entry]));
    for (const [id, finding] of Object.entries(findings)) {
      if (!isProblem(finding)) continue;
      const kept = this.#kept.get(id) ?? new Set();
      this.#kept.set(id, kept);
      for (const exchangeId of [
        ...finding.evidence,
        ...(finding.repetition ? repeated(finding.repetition) : []),
      ]) {
        const entry = entries.get(exchangeId) ?? 0;
        const shown = captured.get(entry);
        if (!shown || kept.has(entry) || kept.size >= MAX_EVIDENCE) continue;
        kept.add(entry);
        ledger.addEvidence(shown);
      }
    }
  }
}
