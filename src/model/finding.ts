import type { Failure, UnsentKind } from './exchange.ts';
import type { Confirmation } from './report/confirmation.ts';

export type Status = 'met' | 'violated' | 'advisory' | 'observed' | 'not-tested';

/** Why a requirement was not tested: what kept its request from being sent, or from telling anything. */
export type UntestedKind =
  | UnsentKind
  /** No request of the run tests it. */
  | 'not-planned'
  /** An option leaves it out. */
  | 'left-out'
  /** A requirement that it needs is violated, or the response that would show it is wrong. */
  | 'blocked'
  /** An exchange contradicts it, and another requirement owns that exchange. */
  | 'contradicted'
  /** The response says nothing about it. */
  | 'inconclusive'
  /** Only a refusal by the rate limit shows it, and none came. */
  | 'no-refusal'
  /** The client did nothing that shows it. */
  | 'no-traffic'
  /** Others that use the key explain what was seen. */
  | 'shared-key'
  /** The headers do not tell the figures of the minute. */
  | 'rate-plan-unknown';

/** What is wrong with an exchange, in the order in which one thing hides the next; `sequence`: only several show it. */
export const DEVIATION_KINDS = [
  'transport',
  'status',
  'media-type',
  'json',
  'shape',
  'header',
  'meaning',
  'sequence',
] as const;

export type DeviationKind = (typeof DEVIATION_KINDS)[number];

/**
 * How to see a violation again if the first exchange of its evidence does not show it alone. Exchanges are named by their
 * ids, in the order in which they are sent again.
 */
export type Repetition =
  /** One after the other. */
  | { kind: 'in-turn'; exchanges: readonly number[] }
  /** One after the other. Shows the record of each response in which this field has this value. */
  | { kind: 'record'; exchanges: readonly number[]; field: string; value: string }
  /** All at the same time. */
  | { kind: 'together'; exchanges: readonly number[] }
  /** One request this many times. Shows each whole response, or its rate limit headers. */
  | { kind: 'again'; exchange: number; times: number; shows: 'answers' | 'limits' }
  /** One after the other, the last one until this many with the key went to its address. Shows the rate limit headers. */
  | { kind: 'in-turn-and-again'; exchanges: readonly number[]; times: number }
  /** Until the limit refuses it, and once more after the time that Retry-After states. */
  | { kind: 'after-refusal' };

/** The exchanges that a repetition names. */
export function repeated(repetition: Repetition): readonly number[] {
  if (repetition.kind === 'after-refusal') return [];
  return repetition.kind === 'again' ? [repetition.exchange] : repetition.exchanges;
}

/** Something about an exchange that violates the interface; it belongs to one requirement. */
export interface Deviation {
  requirement: string;
  kind: DeviationKind;
  reason: string;
  expected: string;
  received: string;
  /** JSON Pointer into the response body, if the deviation is in the body; of a client, into the request body. */
  pointer?: string | undefined;
  /** Names of the response headers that are wrong or absent, where the deviation is in them; of a client, of request headers. */
  headers?: readonly string[] | undefined;
  /** How to see it again, where this one exchange does not show it by itself. */
  repetition?: Repetition | undefined;
  /** Ids of the exchanges that deviate, if the evidence also has others. */
  deviating?: readonly number[];
}

/** One kind of violation of a requirement, and where it occurs: the same with every seed, until the service changes. */
export interface Fingerprint {
  /** The first reason, with a # for each number. Only for people: nothing compares it. */
  what: string;
  kind: DeviationKind;
  /** JSON Pointer into the response body, with a # for each number. */
  pointer?: string | undefined;
  /** Operations with the responses that show it (`listPets 200`), sorted; empty if only the sequence shows the violation. */
  at: readonly string[];
  /** The ids of the variations to blame, if the plain request shows nothing. */
  variation?: readonly string[];
}

/** How many exchanges of one operation that came out alike show a problem, of how many. */
export interface Occurrence {
  /** The id of the operation. */
  operation: string;
  /** Its method and path: `POST /pets`. */
  request: string;
  /** Absent if no response came. */
  status?: number | undefined;
  /** Why no response came. */
  failure?: Failure['kind'] | undefined;
  deviating: number;
  of: number;
}

