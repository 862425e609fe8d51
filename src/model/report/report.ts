import type { Gap, Requirement } from '../contract.ts';
import type { Exchange, Stopped } from '../exchange.ts';
import type { Finding, Status } from '../finding.ts';
import type { Most, NoRoom } from '../request-counts.ts';
import type { Coverage, Sensitivity } from './coverage.ts';
import type { Hint, RootCause } from './diagnosis.ts';
import type { LimiterResult } from './limiter.ts';
import type { Unrepeatable } from './reproduction.ts';

export type Verdict = 'conformant' | 'non-conformant' | 'incomplete';

/** Increased when the meaning of a field changes. New fields do not increase it. */
export const SCHEMA_VERSION = 1;

/** A requirement with the finding of a run. */
export interface RequirementResult extends Requirement, Omit<Finding, 'repetition' | 'deviating'> {
  /** Of a violation: why the owner of the service does not regard it as one, by the baseline. The verdict counts it all the same. */
  waived?: string;
  /** A command that repeats the first request of the evidence. It takes the key from a variable. */
  curl?: string | undefined;
  /** The trace of the first request of the evidence (W3C Trace Context), if the run sent one. */
  traceId?: string | undefined;
  /** What reproduces the violation: that command, or a script if one request is not enough. */
  reproduce?: ReproductionScript;
  /** Why no command repeats the violation, in words too. Absent where one does. */
  unrepeatable?: { because: Unrepeatable; text: string };
}

/** An OpenAPI document that was fetched. */
export interface InterfaceSource {
  /** Without its query, which may hold a secret. */
  url: string;
  /** SHA-256 of its first file, in hexadecimal digits. */
  digest: string;
}

