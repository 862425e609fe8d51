import type { Expectation } from './http/expectation.ts';

/** What is sent as the key: the valid key, that of a second user, or one that is wrong in some way. */
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
 * The phases of a run, in order, by the stages of their requests. A phase is finished before the next begins. A request that follows
 * another one (`follows`) is sent in the phase of that request, and a request of a burst with its burst (`beside`). Requests that use
 * up the limit alternate with requests that show more (`surplus`).
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

/** The index of a probe's phase. */
export function phaseOf({ stage, isStart, burst }: Pick<Probe, 'stage' | 'isStart' | 'burst'>): number {
  if (isStart === true) return 0;
  const sentIn: Stage = burst === undefined ? stage : 'beside';
  return PHASES.findIndex((stages: readonly Stage[]) => stages.includes(sentIn));
}

/** The stage by which petspec names a phase: not `keys` if no operation needs a key. */
export function namedStage(stage: Stage, operations: readonly { secured: boolean }[]): Stage {
  return stage === 'keys' && !operations.some(({ secured }) => secured) ? 'read' : stage;
}

/** Whether the requests of a stage use up a limit. */
export function usesUpLimit(stage: Stage): boolean {
  return stage === 'exhaust' || stage === 'surplus';
}

/** Places in the responses of probes where a value may be. */
export type Sources = readonly {
  probe: string;
  pointer: string;
  /** If the document does not name the place: search the response for a value of this parameter of this path. */
  search?: { path: string; name: string };
}[];

/** A value that is known only during the run. */
export type Late =
  /** The field `name` of an entry of an earlier list: as it is, as a string, or with a fraction. */
  | { late: 'reference'; name: string; as: 'value' | 'string' | 'fraction' }
  /** The value at `pointer` in the first of these responses that has it; `otherwise` if none has. */
  | {
      late: 'response';
      sources: Sources;
      otherwise?: unknown;
      /** Only if the run created its resource with one of these probes. */
      isOwn?: true;
      /** In a body: a number stays a number. */
      as?: 'value';
      /** Only a number that a double cannot hold. */
      isBeyondDouble?: true;
      /** One more than that: an id that does not exist yet, where ids are counted. */
      isNext?: true;
    }
  /** In a body: the id of the resource that the run created with one of these probes; `otherwise` if none was. */
  | ({ late: 'created'; otherwise: unknown } & CreatedId)
  /** In a header: the validator in the latest response from the address of the request; `otherwise` if there is none. */
  | { late: 'validator'; header: 'ETag' | 'Last-Modified'; otherwise?: string }
  /** In a path: a list or an object, which is serialized with the request. */
  | { late: 'stated'; value: unknown }
  /** A random positive integer of so many bits that no id has. An int64 ends with the last 32 bits of `like`. */
  | { late: 'random'; format: 'int32' | 'int64'; like: Sources }
  /** `like` with its last characters (`OWN_LENGTH`, or all) replaced; they differ by run and by probe in `of`. */
  | { late: 'own'; as: 'text'; like: string; of: string }
  /** One of several texts that match a pattern, different for most runs and probes in `of`. */
  | { late: 'own'; as: 'one-of'; texts: readonly string[]; of: string }
  /** An address of mail, or an id, that differs by run and by probe in `of`. */
  | { late: 'own'; as: 'email' | 'uuid'; of: string }
  /** A natural number that differs by run and by probe in `of`. */
  | { late: 'own'; as: 'number'; of: string };

/** The id of a resource that a run creates, as a body refers to it. */
export interface CreatedId {
  probes: readonly string[];
  as: 'string' | 'integer';
  /** The address of the request has the same id. */
  isAddressed?: true;
}

/** The length of a text that no other request sends: long enough to be unique, short enough to read. */
export const OWN_LENGTH = 8;

/** The letters of such a text. No vowels, as a service might reject a random text that happens to be a word. */
export const OWN_LETTERS = 'bcdfghjkmnpqrstvwxz';

export type Validity =
  /** Valid by the interface. */
  | 'valid'
  /** Invalid by the interface, in exactly one way. */
  | 'invalid'
  /** The interface does not say. Only the requirements of all responses are judged. */
  | 'open';

/**
 * How a valid request differs from its plain form: it means the same, or asks for something equally valid. The id is in reports and
 * baselines, so it never changes and does not depend on the seed.
 */
