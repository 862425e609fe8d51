import type { Requirement } from '../contract/types.ts';
import type { Finding, Status } from '../judge/finding.ts';
import type { Exchange } from '../session/exchange.ts';
import type { Stopped } from '../session/types.ts';

export type Verdict = 'conformant' | 'non-conformant' | 'incomplete';

/** Grows with every change of meaning; fields may be added without it. */
export const SCHEMA_VERSION = 1;

/** A requirement with what a run found of it. */
export interface RequirementResult extends Requirement, Finding {
  /** A command that repeats the first request of the evidence, with the key's place left to a variable. */
  curl?: string;
}

/** What a run found: the one value from which text, exit status and every report come. */
export interface Report {
  schemaVersion: number;
  suite: { name: string; version: string; specVersion: string; specDigest: string };
  target: {
    baseUrl: string;
    apiUrl: string | null;
    plan: string | null;
    /** Its certificate was not verified: who answered is not known. */
    insecure?: boolean;
  };
  verdict: Verdict;
  /** Why the verdict is what it is, in one sentence. */
  because: string;
  /** Advisories count as violations. */
  strict: boolean;
  /** Why the run ended before its plan did. */
  stopped?: Stopped;
  /** What the user left out, and the requirements that were not tested for it. */
  narrowed: { option: string; requirements: string[] }[];
  /** ISO 8601. */
  startedAt: string;
  finishedAt: string;
  durationMs: number;
  requests: { total: number; withKey: number; byPurpose: Record<string, number>; created: string[] };
  summary: Record<Status, number> & { unexercised: number };
  requirements: RequirementResult[];
  exchanges: Exchange[];
}

/** Whether a requirement counts as violated: the one place that knows what `strict` means. */
export function isViolation(
  { strict }: Pick<Report, 'strict'>,
  { status }: Pick<Finding, 'status'>,
): boolean {
  return status === 'violated' || (strict && status === 'advisory');
}

/** The exit status of a verdict (design: the outside contracts). */
export const EXIT_STATUS: Readonly<Record<Verdict, number>> = {
  conformant: 0,
  'non-conformant': 1,
  incomplete: 3,
};
