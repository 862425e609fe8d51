import type { Failure, UnsentKind } from './exchange.ts';
import type { Confirmation } from './report/confirmation.ts';

export type Status = 'met' | 'violated' | 'advisory' | 'observed' | 'not-tested';

/** Why a requirement was not tested: its request was not sent, or the response is no evidence. */
export type UntestedKind =
  | UnsentKind
  /** No request of the run tests it. */
  | 'not-planned'
  /** An option excludes it. */
  | 'left-out'
  /** A requirement that it depends on is violated, or the response that would show it is wrong. */
  | 'blocked'
  /** An exchange contradicts it, and another requirement reports that exchange. */
  | 'contradicted'
  /** The response says nothing about it. */
  | 'inconclusive'
  /** Only a refusal by the rate limit shows it, and no request was refused. */
  | 'no-refusal'
  /** The client sent no request that shows it. */
  | 'no-traffic'
  /** Other clients with the same key may explain it. */
  | 'shared-key'
  /** The headers do not tell the limit of the minute. */
  | 'rate-plan-unknown';

/** What is wrong with an exchange; each kind hides the later ones. `sequence`: only several exchanges show it. */
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

/** How to reproduce a violation that the first exchange of its evidence does not show alone. Ids of exchanges, in order. */
export type Repetition =
  /** One after the other. */
  | { kind: 'in-turn'; exchanges: readonly number[] }
  /** The same. Shows the record of each response in which this field has this value. */
  | { kind: 'record'; exchanges: readonly number[]; field: string; value: string }
  /** At the same time. */
  | { kind: 'together'; exchanges: readonly number[] }
  /** One request so many times. Shows whole responses, or their rate limit headers. */
  | { kind: 'again'; exchange: number; times: number; shows: 'answers' | 'limits' }
  /** One after the other, the last one until so many requests with the key went to its address. Shows rate limit headers. */
  | { kind: 'in-turn-and-again'; exchanges: readonly number[]; times: number }
  /** Until the limit refuses it, and once more after the time that Retry-After states. */
  | { kind: 'after-refusal' };

export function repeated(repetition: Repetition): readonly number[] {
  if (repetition.kind === 'after-refusal') return [];
  return repetition.kind === 'again' ? [repetition.exchange] : repetition.exchanges;
}

/** A violation of the interface in an exchange. It belongs to one requirement. */
export interface Deviation {
  requirement: string;
  kind: DeviationKind;
  reason: string;
  expected: string;
  received: string;
  /** JSON Pointer into the response body (of a client: the request body), if the deviation is there. */
  pointer?: string | undefined;
  /** Names of the response headers (of a client: request headers) that are wrong or absent. */
  headers?: readonly string[] | undefined;
  /** Set if this exchange alone does not show it. */
  repetition?: Repetition | undefined;
  /** Ids of the exchanges that deviate, if the evidence has further ones. */
  deviating?: readonly number[];
}

/** A kind of violation of a requirement, and where it occurs. The same with every seed, until the service changes. */
export interface Fingerprint {
  /** The first reason, with a # for each number. Not compared. */
  what: string;
  kind: DeviationKind;
  /** JSON Pointer into the response body, with a # for each number. */
  pointer?: string | undefined;
  /** Operations with the responses that show it (`listPets 200`), sorted; empty if only the sequence shows it. */
  at: readonly string[];
  /** The ids of the variations to blame, if the plain request does not show it. */
  variation?: readonly string[];
}

/** How many exchanges of an operation with the same outcome show a problem, of how many. */
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

/** The result of a check of a requirement. */
export interface Finding {
  status: Status;
  /** False for a `met` if no exchange of the run could have shown a violation. */
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
  /** Why it is not tested. Absent if the ledger is of an older version that does not tell. */
  untested?: UntestedKind | undefined;
  /** The requirement whose violation kept this one from being judged. */
  cause?: string | undefined;
  /** Of a violation: the ids of the variations to blame, if the plain request does not show it. */
  variation?: readonly string[];
  /** Of a violation: its kinds, and where each occurs. */
  seen?: readonly Fingerprint[] | undefined;
  /** Of a violation: set if the first exchange of the evidence does not show it alone. */
  repetition?: Repetition | undefined;
  /** Of a violation: ids of all exchanges that deviate, if they are not the evidence. Not in reports. */
  deviating?: readonly number[] | undefined;
  /** Of a violation: the operations and statuses that show it, and how often. */
  occurrences?: readonly Occurrence[] | undefined;
  /** Of a violation in a run: the result of sending its requests again. */
  confirmation?: Confirmation;
  /** Ids of the exchanges that show it. */
  evidence: readonly number[];
}

export type Findings = Readonly<Record<string, Finding>>;

/** More exchanges than this add nothing for a reader. */
const MAX_EVIDENCE = 10;

/** Whether a finding is a violation or an advisory. */
export function isProblem({ status }: Pick<Finding, 'status'>): boolean {
  return status === 'violated' || status === 'advisory';
}

/** A requirement that was tested and met. @param evidence ids of exchanges; only the first ones are kept */
export function met(evidence: readonly number[], reason = ''): Finding {
  return { status: 'met', exercised: true, reason, evidence: evidence.slice(0, MAX_EVIDENCE) };
}

/** No exchange contradicts the requirement, but none could have. */
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

/** A finding that names the requirement that caused it as its only reason. */
export function followsFrom(finding: Finding, cause: string): Finding {
  return { ...finding, reason: `follows from ${cause}` };
}

/** The fingerprint of a deviation, without the numbers, which differ from run to run. */
export function fingerprintOf(
  { reason, kind, pointer }: Pick<Deviation, 'reason' | 'kind' | 'pointer'>,
  at: readonly string[],
): Fingerprint {
  return { what: withoutNumbers(reason), kind, pointer: pointer && withoutNumbers(pointer), at };
}

/** One fingerprint for each kind and pointer, with all places where it occurs. Sorted, so the order of exchanges does not matter. */
export function mergeFingerprints(fingerprints: readonly Fingerprint[]): Fingerprint[] {
  const merged = new Map<string, Fingerprint>();
  for (const fingerprint of fingerprints) {
    const key = `${fingerprint.kind} ${fingerprint.pointer ?? ''}`;
    const { at, ...first } = merged.get(key) ?? fingerprint;
    merged.set(key, { ...first, at: [...new Set([...at, ...fingerprint.at])].sort() });
  }
  return [...merged].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, fingerprint]) => fingerprint);
}

/** One occurrence for each operation and status, with the sums of its numbers. */
export function mergeOccurrences(occurrences: readonly Occurrence[]): Occurrence[] {
  const merged = new Map<string, Occurrence>();
  for (const occurrence of occurrences) {
    const key = `${occurrence.operation} ${occurrence.status ?? occurrence.failure ?? ''}`;
    const { deviating, of } = merged.get(key) ?? { deviating: 0, of: 0 };
    merged.set(key, { ...occurrence, deviating: occurrence.deviating + deviating, of: occurrence.of + of });
  }
  return [...merged.values()];
}

function withoutNumbers(text: string): string {
  return text.replace(/\d+/g, '#');
}