/** The result of a run. The text, the exit status and every report are made from this one value. */
export interface Report {
  schemaVersion: number;
  suite: {
    name: string;
    version: string;
    specVersion: string;
    specDigest: string;
    /** The name of the interface, if it is not the bundled one. */
    interface?: string | undefined;
    /** What a run by the interface may create, in the singular. Absent from older reports. */
    noun?: string;
    /** Where the OpenAPI document was fetched from (`--interface` with a URL). */
    source?: InterfaceSource | undefined;
    /** The set of requirements that was judged. */
    set: { version: string; requirements: number; digest: string };
  };
  target: {
    baseUrl: string;
    apiUrl: string | null;
    /** The other servers of an interface other than the bundled one, by name. */
    servers?: Readonly<Record<string, string>>;
    plan: string | null;
    /** Its certificate was not verified, so it is not known who answered. */
    insecure?: boolean;
  };
  /** Of a run of petspec client: the client that was judged instead of a service. */
  client?: ClientResult;
  /** Of petspec judge: the recordings that were judged in place of a run. */
  recording?: RecordingResult;
  verdict: Verdict;
  /** The reason for the verdict, in one sentence. */
  because: string;
  /** How many requirements of level must were judged. Absent from older reports. */
  judged?: JudgedCount;
  /** Why every operation fails in the same way, if they do, and the findings that follow from it. */
  rootCause?: RootCause | undefined;
  /** What may be wrong with the addresses, if nothing there answers like the service. */
  hints?: HintResult[] | undefined;
  /** The honest limiters that explain what was observed, or come nearest. Absent if no response tells how it counts. */
  limiters?: LimiterResult[] | undefined;
  /** Advisories count as violations. */
  strict: boolean;
  /** The day as which the dates of the document were read (--as-of). */
  asOf?: string | undefined;
  /** What drew how the requests vary: --seed with it sends the same. Absent from older reports. */
  seed?: number | undefined;
  /** Why the run ended before its plan did. */
  stopped?: Stopped | undefined;
  /** What was announced for the window after the recovery, and found no room there. */
  noRoom?: NoRoom | undefined;
  /** What left requirements out, and which. */
  narrowed: NarrowedResult[];
  /** ISO 8601. */
  startedAt: string;
  finishedAt: string;
  durationMs: number;
  /** Set if these times are those of a virtual clock, as in a run against the bundled reference: nobody waited that long. */
  virtualTime?: true | undefined;
  requests: {
    total: number;
    withKey: number;
    byPurpose: Record<string, number>;
    created: string[];
    /** What the run created, with and without an id, and what it removed. Absent from older reports and where nothing was sent. */
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
  /** How much of the interface the exchanges put to the test. Absent from older reports. */
  coverage?: Coverage;
  /** Which faults of the catalogue the exchanges would have shown. Absent from older reports, and without a catalogue. */
  sensitivity?: Sensitivity | undefined;
  /** What the document says and petspec does not judge. Absent if it judges everything. */
  gaps?: Gap[] | undefined;
  /** Requirements that only newer sets have; this run did not judge them. Absent from reports without sets. */
  newer?: Requirement[];
  exchanges: Exchange[];
  /** How the violations compare with a baseline. */
  baseline?: BaselineResult;
}

/** How many things a run created and removed. */
export interface ThingsResult {
  created: number;
  removed: number;
  stillThere: number;
  /** Of what is still there, how much no response gave an address of. Absent if there is none. */
  withoutAddress?: number;
  /** Removals of what the run did not create. Absent if there were none. */
  othersRemoved?: number;
  /** No response says whether these requests created something. */
  mayHaveBeenCreated: number;
}

/**
 * Why requirements were left out: the user selected others, another option excludes what tests them (or is missing), or the
 * traffic that was judged does not show them.
 */
export type NarrowingKind = 'selection' | 'option' | 'no-traffic';

/** An option that left requirements out, as the user typed it, or what else did. */
export interface NarrowedResult {
  /** Absent from older reports. */
  kind?: NarrowingKind;
  option: string;
  requirements: string[];
}

/** A client that was judged, and what it met. */
export interface ClientResult {
  /** The command as the user typed it. */
  command: string;
  scenarios: { id: string; summary: string; requests: number; unjudged?: number | undefined; end: string }[];
}

/** Recordings that were judged. */
export interface RecordingResult {
  files: RecordedFileResult[];
  /** How many keys told apart the requests had. */
  keys: number;
}

/** A file of a recording, and why not all of its entries were judged. */
export interface RecordedFileResult {
  name: string;
  entries: number;
  judged: number;
  omitted: { kind: string; count: number; text: string }[];
}

/** A section of the interface, and how many requests put one of its requirements to the test. */
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

/** How many requirements of level `must` a run judged as met or violated, of how many. */
export interface JudgedCount {
  requirements: number;
  of: number;
  /** Of the judged ones: met, but not exercised. */
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
  /** Entries that this run neither saw nor showed to be gone: it did not judge them, or sent other requests. */
  unjudged: BaselineEntryResult[];
  /** Requirements with violations that the baseline does not list. */
  unknown: string[];
}

/** An entry of a baseline and its lines in the file, counted from 1. */
export interface BaselineEntryResult {
  requirement: string;
  /** Why it is known. */
  comment: string;
  /** Why the owner of the service does not regard it as a violation. The verdict counts it all the same. */
  waived?: string | undefined;
  line: number;
  lastLine: number;
}

/** Whether a requirement counts as violated. With `strict`, advisories do. */
export function isViolation(
  { strict }: Pick<Report, 'strict'>,
  { status }: Pick<Finding, 'status'>,
): boolean {
  return status === 'violated' || (strict && status === 'advisory');
}

/** The interface of a report with its version: `interface 1.0.0`, or `Bookshop 2.1` for one of the user's. */
export function interfaceName({ interface: own = 'interface', specVersion }: Report['suite']): string {
  return `${own} ${specVersion}`.trimEnd();
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

/** Why a requirement that an option left out was not tested. */
export function leftOutBy(option: string): string {
  return `left out: ${option}`;
}

/** Whether the run observed what the service does where the interface leaves it open. */
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

/** The exit status of a run: the baseline's if one is in use, else the verdict's. An incomplete run stays incomplete. */
export function exitStatusOf({ verdict, baseline }: Pick<Report, 'verdict' | 'baseline'>): number {
  const isByBaseline = baseline !== undefined && verdict !== 'incomplete';
  return isByBaseline ? BASELINE_STATUS[baseline.outcome] : EXIT_STATUS[verdict];
}

/** How to reproduce a violation. */
export interface ReproductionScript {
  /** One curl command, or a bash script that uses curl. */
  script: string;
  /** What the script creates or uses up. */
  warning?: string | undefined;
}

/** How to reproduce a violation; undefined if no command does. Older reports only have the first request. */
export function reproductionOf({
  reproduce,
  curl,
  unrepeatable,
}: Pick<RequirementResult, 'reproduce' | 'curl' | 'unrepeatable'>): ReproductionScript | undefined {
  return reproduce ?? (curl === undefined || unrepeatable ? undefined : { script: curl });
}
