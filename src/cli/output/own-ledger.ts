import { closeSync, fstatSync, openSync, statSync } from 'node:fs';

/**
 * The ledger of a run, held open: another run that begins in the same folder takes its name, and nothing of what is in
 * it.
 */
export interface OwnLedger {
  /** What it is read from, whatever becomes of its name. */
  file: number;
  /** Whether nobody has taken it away meanwhile, or put another in its place. */
  isThere(): boolean;
  close(): void;
}

/** @throws the file system's error where it cannot be opened */
export function holdLedger(path: string): OwnLedger {
  const file = openSync(path, 'r');
  return {
    file,
    isThere() {
      const [own, there] = [fstatSync(file), statSync(path, { throwIfNoEntry: false })];
      return there !== undefined && there.ino === own.ino && there.dev === own.dev;
    },
    close: () => closeSync(file),
  };
}
