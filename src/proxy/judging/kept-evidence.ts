import { isProblem } from '../../model/finding.ts';
import { repeated } from '../../model/repetition.ts';
import type { Captured } from '../../recording/capture/capture.ts';
import type { RecordingPart } from '../../recording/judgment.ts';
import type { TrafficLedger } from './traffic-ledger.ts';

/** Exchanges with their bodies for each requirement, in the ledger. */
const MAX_EVIDENCE = 20;

/** Keeps the bodies that show what is wrong. */
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
      for (const each of [...finding.evidence, ...(finding.repetition ? repeated(finding.repetition) : [])]) {
        const entry = entries.get(each) ?? 0;
        const shown = captured.get(entry);
        if (!shown || kept.has(entry) || kept.size >= MAX_EVIDENCE) continue;
        kept.add(entry);
        ledger.addEvidence(shown);
      }
    }
  }
}
