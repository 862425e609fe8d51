import type { Contract } from '../model/contract.ts';
import type { Exchange } from '../model/exchange.ts';
import { packageVersion } from '../model/package-root.ts';
import { headerOf, LEDGER_VERSION, type LedgerLine, openLedger } from '../session/ledger/ledger.ts';
import type { Conducted, Start } from './conduct.ts';

/** Writes a run down as it happens. */
export interface LedgerKeeper {
  begin(start: Start): void;
  keep(exchange: Exchange): void;
  end(conducted: Conducted): void;
  close(): void;
  /** Why the ledger does not have all of the run, where that is so. */
  problem(): LedgerProblem | undefined;
}

export interface LedgerProblem {
  message: string;
  /** Another run has replaced it by its own. */
  isReplaced: boolean;
}

/**
 * Keeps the ledger of a run. One that cannot be written is no reason to lose a run that has cost its target something:
 * the run goes on, and says so at its end.
 * @param path where the ledger goes; without one nothing is written
 * @param isContinued whether the ledger is there and goes on, in place of a new one
 * @param run tells this run from any other that writes to the same place
 */
export function keepLedger(
  contract: Contract,
  path: string | undefined,
  run: string,
  isContinued = false,
): LedgerKeeper {
  let problem: LedgerProblem | undefined;
  let isChanged = !isContinued;
  const attempt = <T>(act: () => T): T | undefined => {
    if (problem !== undefined) return undefined;
    try {
      return act();
    } catch (error) {
      problem = { message: error instanceof Error ? error.message : String(error), isReplaced: false };
      return undefined;
    }
  };
  const ledger = attempt(() => (path === undefined ? undefined : openLedger(path, isContinued)));
  const write = (line: LedgerLine) => attempt(() => ledger?.write(line));
  return {
    begin({ target, options, startedAt }) {
      if (isContinued) return;
      // Neither the key, nor headers of the user's own, nor the ways to a proxy: secrets that judging does not need.
      const { apiKey: _key, headers: _headers, network: _network, ...judging } = options;
      write({
        record: 'run',
        ledgerVersion: LEDGER_VERSION,
        run,
        petspec: packageVersion,
        specDigest: contract.digest,
        startedAt,
        target,
        options: judging,
      });
    },
    keep(exchange) {
      isChanged = true;
      write(exchange);
    },
    end({ finishedAt, unsent, referencesKnown, stopped, limits, used }) {
      const known = {
        ...(stopped ? { stopped } : {}),
        ...(limits ? { limits } : {}),
        ...(used ? { used } : {}),
      };
      if (isChanged) write({ record: 'end', finishedAt, unsent, referencesKnown, ...known });
      const found = attempt(() => (path === undefined ? run : headerOf(path)?.run));
      if (found !== run)
        problem ??= { message: 'another run has begun to write there meanwhile', isReplaced: true };
    },
    close: () => ledger?.close(),
    problem: () => problem,
  };
}
