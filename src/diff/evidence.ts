import type { BrokenExchanges } from './broken-exchanges.ts';
import type { BaselineEffect } from './kept-baseline.ts';
import type { Covered } from './kept-runs.ts';
import type { KeptRuns } from './read-runs.ts';

/** What a file shows of a change. */
export type ChangeEvidence = { name: string } & (
  | ({ kind: 'recording' } & BrokenExchanges)
  | ({ kind: 'history' | 'certificate'; runs: readonly Covered[] } & Omit<KeptRuns, 'runs'>)
  | ({ kind: 'baseline' } & BaselineEffect)
);

/** Whether a change breaks what a file is about. `untold`: the file does not say. */
export function outcomeOf(evidence: ChangeEvidence): 'breaks' | 'holds' | 'untold' {
  switch (evidence.kind) {
    case 'recording':
      if (evidence.breaks.length > 0) return 'breaks';
      return evidence.sound === 0 ? 'untold' : 'holds';
    case 'baseline':
      if (evidence.void.length > 0) return 'breaks';
      return evidence.tighter.length + evidence.unknown.length > 0 ? 'untold' : 'holds';
    default:
      if (evidence.runs.some(({ broken }) => broken.length > 0)) return 'breaks';
      if (evidence.runs.length === 0) return evidence.newer > 0 ? 'holds' : 'untold';
      return evidence.runs.some(({ fresh, tighter }) => fresh.length + tighter.length > 0)
        ? 'untold'
        : 'holds';
  }
}
