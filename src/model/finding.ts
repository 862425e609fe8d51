import type { Repetition } from './repetition.ts';

export type Status = 'met' | 'violated' | 'advisory' | 'observed' | 'not-tested';

/** What is wrong with an exchange, in the order in which one thing hides the next; `sequence`: only several show it. */
export type DeviationKind =
  | 'transport'
  | 'status'
  | 'media-type'
  | 'json'
  | 'shape'
  | 'header'
  | 'meaning'
  | 'sequence';

/** Something of an exchange that is not as the interface says: owned by one requirement. */
export interface Deviation {
  requirement: string;
  kind: DeviationKind;
  reason: string;
  expected: string;
  received: string;
  /** JSON Pointer into the response body, where the deviation has a place there. */
  pointer?: string;
  /** Names of the response headers that are wrong or absent, where the deviation is in the headers. */
  headers?: readonly string[];
  /** How to see it again, where this one exchange does not show it by itself. */
  repetition?: Repetition;
}

/** One way in which a requirement is violated, and where: the same from run to run while the service stays as it is. */
export interface Sighting {
  /** The reason, with a # for each number. */
  what: string;
  /** Planned requests with the status that they got, sorted; none where only the sequence shows it. */
  at: readonly string[];
}

/** What a check says of its requirement. */
export interface Finding {
  status: Status;
  /** False for a `met` that nothing put to the test. */
  exercised: boolean;
  /** Of a violation: what kind of deviation it is. */
  kind?: DeviationKind;
  reason: string;
  expected?: string;
  received?: string;
  pointer?: string;
  /** Of a violation: names of the response headers that are wrong or absent. */
  headers?: readonly string[];
  /** What the service does where the interface leaves it open. */
  observed?: string;
  /** The requirement in whose wake this one could not be judged. */
  cause?: string;
  /** Of a violation: every way of it, and where. */
  seen?: readonly Sighting[];
  /** Of a violation: how to see it again, where the first of the evidence does not show it by itself. */
  repetition?: Repetition;
  /** Ids of the exchanges that show it. */
  evidence: readonly number[];
}

/** Evidence beyond this many exchanges adds nothing for a reader. */
const MAX_EVIDENCE = 10;

export function met(evidence: readonly number[], reason = ''): Finding {
  return { status: 'met', exercised: true, reason, evidence: evidence.slice(0, MAX_EVIDENCE) };
}

/** Nothing contradicts the requirement, and nothing put it to the test. */
export function vacuous(reason: string, evidence: readonly number[] = []): Finding {
  return { status: 'met', exercised: false, reason, evidence: evidence.slice(0, MAX_EVIDENCE) };
}

/** @param seen where not only the sequence shows it */
export function violated(
  deviation: Omit<Deviation, 'requirement'>,
  evidence: readonly number[],
  seen: readonly Sighting[] = [{ what: withoutNumbers(deviation.reason), at: [] }],
): Finding {
  const { kind, reason, expected, received, pointer, headers, repetition } = deviation;
  return {
    status: 'violated',
    exercised: true,
    kind,
    reason,
    expected,
    received,
    ...(pointer === undefined ? {} : { pointer }),
    ...(headers === undefined ? {} : { headers }),
    ...(repetition === undefined ? {} : { repetition }),
    seen,
    evidence: evidence.slice(0, MAX_EVIDENCE),
  };
}

export function observed(what: string, evidence: readonly number[] = []): Finding {
  return {
    status: 'observed',
    exercised: evidence.length > 0,
    reason: '',
    observed: what,
    evidence: evidence.slice(0, MAX_EVIDENCE),
  };
}

export function notTested(reason: string, cause?: string, evidence: readonly number[] = []): Finding {
  return {
    status: 'not-tested',
    exercised: false,
    reason,
    ...(cause === undefined ? {} : { cause }),
    evidence: evidence.slice(0, MAX_EVIDENCE),
  };
}

/** A text without what differs from run to run. */
export function withoutNumbers(text: string): string {
  return text.replace(/\d+/g, '#');
}
