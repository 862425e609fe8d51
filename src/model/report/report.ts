import type { Requirement } from '../contract.ts';
import type { Exchange, Stopped } from '../exchange.ts';
import type { Finding, Status } from '../finding.ts';
import type { Most } from '../request-counts.ts';
import type { Hint } from './hint.ts';
import type { RootCause } from './root-cause.ts';

export type Verdict = 'conformant' | 'non-conformant' | 'incomplete';

/** Grows with every change of meaning; fields may be added without it. */
export const SCHEMA_VERSION = 1;

/** A requirement with what a run found of it. */
export interface RequirementResult extends Requirement, Omit<Finding, 'repetition'> {
  /** A command that repeats the first request of the evidence, with the key's place left to a variable. */
  curl?: string;
  /** What shows the violation again: that command, or a script where one request does not show it. */
  reproduce?: Reproduction;
}

/** What a run found: the one value from which text, exit status and every report come. */
export interface Report {
  schemaVersion: number;
  suite: {
    name: string;
    version: string;
    specVersion: string;
    specDigest: string;
    /** Whose requirements these are: since which version, and how many. */
    set: { version: string; requirements: number; digest: string };
  };
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
  /** Of the requirements that bind the service, how many were judged. Absent from older reports. */
  judged?: JudgedCount;
  /** Why every operation fails alike, where they do, and which findings follow from that. */
  rootCause?: RootCause;
  /** What may be wrong with the addresses, where nothing answers as the service would. */
  hints?: HintResult[];
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
  /** What was announced before the first request, and never exceeded (absent from older reports). */
  announced?: Most;
  /**
   * Requirements by status; of those that are met, how many nothing put to the test; of those that the interface leaves
   * open, how many nothing was seen of (absent from older reports).
   */
  summary: Record<Status, number> & { unexercised: number; unobserved?: number };
  requirements: RequirementResult[];
  /** Requirements that a newer set adds: this run says nothing of them. Absent from reports of before there were sets. */
  newer?: Requirement[];
  exchanges: Exchange[];
  /** Known violations, and how they compare with those that were found. */
  baseline?: BaselineResult;
}

/** A hint in words, and the command to type where there is one. */
export interface HintResult {
  kind: Hint['kind'];
  text: string;
  command?: string;
}

/** Requirements of level `must`, and how many of them a run judged: found met or violated. */
export interface JudgedCount {
  requirements: number;
  of: number;
  /** Of those that were judged: met, but nothing put them to the test. */
  unexercised: number;
}

/** How the violations of a run compare with those that a baseline knows. */
export interface BaselineResult {
  file: string;
  /** `exact`: the same ones. `different`: not so. `incomplete`: the same ones, but not everything could be judged. */
  outcome: 'exact' | 'different' | 'incomplete';
  /** Violations that the baseline knows. */
  known: BaselineEntryResult[];
  /** Entries that no longer hold: to be deleted. */
  stale: BaselineEntryResult[];
  /** Entries of which this run could say nothing. */
  unjudged: BaselineEntryResult[];
  /** Requirements with violations that the baseline does not know. */
  unknown: string[];
}

/** An entry of a baseline, and where in its file it stands; lines are counted from 1. */
export interface BaselineEntryResult {
  requirement: string;
  comment: string;
  line: number;
  lastLine: number;
}

/** Whether a requirement counts as violated: the one place that knows what `strict` means. */
export function isViolation(
  { strict }: Pick<Report, 'strict'>,
  { status }: Pick<Finding, 'status'>,
): boolean {
  return status === 'violated' || (strict && status === 'advisory');
}

/** `1 request`, `2 requests`. */
export function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** Why a requirement that an option left out was not tested. */
export function leftOutBy(option: string): string {
  return `left out by ${option}`;
}

/** Whether something was seen of what the interface leaves open. */
export function isSeen({ status, exercised }: Pick<Finding, 'status' | 'exercised'>): boolean {
  return status === 'observed' && exercised;
}

/** Whether a run went as it should: a conformant one whose baseline no longer holds did not. */
export function isGood(report: Pick<Report, 'verdict' | 'baseline'>): boolean {
  return report.verdict === 'conformant' && exitStatusOf(report) === 0;
}

/** What the baseline in use says of a violation that it knows. */
export function knownAs({ baseline }: Pick<Report, 'baseline'>, id: string): string | undefined {
  return baseline?.known.find(({ requirement }) => requirement === id)?.comment;
}

/** The exit status of a verdict (design: the outside contracts). */
export const EXIT_STATUS: Readonly<Record<Verdict, number>> = {
  conformant: 0,
  'non-conformant': 1,
  incomplete: 3,
};

const BASELINE_STATUS: Readonly<Record<BaselineResult['outcome'], number>> = {
  exact: 0,
  different: 1,
  incomplete: 3,
};

/** The exit status of a run: that of its verdict, unless a baseline is in use. What is incomplete stays that. */
export function exitStatusOf({ verdict, baseline }: Pick<Report, 'verdict' | 'baseline'>): number {
  const isByBaseline = baseline !== undefined && verdict !== 'incomplete';
  return isByBaseline ? BASELINE_STATUS[baseline.outcome] : EXIT_STATUS[verdict];
}

/** How to see a violation again. */
export interface Reproduction {
  /** One curl command, or lines for bash and curl. */
  script: string;
  /** What the script adds to the service, or uses up. */
  warning?: string;
}

/** How a report says to see a violation again; older reports have the command alone. */
export function reproductionOf({
  reproduce,
  curl,
}: Pick<RequirementResult, 'reproduce' | 'curl'>): Reproduction | undefined {
  return reproduce ?? (curl === undefined ? undefined : { script: curl });
}
