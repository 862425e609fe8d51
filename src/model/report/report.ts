import type { Gap, Requirement } from '../contract.ts';
import type { Exchange, Stopped } from '../exchange.ts';
import type { Finding, Status } from '../finding.ts';
import type { Most, NoRoom } from '../limits/request-counts.ts';
import type { Coverage, Sensitivity } from './coverage.ts';
import type { Hint, RootCause } from './diagnosis.ts';
import type { LimiterResult } from './limiter.ts';
import type { Unrepeatable } from './reproduction.ts';

export type Verdict = 'conformant' | 'non-conformant' | 'incomplete';

/** Increased when the meaning of a field changes. New fields do not increase it. */
export const SCHEMA_VERSION = 1;

/** A requirement with the finding of a run. */
export interface RequirementResult extends Requirement, Omit<Finding, 'repetition' | 'deviating'> {
  /** Of a violation: why the owner of the service disputes it, by the baseline. It counts in the verdict all the same. */
  waived?: string;
  /** A command that repeats the first request of the evidence. It takes the key from a variable. */
  curl?: string | undefined;
  /** The trace of the first request of the evidence (W3C Trace Context), if the run sent one. */
  traceId?: string | undefined;
  /** Reproduces the violation: the same command, or a script if one request is not enough. */
  reproduce?: ReproductionScript;
  /** Why no command reproduces the violation. Absent if a command does. */
  unrepeatable?: { because: Unrepeatable; text: string };
}

/** An OpenAPI document that was fetched. */
export interface InterfaceSource {
  /** Without its query, which may hold a secret. */
  url: string;
  /** SHA-256 of its first file, in hexadecimal digits. */
  digest: string;
}

/** The result of a run. The text, the exit status and all reports are made from this value. */
export interface Report {
  schemaVersion: number;
  suite: {
    name: string;
    version: string;
    specVersion: string;
    specDigest: string;
    /** The name of the interface, if it is not the bundled one. */
    interface?: string | undefined;
    /** What a run may create, in the singular. Absent from older reports. */
    noun?: string;
    /** Where the OpenAPI document was fetched from (`--interface` with a URL). */
    source?: InterfaceSource | undefined;
    /** The set of requirements that was judged. */
    set: { version: string; requirements: number; digest: string };
  };
  target: {
    baseUrl: string;
    apiUrl: string | null;
    /** Further servers of the user's interface, by name. */
    servers?: Readonly<Record<string, string>>;
    plan: string | null;
    /** Its certificate was not verified, so it is unknown who responded. */
    insecure?: boolean;
  };
  /** Of petspec client: the client that was judged instead of a service. */
  client?: ClientResult;
  /** Of petspec judge: the recordings that were judged instead of a run. */
  recording?: RecordingResult;
  verdict: Verdict;
  /** The reason for the verdict, in one sentence. */
  because: string;
  /** How many requirements of level must were judged. Absent from older reports. */
  judged?: JudgedCount;
  /** Why every operation fails in the same way, if they do, and the findings that follow from it. */
  rootCause?: RootCause | undefined;
  /** What may be wrong with the addresses, if no response looks like the service's. */
  hints?: HintResult[] | undefined;
  /** The honest limiters that explain what was observed, or come nearest. Absent if no response has rate limit headers. */
  limiters?: LimiterResult[] | undefined;
  /** Advisories count as violations. */
  strict: boolean;
  /** The day on which the dates of the document were evaluated (--as-of). */
  asOf?: string | undefined;
  /** The seed of the variations: the same --seed sends the same requests. Absent from older reports. */
  seed?: number | undefined;
  /** Why the run ended before its plan did. */
  stopped?: Stopped | undefined;
  /** Set if the window after the recovery had no room for all announced requests. */
  noRoom?: NoRoom | undefined;
  /** Which requirements were left out, and why. */
  narrowed: NarrowedResult[];
  /** ISO 8601. */
  startedAt: string;
  finishedAt: string;
  durationMs: number;
  /** Set if these times are those of a virtual clock, as in a run against the bundled reference. */
  virtualTime?: true | undefined;
  requests: {
    total: number;
    withKey: number;
    byPurpose: Record<string, number>;
    created: string[];
    /** How much the run created and removed. Absent from older reports, and if no request was sent. */
    things?: ThingsResult;
    /** Set if no operation of the interface takes a key. */
    areKeyless?: true;
  };
  /** The announced maximum, which a run never exceeds. Absent from older reports. */
  announced?: Most;
  /**
   * Requirements by status. `unexercised`: met, but not exercised. `unobserved`: left open, and nothing was observed
   * (absent from older reports).
   */
  summary: Record<Status, number> & { unexercised: number; unobserved?: number };
  requirements: RequirementResult[];
  /** The sections of the interface, in its order. Absent from older reports. */
  sections?: SectionCount[];
  /** How much of the interface the exchanges test. Absent from older reports. */
  coverage?: Coverage;
  /** Which faults of the catalogue the exchanges would have shown. Absent from older reports, and without a catalogue. */
  sensitivity?: Sensitivity | undefined;
  /** What petspec does not judge of the document. Absent if it judges everything. */
  gaps?: Gap[] | undefined;
  /** Requirements of newer sets, which this run did not judge. Absent from reports without sets. */
  newer?: Requirement[];
  exchanges: Exchange[];
  /** How the violations compare with a baseline. */
  baseline?: BaselineResult;
}

