/**
 * Which faults of the catalogue of the bundled reference the exchanges would have shown: mistakes that somebody thought of. It says
 * nothing of others.
 */
export interface Sensitivity {
  /** Faults of the catalogue that violate a requirement of the set. */
  faults: number;
  /** How many of them the exchanges would have shown. */
  shown: number;
  /** How many of them no traffic of others shows, whatever is sent. Absent for a run. */
  onlyInRuns?: number;
  /** The same by section of the interface, in its order. */
  sections: readonly { section: string; faults: number; shown: number }[];
  /** Probes that were not sent, or whose requirement was not put to the test, and how many further faults each shows. */
  missing: readonly { probe: string; faults: number }[];
}
