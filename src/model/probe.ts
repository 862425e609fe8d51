/** What is sent as the key: the right one, or what is wrong with it. */
export type KeyKind =
  | 'valid'
  | 'absent'
  | 'empty'
  | 'unknown'
  | 'scheme'
  | 'longer'
  | 'shorter'
  | 'case'
  | 'bare';

/** The order of a run (design: one plan). A stage is finished before the next begins. */
export const STAGES = [
  'first',
  'create',
  'read',
  'list',
  'invalid',
  'keys',
  'other',
  'messages',
  'exhaust',
  'recover',
] as const;
export type Stage = (typeof STAGES)[number];

/** A value that is known only when the run has seen something of the target. */
export type Late =
  /** The field `name` of an animal in an earlier listing; written as it is, as a string, or with a fraction. */
  | { late: 'reference'; name: string; as: 'value' | 'string' | 'fraction' }
  /** What the first of these earlier responses that has it carries; where none has, `otherwise`. */
  | { late: 'response'; sources: readonly { probe: string; pointer: string }[]; otherwise?: string }
  /** A random int64, which does not exist as an id. */
  | { late: 'random' }
  /** `like`, whose last characters (`OWN_LENGTH`, or all) are other ones in each run and for each probe in `of`. */
  | { late: 'own'; as: 'text'; like: string; of: string }
  /** A natural number that is another one in each run and for each probe in `of`. */
  | { late: 'own'; as: 'number'; of: string };

/** Characters of a text that no other request sends: enough that chance repeats none, few enough to be read. */
export const OWN_LENGTH = 8;

export type Validity =
  /** The interface says that this is right. */
  | 'valid'
  /** The interface says that this is wrong, in exactly one way. */
  | 'invalid'
  /** The interface does not say: never judged beyond what holds for every response. */
  | 'open';

export interface Probe {
  id: string;
  operation: string;
  stage: Stage;
  /** What is particular about this request, in words. */
  title: string;
  validity: Validity;
  /** Documented statuses that conform; none: whatever is no 5xx. */
  acceptable: readonly string[];
  /** The requirement whose violation a wrong answer shows. */
  rule?: string;
  /**
   * Probes that differ from this one in less: where one of them is not answered as it should be, a wrong answer to this
   * one is in its wake, and a refusal of what is wrong says nothing.
   */
  controls: readonly string[];
  key: KeyKind;
  query: readonly (readonly [name: string, value: string])[];
  path: Readonly<Record<string, string | Late>>;
  /** JSON (with late values inside), or text that is sent as it is. */
  body?: { json: unknown } | { text: string };
  /** Whether a 2xx adds something that cannot be deleted. */
  creates: boolean;
  /** Sent only if that probe was answered 2xx (a coincidence, or a fault?). */
  onlyIf?: { succeeded: string };
}

/** Whether a value of a probe is filled in during the run. */
export function isLate(value: unknown): value is Late {
  return typeof value === 'object' && value !== null && 'late' in value;
}
