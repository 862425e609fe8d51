import type { Contract } from '../model/contract.ts';
import type { Exchange } from '../model/exchange.ts';
import { packageVersion } from '../model/package-root.ts';
import {
  headerOf,
  LEDGER_VERSION,
  type Ledger,
  type LedgerLine,
  openLedger,
} from '../session/ledger/ledger.ts';
import type { StartedRun } from './conduct.ts';
import type { Conducted } from './judging/judge-outcome.ts';
import type { RunOptions } from './options.ts';

export interface LedgerProblem {
  message: string;
  /** Another run has replaced the ledger by its own. */
  isReplaced: boolean;
}

export interface LedgerPlace {
  /** Without a path nothing is written. */
  path?: string | undefined;
  /** Tells this run from any other that writes to the same place. */
  run: string;
  /** The ledger exists, and this run appends to it. */
  isContinued?: boolean;
}

/**
 * Writes a run to its ledger as it happens. If that fails, the run goes on, because it has already cost its target
 * something, and reports the problem at its end.
 */
export class LedgerKeeper {
  readonly #contract: Contract;
  readonly #place: LedgerPlace;
  readonly #ledger: Ledger | undefined;
  #isChanged: boolean;
  #problem: LedgerProblem | undefined;

  constructor(contract: Contract, place: LedgerPlace) {
    const { path, isContinued = false } = place;
    this.#contract = contract;
    this.#place = place;
    this.#isChanged = !isContinued;
    this.#ledger = this.#attempt(() => (path === undefined ? undefined : openLedger(path, isContinued)));
  }

  /** Why the ledger is not complete; undefined if it is. */
  get problem(): LedgerProblem | undefined {
    return this.#problem;
  }

  begin({ target, options, startedAt, isKeyShown }: StartedRun): void {
    if (this.#place.isContinued) return;
    // Secrets that judging does not need, and paths of files with them, are left out.
    const {
      apiKey: _key,
      apiKeyCommand: _command,
      secondKey,
      keys,
      secondKeys,
      headers,
      network: _network,
      words: _words,
      ...judging
    } = options;
    const named = headers.map(([name]) => [name, '[hidden]'] as const);
    this.#write({
      record: 'run',
      ledgerVersion: LEDGER_VERSION,
      run: this.#place.run,
      petspec: packageVersion,
      specDigest: this.#contract.digest,
      startedAt,
      target,
      options: {
        ...judging,
        secondKey: secondKey === undefined ? undefined : '[hidden]',
        keys: withoutValues(keys),
        secondKeys: withoutValues(secondKeys),
        ...(named.length === 0 ? {} : { headers: named }),
      },
      isKeyShown,
    });
  }

  keep(exchange: Exchange): void {
    this.#isChanged = true;
    this.#write(exchange);
  }

  end({
    finishedAt,
    unsent,
    referencesKnown,
    stopped,
    limits,
    used,
    takenApart,
    unconfirmed,
    noRoom,
  }: Conducted): void {
    const state = { stopped, limits, used, takenApart, unconfirmed, noRoom };
    if (this.#isChanged) this.#write({ record: 'end', finishedAt, unsent, referencesKnown, ...state });
    const { path, run } = this.#place;
    const writer = this.#attempt(() => (path === undefined ? run : headerOf(path)?.run));
    if (writer !== run)
      this.#problem ??= { message: 'another run has begun to write there meanwhile', isReplaced: true };
  }

  close(): void {
    this.#ledger?.close();
  }

  #write(line: LedgerLine): void {
    this.#attempt(() => this.#ledger?.write(line));
  }

  /** Does nothing more after the first failure. */
  #attempt<T>(act: () => T): T | undefined {
    if (this.#problem) return undefined;
    try {
      return act();
    } catch (error) {
      this.#problem = { message: error instanceof Error ? error.message : String(error), isReplaced: false };
      return undefined;
    }
  }
}

function withoutValues(keys: RunOptions['keys']): RunOptions['keys'] {
  return keys && Object.fromEntries(Object.keys(keys).map((name) => [name, '[hidden]']));
}
