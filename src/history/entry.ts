import { quantileSorted } from 'd3-array';
import type { Status } from '../model/finding.ts';
import type { Report, RequirementResult, Verdict } from '../model/report/report.ts';
import { cutAt } from '../model/visible.ts';
import { isNarrowed, judgedOf, reasonOf } from '../report/facts/verdict.ts';

/** Increased when the meaning of a field changes. New fields do not increase it. */
export const HISTORY_VERSION = 1;

/** Bounds of an entry: the longest text, in characters, and the number of requirements. */
const MAX_TEXT = 300;
export const MAX_REQUIREMENTS = 2_000;

/** `unexercised`: met, but nothing in the run could have shown a violation. */
export type EntryStatus = Status | 'unexercised';

/** The requirements of a section of the interface, by status. */
export interface SectionStatuses {
  name: string;
  statuses: Partial<Record<EntryStatus, string[]>>;
}

/** A run in a history: one line of the file. */
export interface HistoryEntry {
  schemaVersion: typeof HISTORY_VERSION;
  /** SHA-256 of report.json, hexadecimal. */
  report: string;
  /** Name of the implementation. */
  name: string;
  /** ISO 8601. */
  startedAt: string;
  /** The release of the implementation. */
  release?: string | undefined;
  baseUrl: string;
  plan: string | null;
  /** The version of petspec, its set of requirements, and the digest of the interface. */
  petspec: { version: string; set: string; interface: string };
  verdict: Verdict;
  because: string;
  judged: { requirements: number; of: number };
  /** Whether options left out requirements of level must. */
  narrowed: boolean;
  /** Whether advisories count as violations. */
  strict: boolean;
  seed?: number | undefined;
  durationMs: number;
  requests: number;
  /** ms from a request to its response. Missing if the report keeps no response. */
  latency?: { median: number; p95: number; max: number } | undefined;
  sections: SectionStatuses[];
}

/** What the user says about the implementation; the report does not have it. */
export interface Implementation {
  /** Default: the base URL. */
  name?: string | undefined;
  release?: string | undefined;
}

/**
 * The entry of a run.
 * @param digest SHA-256 of report.json, hexadecimal
 */
export function entryOf(
  report: Report,
  digest: string,
  { name = report.target.baseUrl, release }: Implementation = {},
): HistoryEntry {
  const { requirements, of } = judgedOf(report);
  const latency = latencyOf(report);
  const { seed } = report;
  // `report`, `name` and `startedAt` come first, so that a reader of many entries need not parse the rest.
  return {
    schemaVersion: HISTORY_VERSION,
    report: digest,
    name: kept(name),
    startedAt: report.startedAt,
    release: release === undefined ? undefined : kept(release),
    baseUrl: kept(report.target.baseUrl),
    plan: report.target.plan === null ? null : kept(report.target.plan),
    petspec: {
      version: kept(report.suite.version),
      set: kept(report.suite.set.version),
      interface: kept(report.suite.specDigest),
    },
    verdict: report.verdict,
    because: kept(reasonOf(report)),
    judged: { requirements, of },
    narrowed: isNarrowed(report),
    strict: report.strict,
    seed,
    durationMs: report.durationMs,
    requests: report.requests.total,
    latency,
    sections: sectionsOf(report.requirements),
  };
}

function kept(text: string): string {
  return cutAt(text, MAX_TEXT);
}

function sectionsOf(requirements: readonly RequirementResult[]): SectionStatuses[] {
  const sections = new Map<string, SectionStatuses>();
  for (const { id, section, status, exercised } of requirements) {
    const name = kept(section);
    const group: SectionStatuses = sections.get(name) ?? { name, statuses: {} };
    sections.set(name, group);
    const entryStatus = status === 'met' && !exercised ? 'unexercised' : status;
    const ids = group.statuses[entryStatus] ?? [];
    ids.push(kept(id));
    group.statuses[entryStatus] = ids;
  }
  return [...sections.values()];
}

function latencyOf({ exchanges }: Report): HistoryEntry['latency'] {
  const times = exchanges
    .filter(({ response }) => response)
    .map(({ sentAt, receivedAt }) => receivedAt - sentAt)
    .filter((time) => Number.isFinite(time) && time >= 0)
    .sort((left, right) => left - right);
  if (times.length === 0) return undefined;
  const at = (share: number) => Math.round(quantileSorted(times, share) ?? 0);
  return { median: at(0.5), p95: at(0.95), max: at(1) };
}
