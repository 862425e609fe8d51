import { closeSync, fstatSync, openSync, statSync } from 'node:fs';

/** The ledger of a run, held open. Another run in the same folder can replace the file, but not its contents. */
export interface OwnLedger {
  /** File descriptor to read it from, even after the file was replaced. */
  file: number;
  /** Whether the file was neither removed nor replaced. */
  isThere(): boolean;
  close(): void;
}

/** @throws the file system's error if it cannot be opened */
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