/** How many resources a run created and removed. */
export interface ThingsResult {
  created: number;
  removed: number;
  stillThere: number;
  /** How many of those still there have no known address. Absent if none. */
  withoutAddress?: number;
  /** How many resources were removed that the run did not create. Absent if none. */
  othersRemoved?: number;
  /** Requests that may have created something: no response tells. */
  mayHaveBeenCreated: number;
}

/**
 * Why requirements were left out: the user did not select them, another option (or a missing one) excludes their tests, or the judged
 * traffic does not show them.
 */
export type NarrowingKind = 'selection' | 'option' | 'no-traffic';

/** An option (as the user typed it), or another cause, that left requirements out. */
export interface NarrowedResult {
  /** Absent from older reports. */
  kind?: NarrowingKind;
  option: string;
  requirements: string[];
}

/** A client that was judged, and the scenarios that it went through. */
export interface ClientResult {
  /** The command as the user typed it. */
  command: string;
  scenarios: { id: string; summary: string; requests: number; unjudged?: number | undefined; end: string }[];
}

/** Recordings that were judged. */
export interface RecordingResult {
  files: RecordedFileResult[];
  /** How many different keys the requests had. */
  keys: number;
}

/** A file of a recording, and why not all of its entries were judged. */
export interface RecordedFileResult {
  name: string;
  entries: number;
  judged: number;
  omitted: { kind: string; count: number; text: string }[];
}

/** A section of the interface, and how many requests tested one of its requirements. */
export interface SectionCount {
  name: string;
  requests: number;
}

/** A hint in words, with a command to type if there is one. */
export interface HintResult {
  kind: Hint['kind'];
  text: string;
  command?: string | undefined;
}

/** How many requirements of level `must` were met or violated, of how many. */
export interface JudgedCount {
  requirements: number;
  of: number;
  /** How many of these were met, but not exercised. */
  unexercised: number;
}

/** How the violations of a run compare with a baseline. */
export interface BaselineResult {
  file: string;
  /** `incomplete`: no difference found, but not everything could be judged. */
  outcome: 'exact' | 'different' | 'incomplete';
  /** Violations that the baseline lists. */
  known: BaselineEntryResult[];
  /** Entries that no longer hold and should be deleted. */
  stale: BaselineEntryResult[];
  /** Entries that this run did not decide: it did not judge them, or sent other requests. */
  unjudged: BaselineEntryResult[];
  /** Requirements with violations that the baseline does not list. */
  unknown: string[];
}

/** An entry of a baseline and its lines in the file, counted from 1. */
export interface BaselineEntryResult {
  requirement: string;
  /** Why the violation is accepted for now. */
  comment: string;
  /** Why the owner of the service disputes the violation. It counts in the verdict all the same. */
  waived?: string | undefined;
  line: number;
  lastLine: number;
}

/** Whether a requirement counts as violated. With `strict`, advisories do, too. */
export function isViolation(
  { strict }: Pick<Report, 'strict'>,
  { status }: Pick<Finding, 'status'>,
): boolean {
  return status === 'violated' || (strict && status === 'advisory');
}

/** The interface of a report with its version: `interface 1.0.0`, or `Bookshop 2.1` for one of the user's. */
export function interfaceName({ interface: name = 'interface', specVersion }: Report['suite']): string {
  return `${name} ${specVersion}`.trimEnd();
}

/** A noun in the plural: `books`, `categories`, `boxes`. */
export function pluralOf(noun: string): string {
  if (/[^aeiou]y$/i.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/i.test(noun) ? `${noun}es` : `${noun}s`;
}

/** `1 request`, `2 requests`. */
export function counted(number: number, noun: string, plural = pluralOf(noun)): string {
  return `${number} ${number === 1 ? noun : plural}`;
}

/** The reason of a requirement that an option left out. */
export function leftOutBy(option: string): string {
  return `left out: ${option}`;
}

/** Whether the run observed how the service behaves where the interface leaves it open. */
export function isSeen({ status, exercised }: Pick<Finding, 'status' | 'exercised'>): boolean {
  return status === 'observed' && exercised;
}

/** Whether a run is conformant and its baseline, if any, holds. */
export function isGood(report: Pick<Report, 'verdict' | 'baseline'>): boolean {
  return report.verdict === 'conformant' && exitStatusOf(report) === 0;
}

/** The comment of the baseline on a known violation. */
export function knownAs({ baseline }: Pick<Report, 'baseline'>, id: string): string | undefined {
  return baseline?.known.find(({ requirement }) => requirement === id)?.comment;
}

/** The exit status of a verdict. */
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

/** The exit status of a run: by the baseline if there is one, else by the verdict. An incomplete run stays incomplete. */
export function exitStatusOf({ verdict, baseline }: Pick<Report, 'verdict' | 'baseline'>): number {
  const isByBaseline = baseline !== undefined && verdict !== 'incomplete';
  return isByBaseline ? BASELINE_STATUS[baseline.outcome] : EXIT_STATUS[verdict];
}

export interface ReproductionScript {
  /** One curl command, or a bash script that uses curl. */
  script: string;
  /** What the script creates or uses up. */
  warning?: string | undefined;
}

/** How to reproduce a violation; undefined if no command does. Older reports have only the first request. */
export function reproductionOf({
  reproduce,
  curl,
  unrepeatable,
}: Pick<RequirementResult, 'reproduce' | 'curl' | 'unrepeatable'>): ReproductionScript | undefined {
  return reproduce ?? (curl === undefined || unrepeatable ? undefined : { script: curl });
}
