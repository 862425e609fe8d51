import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import type { Exchange } from './exchange.ts';

/** Every exchange of a run, a JSON line each, on disk as it happens: what was completed survives whatever comes next. */
export interface Ledger {
  write(exchange: Exchange): void;
  close(): void;
}

/** Begins a ledger; one that is there is replaced. @throws the file system's error where the file cannot be written */
export function openLedger(path: string): Ledger {
  const file = openSync(path, 'w');
  return {
    write: (exchange) => void writeSync(file, `${JSON.stringify(exchange)}\n`),
    close: () => closeSync(file),
  };
}

/** The exchanges of a ledger; a last line that was cut short by a crash is left out. */
export function readLedger(path: string): Exchange[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as Exchange];
      } catch {
        return [];
      }
    });
}
