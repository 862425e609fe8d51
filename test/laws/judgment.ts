import type { Conducted } from '../../src/run/judging/judge-outcome.ts';

/**
 * What a run found, without its words and its evidence: the same for one service, whatever connects to it, whatever its key is, and
 * in whichever words and order it says the same.
 */
export function judgmentOf({ findings, rootCause, hints }: Conducted): object {
  return {
    findings: Object.fromEntries(
      Object.entries(findings).map(([id, { status, exercised, kind, untested, cause }]) => [
        id,
        { status, exercised, kind, untested, cause },
      ]),
    ),
    rootCause: rootCause?.kind,
    hints: hints.map(({ kind }) => kind),
  };
}
