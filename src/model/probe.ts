import type { Expectation } from './http/expectation.ts';

/** What is sent as the key: the right one, what is wrong with it, or the valid key of another user. */
export type KeyKind =
  | 'valid'
  | 'second'
  | 'absent'
  | 'empty'
  | 'unknown'
  | 'scheme'
  | 'longer'
  | 'shorter'
  | 'case'
  | 'followed'
  | 'bare';

/**
 * The order of a run, in the stages of its requests. A phase is finished before the next begins. A request that follows
 * another one (`follows`) is sent in the phase of that one, and one that belongs to a burst with that burst (`beside`). Between
 * requests that use up the limit come others that show more (`surplus`).
 */
export const PHASES = [
  ['first'],
  ['find'],
  ['beside'],
  ['create'],
  ['keys', 'read', 'other'],
  ['invalid'],
  ['list'],
  ['messages'],
  ['remove'],
  ['exhaust', 'surplus'],
  ['recover'],
] as const;
export type Stage = (typeof PHASES)[number][number];
export const STAGES: readonly Stage[] = PHASES.flat();

/** The place of a probe's phase in a run. */
export function phaseOf({ stage, isStart, burst }: Pick<Probe, 'stage' | 'isStart' | 'burst'>): number {
  if (isStart === true) return 0;
  const own: Stage = burst === undefined ? stage : 'beside';
  return PHASES.findIndex((stages: readonly Stage[]) => stages.includes(own));
}

/** By which stage of a phase petspec names it: where no operation needs a key, none is tried. */
export function namedStage(stage: Stage, operations: readonly { secured: boolean }[]): Stage {
  return stage === 'keys' && !operations.some(({ secured }) => secured) ? 'read' : stage;
}

/** Whether requests of a stage are among those that use up a limit. */
export function usesUpLimit(stage: Stage): boolean {
  return stage === 'exhaust' || stage === 'surplus';
}

/** Places in the responses of probes, where a value may be found. */
export type Sources = readonly {
  probe: string;
  pointer: string;
  /** Where the document does not say: the response is searched for the value that this parameter of this path has. */
  search?: { path: string; name: string };
}[];

/** A value that is known only after the target has sent responses. */
export type Late =
  /** The field `name` of an entry of an earlier list: as it is, as a string, or with a fraction. */
  | { late: 'reference'; name: string; as: 'value' | 'string' | 'fraction' }
  /** The value at `pointer` in the first of these responses that has one; `otherwise` if none has. */
  | {
      late: 'response';
      sources: Sources;
      otherwise?: unknown;
      /** Only if the run created what it names, with one of these probes. */
      isOwn?: true;
      /** In a body: a number stays a number. */
      as?: 'value';
      /** Only a number that a double cannot hold. */
      isBeyondDouble?: true;
      /** One more than that: an id that does not exist yet, where ids are counted. */
      isNext?: true;
    }
  /** In a body: the id of what the run created with one of these probes; `otherwise` if it created nothing. */
  | ({ late: 'created'; otherwise: unknown } & CreatedId)
  /** In a header: what the newest response to the address of the request told of its version; `otherwise` if none did. */
  | { late: 'validator'; header: 'ETag' | 'Last-Modified'; otherwise?: string }
  /** In a path: a list or an object, which is written when its request is. */
  | { late: 'stated'; value: unknown }
  /** A random positive integer of so many bits, which does not exist as an id. One of 64 ends with the last 32 of `like`. */
  | { late: 'random'; format: 'int32' | 'int64'; like: Sources }
  /** `like` with its last characters (`OWN_LENGTH`, or all) replaced; they differ by run and by probe in `of`. */
  | { late: 'own'; as: 'text'; like: string; of: string }
  /** One of several texts that match a pattern, another one for most runs and probes in `of`. */
  | { late: 'own'; as: 'one-of'; texts: readonly string[]; of: string }
  /** An address of mail, or an id, that differs by run and by probe in `of`. */
  | { late: 'own'; as: 'email' | 'uuid'; of: string }
  /** A natural number that differs by run and by probe in `of`. */
  | { late: 'own'; as: 'number'; of: string };

/** The id of what a run creates, as a body refers to it. */
export interface CreatedId {
  probes: readonly string[];
  as: 'string' | 'integer';
  /** The address of the request has the same id. */
  isAddressed?: true;
}

/** Characters of a text that no other request sends: enough to be unique, few enough to read. */
export const OWN_LENGTH = 8;

/** Its letters. No vowels: a service might reject a random text that happens to be a word. */
export const OWN_LETTERS = 'bcdfghjkmnpqrstvwxz';

export type Validity =
  /** The interface says that this is right. */
  | 'valid'
  /** The interface says that this is wrong, in exactly one way. */
  | 'invalid'
  /** The interface does not say. Only what holds for every response is judged. */
  | 'open';

/**
 * How a valid request differs from its plain form: it means the same, or asks for something as valid. The id is in reports
 * and baselines: it never changes, and it holds no value that a seed draws.
 */
export type RequestVariation = { id: string } & (
  | { kind: 'query-order' }
  | { kind: 'query-value'; name: string; value: string }
  /** Without any parameter, as the first request of a run. */
  | { kind: 'query-none' }
  /** Names of header fields are case-insensitive (RFC 9110 section 5.1). */
  | { kind: 'header-names'; style: 'title' | 'upper' }
  | { kind: 'field-order' }
  /** With the fields that have an enumeration, although the body may leave them out. */
  | { kind: 'optional-fields'; variety: number }
  | { kind: 'json-space'; style: 'spaces' | 'lines' }
  | { kind: 'json-escapes'; style: 'unicode' | 'solidus' | 'names' }
  /** So many characters in the long texts of the body. */
  | { kind: 'text-length'; length: number }
  /** Characters of one kind in the free texts of the body. */
  | { kind: 'text'; text: string }
  /** In place of the long texts of the body, one that a database or a terminal may read as more than a text. */
  | { kind: 'risky-text'; text: string }
  /** A parameter, a header or a field that the interface does not list. */
  | { kind: 'undocumented'; part: 'parameter' | 'header' | 'field'; name: string; value: unknown }
  | { kind: 'lenient'; form: LenientForm }
);