/** What a check says about its requirement. */
export interface Finding {
  status: Status;
  /** False for a `met` if nothing in the run could have shown a violation. */
  exercised: boolean;
  /** The kind of deviation, for a violation. */
  kind?: DeviationKind;
  reason: string;
  expected?: string | undefined;
  received?: string | undefined;
  pointer?: string | undefined;
  /** Of a violation: names of the response headers that are wrong or absent. */
  headers?: readonly string[] | undefined;
  /** What the service does where the interface leaves it open. */
  observed?: string | undefined;
  /** Why it is not tested. Absent where only a ledger of an older version could tell. */
  untested?: UntestedKind | undefined;
  /** The requirement whose violation kept this one from being judged. */
  cause?: string | undefined;
  /** Of a violation: the ids of the variations to blame, if the plain request shows nothing. */
  variation?: readonly string[];
  /** Of a violation: each kind of it, and where. */
  seen?: readonly Fingerprint[] | undefined;
  /** Of a violation: how to see it again, where the first of the evidence does not show it by itself. */
  repetition?: Repetition | undefined;
  /** Of a violation: ids of all exchanges that deviate, if they are not the evidence. No report has them. */
  deviating?: readonly number[] | undefined;
  /** Of a violation: the operations and statuses that show it, and how often each does. */
  occurrences?: readonly Occurrence[] | undefined;
  /** Of a violation in a run: what came of sending what shows it again. */
  confirmation?: Confirmation;
  /** Ids of the exchanges that show it. */
  evidence: readonly number[];
}

/** The finding of each requirement, by its id. */
export type Findings = Readonly<Record<string, Finding>>;

/** More exchanges than this add nothing for a reader. */
const MAX_EVIDENCE = 10;

/** Whether a finding says that something is wrong: a violation, or good practice that is not followed. */
export function isProblem({ status }: Pick<Finding, 'status'>): boolean {
  return status === 'violated' || status === 'advisory';
}

/** A requirement that was tested and met. @param evidence ids of exchanges; only the first ones are kept */
export function met(evidence: readonly number[], reason = ''): Finding {
  return { status: 'met', exercised: true, reason, evidence: evidence.slice(0, MAX_EVIDENCE) };
}

/** Nothing contradicts the requirement, but nothing in the run could have. */
export function vacuous(reason: string, evidence: readonly number[] = []): Finding {
  return { status: 'met', exercised: false, reason, evidence: evidence.slice(0, MAX_EVIDENCE) };
}

/** @param seen the fingerprints, unless only the sequence of requests shows the violation */
export function violated(
  deviation: Omit<Deviation, 'requirement'>,
  evidence: readonly number[],
  seen: readonly Fingerprint[] = [fingerprintOf(deviation, [])],
): Finding {
  const { kind, reason, expected, received, pointer, headers, repetition } = deviation;
  const deviating = deviation.deviating ?? (evidence.length > MAX_EVIDENCE ? evidence : undefined);
  return {
    status: 'violated',
    exercised: true,
    kind,
    reason,
    expected,
    received,
    pointer,
    headers,
    repetition,
    deviating,
    seen,
    evidence: evidence.slice(0, MAX_EVIDENCE),
  };
}

/** What a service does where the interface leaves it open. @param evidence ids of exchanges */
export function observed(what: string, evidence: readonly number[] = [], reason = ''): Finding {
  return {
    status: 'observed',
    exercised: evidence.length > 0,
    reason,
    observed: what,
    evidence: evidence.slice(0, MAX_EVIDENCE),
  };
}

/** @param kind undefined for a probe that a ledger of an older version lists as not sent, without a kind */
export function notTested(
  kind: UntestedKind | undefined,
  reason: string,
  cause?: string,
  evidence: readonly number[] = [],
): Finding {
  return {
    status: 'not-tested',
    exercised: false,
    untested: kind,
    reason,
    cause,
    evidence: evidence.slice(0, MAX_EVIDENCE),
  };
}

/** What could not be tested because of another finding says no more than that. */
export function followsFrom(finding: Finding, cause: string): Finding {
  return { ...finding, reason: `follows from ${cause}` };
}

/** A deviation without the numbers, which differ from run to run. */
export function fingerprintOf(
  { reason, kind, pointer }: Pick<Deviation, 'reason' | 'kind' | 'pointer'>,
  at: readonly string[],
): Fingerprint {
  return {
    what: withoutNumbers(reason),
    kind,
    pointer: pointer && withoutNumbers(pointer),
    at,
  };
}

/** One fingerprint for each kind and pointer, with all the places it occurs at. Sorted, whichever was found first. */
export function mergeFingerprints(fingerprints: readonly Fingerprint[]): Fingerprint[] {
  const merged = new Map<string, Fingerprint>();
  for (const fingerprint of fingerprints) {
    const key = `${fingerprint.kind} ${fingerprint.pointer ?? ''}`;
    const { at, ...first } = merged.get(key) ?? fingerprint;
    merged.set(key, { ...first, at: [...new Set([...at, ...fingerprint.at])].sort() });
  }
  return [...merged].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, each]) => each);
}

/** One occurrence for each operation and status, with the exchanges of all of them. */
export function mergeOccurrences(occurrences: readonly Occurrence[]): Occurrence[] {
  const merged = new Map<string, Occurrence>();
  for (const each of occurrences) {
    const key = `${each.operation} ${each.status ?? each.failure ?? ''}`;
    const { deviating, of } = merged.get(key) ?? { deviating: 0, of: 0 };
    merged.set(key, { ...each, deviating: each.deviating + deviating, of: each.of + of });
  }
  return [...merged.values()];
}

function withoutNumbers(text: string): string {
  return text.replace(/\d+/g, '#');
}
