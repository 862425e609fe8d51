import type { Stopped } from '../exchange.ts';
import type { Finding } from '../finding.ts';
import type { Most } from '../request-counts.ts';
import type { Hint } from './hint.ts';
import type { Report } from './report.ts';
import type { RootCause } from './root-cause.ts';

/** All that a run brought back besides its exchanges, as plain data. */
export interface RunRecord {
  target: Report['target'];
  findings: Readonly<Record<string, Finding>>;
  /** Why every operation fails alike, where they do. */
  rootCause?: RootCause;
  /** What may be wrong with the addresses. */
  hints: readonly Hint[];
  /** Options that left requirements out, and which. */
  narrowed: readonly { option: string; requirements: readonly string[] }[];
  stopped?: Stopped;
  strict: boolean;
  /** What was announced before the first request. */
  announced: Most;
  /** The environment variable that holds the key, where one does: commands that repeat a request take it from there. */
  keyVariable?: string;
  /** ms since the epoch. */
  startedAt: number;
  finishedAt: number;
}