export type RequestVariation = { id: string } & (
  | { kind: 'query-order' }
  | { kind: 'query-value'; name: string; value: string }
  /** Without any parameter, like the first request of a run. */
  | { kind: 'query-none' }
  /** Names of header fields are case-insensitive (RFC 9110 section 5.1). */
  | { kind: 'header-names'; style: 'title' | 'upper' }
  | { kind: 'field-order' }
  /** With optional fields that have an enumeration. */
  | { kind: 'optional-fields'; variety: number }
  | { kind: 'json-space'; style: 'spaces' | 'lines' }
  | { kind: 'json-escapes'; style: 'unicode' | 'solidus' | 'names' }
  /** The long texts of the body have so many characters. */
  | { kind: 'text-length'; length: number }
  /** The free texts of the body have characters of one kind. */
  | { kind: 'text'; text: string }
  /** The long texts of the body are one that a database or a terminal may interpret. */
  | { kind: 'risky-text'; text: string }
  /** A parameter, a header or a field that the interface does not list. */
  | { kind: 'undocumented'; part: 'parameter' | 'header' | 'field'; name: string; value: unknown }
  | { kind: 'lenient'; form: LenientForm }
);

/** Variations that a service may refuse with any 4xx, as the interface does not mention them. If accepted, the response is judged. */
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

export function isLenientVariation(variation: string | undefined): variation is LenientVariation {
  return LENIENT_VARIATIONS.some((lenient) => lenient === variation);
}

/** Other spellings of an address, which the interface does not mention. */
export const SPELLINGS = ['slash', 'doubled', 'encoded'] as const;
export type Spelling = (typeof SPELLINGS)[number];

/** Where the response to a probe says which page follows. */
export interface NextPage {
  probe: string;
  /** In a field, as an address or as a cursor for this parameter; or in the header `Link`, as an address. */
  by: { place: 'body'; parameter?: string | undefined } | { place: 'link' };
}

export interface Probe {
  id: string;
  operation: string;
  stage: Stage;
  /** What distinguishes this request, in words. */
  title: string;
  validity: Validity;
  expectation: Expectation;
  /** The requirement that a wrong response violates. */
  rule?: string | undefined;
  /**
   * Simpler probes. If one of them gets a wrong response, a wrong response to this probe is a consequence, and the refusal of an
   * invalid request is no evidence.
   */
  controls: readonly string[];
  key: KeyKind;
  /** The scheme of the key that has this kind, if a request needs several keys together; the other keys are valid. */
  wrongKey?: string;
  query: readonly (readonly [name: string, value: string])[];
  path: Readonly<Record<string, string | Late>>;
  /** Headers and cookies that are parameters of the operation. */
  headers?: readonly (readonly [name: string, value: string | Late])[];
  cookies?: readonly (readonly [name: string, value: string])[];
  /** Another spelling of its address. */
  spelling?: Spelling;
  /** It asks for a part of the response, or for none: the body is not judged. */
  isPartial?: true;
  /** JSON (with late values inside), or text that is sent as it is. */
  body?: { json: unknown } | { text: string };
  /** Whether a 2xx creates something that cannot be deleted. */
  creates: boolean;
  /** Whether the created resource is fetched by its id afterwards. */
  isReadBack?: true;
  /** Whether it sends the texts of an earlier probe again, so that a 409 says that they are taken. */
  isDuplicate?: true;
  /** It may change resources that the run did not create, as the target is disposable. */
  isUnguarded?: true;
  /** Part of creating, changing and removing a resource: it gets no variations. */
  isWriting?: true;
  /** A framework may refuse it with an error page of its own, before the service sees it: the body of a refusal is not judged. */
  hasOpenRefusal?: true;
  /** Removes the resource that this probe created, if it still exists. */
  cleansUp?: string;
  /** A form that a service may refuse, for a request whose response no check needs. */
  form?: LenientForm;
  /** Sent right after the probe before it in the plan, over the same connection. */
  follows?: true;
  /** The number of its burst: all requests with this number are sent together. */
  burst?: number;
  /** The request of the plan that it repeats: findings of both have the same place. */
  copies?: string;
  /** The query parameter that it has in addition to the plainest request. */
  parameter?: string;
  /**
   * One of the reads with which a run begins, to show whether the service is there. `if-needed`: only if the other reads do not show
   * it; otherwise it is sent at its place in the order.
   */
  isStart?: true | 'if-needed';
  /** Sent only if that probe got a 2xx, to tell coincidence from fault. */
  onlyIf?: { succeeded: string };
  /** It requests the next page that the response to another probe names; not sent if that names none. */
  nextOf?: NextPage;
  /** Its variations, of which a service may refuse one at most. If the request fails, they are sent separately. */
  variations?: readonly RequestVariation[];
  /** Of a probe that is sent again and again: the variations of its first requests, in order. */
  rounds?: readonly (readonly RequestVariation[])[];
  /** Of such a probe: the variations that a service may refuse, in order. */
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
      ? value.sources.map((source) => source.probe)
      : [],
  );
}
