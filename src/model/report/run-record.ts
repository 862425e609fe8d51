import type { Gap, Requirement } from '../contract.ts';
import type { Stopped } from '../exchange.ts';
import type { Finding } from '../finding.ts';
import type { Most, NoRoom } from '../limits/request-counts.ts';
import type { Hint, RootCause } from './diagnosis.ts';
import type { LimiterResult } from './limiter.ts';
import type { InterfaceSource, NarrowedResult, Report } from './report.ts';

/** The result of a run as plain data, without its exchanges. */
export interface RunRecord {
  target: Report['target'];
  findings: Readonly<Record<string, Finding>>;
  /** Why every operation fails in the same way, if they do. */
  rootCause?: RootCause | undefined;
  /** What may be wrong with the addresses. */
  hints: readonly Hint[];
  /** The honest limiters that explain what was observed, or come nearest. */
  limiters: readonly LimiterResult[];
  /** What petspec could not judge of the document in the responses of the target. */
  gaps?: readonly Gap[] | undefined;
  /** Which requirements were left out, and why. */
  narrowed: readonly NarrowedResult[];
  stopped?: Stopped | undefined;
  /** Set if the window after the recovery had no room for all announced requests. */
  noRoom?: NoRoom | undefined;
  strict: boolean;
  /** The day on which the dates of the document were evaluated. */
  asOf?: string | undefined;
  /** The seed of the variations. Absent if there were none. */
  seed?: number | undefined;
  /** The maximum that was announced before the first request. */
  announced: Most;
  /** The environment variable with the key, if any. Commands that repeat a request read it. */
  keyVariable?: string | undefined;
  /** Where the OpenAPI document was fetched from. */
  interfaceSource?: InterfaceSource | undefined;
  /** ms since the epoch. */
  startedAt: number;
  finishedAt: number;
  /** Set if these times are those of a virtual clock. */
  virtualTime?: true | undefined;
}

/**
 * Which requirements were left out when traffic was judged that petspec did not plan.
 * @param findings of the requirements that the user selected, by id
 */
export function narrowedByTraffic(
  requirements: readonly Pick<Requirement, 'id'>[],
  findings: Readonly<Record<string, Finding>>,
): NarrowedResult[] {
  const ids = requirements.map(({ id }) => id);
  const unselected = ids.filter((id) => findings[id] === undefined);
  const unseen = ids.filter((id) => findings[id]?.untested === 'no-traffic');
  const selection = { kind: 'selection', option: '--only', requirements: unselected } as const;
  return [
    ...(unselected.length > 0 ? [selection] : []),
    { kind: 'no-traffic', option: 'no traffic', requirements: unseen },
  ];
}