/** What a service may refuse with any 4xx, as the interface does not say. What it accepts is judged. */
export const LENIENT_VARIATIONS = [
  'accept-absent',
  'accept-any',
  'accept-list',
  'user-agent',
  'origin',
  'unknown-parameter',
] as const;
export type LenientVariation = (typeof LENIENT_VARIATIONS)[number];

/** All forms of a request that a service may refuse. */
export type LenientForm =
  | LenientVariation
  | 'type-charset'
  | 'type-case'
  | 'type-text'
  | 'type-form'
  | 'type-absent'
  | 'chunked'
  | 'encoding'
  | 'broken-accept'
  | 'broken-percent'
  | 'spelling';

/** Whether a variation is one that a service may refuse, and whose response is judged if it does not. */
export function isLenientVariation(variation: string | undefined): variation is LenientVariation {
  return LENIENT_VARIATIONS.some((each) => each === variation);
}

/** Other spellings of an address, which the interface says nothing about. */
export const SPELLINGS = ['slash', 'doubled', 'encoded'] as const;
export type Spelling = (typeof SPELLINGS)[number];

/** Where the response to a probe says which page follows. */
export interface NextPage {
  probe: string;
  /** In a field, as an address or as a cursor, which this parameter takes; or in the header `Link`, as an address. */
  by: { place: 'body'; parameter?: string | undefined } | { place: 'link' };
}

export interface Probe {
  id: string;
  operation: string;
  stage: Stage;
  /** What is particular about this request, in words. */
  title: string;
  validity: Validity;
  expectation: Expectation;
  /** The requirement that a wrong response violates. */
  rule?: string | undefined;
  /**
   * Probes that are simpler than this one. If one of them does not get the response it should, a wrong response to this
   * probe is a consequence of that, and a refusal of an invalid request says nothing.
   */
  controls: readonly string[];
  key: KeyKind;
  /** The scheme of the key that is of this kind, where a request needs several together: the others are right. */
  wrongKey?: string;
  query: readonly (readonly [name: string, value: string])[];
  path: Readonly<Record<string, string | Late>>;
  /** Headers and cookies that are parameters of the operation. */
  headers?: readonly (readonly [name: string, value: string | Late])[];
  cookies?: readonly (readonly [name: string, value: string])[];
  /** Another spelling of its address. */
  spelling?: Spelling;
  /** The client asked for a part of the response, or for none: its body is not judged. */
  isPartial?: true;
  /** JSON (with late values inside), or text that is sent as it is. */
  body?: { json: unknown } | { text: string };
  /** Whether a 2xx adds something that cannot be deleted. */
  creates: boolean;
  /** Whether what it creates is fetched by its id afterwards. */
  isReadBack?: true;
  /** Whether it sends the texts of an earlier probe again, so that a 409 says that they are taken. */
  isDuplicate?: true;
  /** It may change what the run did not create, as the target is disposable. */
  isUnguarded?: true;
  /** Part of creating, changing and removing: nothing rides along on it. */
  isWriting?: true;
  /** Removes what this probe created, if it did and if nothing else removed it. */
  cleansUp?: string;
  /** A form that a service may refuse, for a request whose response no check needs. */
  form?: LenientForm;
  /** Sent right after the probe before it in the plan, over the same connection. */
  follows?: true;
  /** The number of the burst that it is sent in: all requests with this number go out together. */
  burst?: number;
  /** The request of the plan that it sends once more: a finding of one is at the place of the other. */
  copies?: string;
  /** The parameter of the query that it has and the plainest request has not. */
  parameter?: string;
  /**
   * One of the reads with which a run begins: they show whether the service is there. `if-needed`: it has its place in an
   * order of requests, and comes at the start only if the others show nothing.
   */
  isStart?: true | 'if-needed';
  /** Sent only if that probe got a 2xx, to tell coincidence from fault. */
  onlyIf?: { succeeded: string };
  /** It asks for the page that the response to another probe names as the next one; not sent if that names none. */
  nextOf?: NextPage;
  /** What rides along on it, at most one of which a service may refuse. It is taken apart only if the request fails. */
  variations?: readonly RequestVariation[];
  /** Of a probe that is sent again and again: the variations of its first requests, one after the other. */
  rounds?: readonly (readonly RequestVariation[])[];
  /** Of such a probe: what a service may refuse, in the order in which it is sent. */
  lenient?: readonly LenientVariation[];
}

/** Whether a value of a probe is filled in during the run. */
export function isLate(value: unknown): value is Late {
  return typeof value === 'object' && value !== null && 'late' in value;
}

/** The values that are filled in during the run, in a part of a probe such as its body. */
export function lateValuesIn(value: unknown): Late[] {
  if (isLate(value)) return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(lateValuesIn);
}

/** The probes whose responses have the values that a probe needs. */
export function sourcesOf(probe: Probe): string[] {
  return Object.values(probe.path).flatMap((value) =>
    isLate(value) && value.late === 'response' && value.otherwise === undefined
      ? value.sources.map((each) => each.probe)
      : [],
  );
}
