import type { Exchange } from '../exchange.ts';
import type { NotSent } from './confirmation.ts';

/** A request of a run or a recording: what is needed to send it again, and its outcome. */
export interface SentRequest
  extends Omit<Exchange, 'response' | 'failure' | 'sentAt' | 'receivedAt' | 'rate' | 'inFlight'> {
  status?: number | undefined;
  failure?: NonNullable<Exchange['failure']>['kind'] | undefined;
  /** Seconds until its response or failure, rounded up. */
  seconds: number;
  limit?: number | undefined;
  remaining?: number | undefined;
  isEncoded: boolean;
  /** The Retry-After header of the response. */
  retryAfter?: string | undefined;
  /** Its number among the requests with the key to the same address. */
  ordinal: number;
  /** The ids that its response shows of what it created, by JSON Pointer. */
  values: ReadonlyMap<string, string>;
}

/** What a later request takes from a response: the first field of this name in its body, or a header. */
export type TakenValue = { name: string } & ({ field: string } | { header: string });

/** A request of a reproduction. In its texts, places (`placeOf`) stand for values that are known when it is sent. */
export interface RepeatedRequest extends SentRequest {
  gives?: TakenValue;
}

/**
 * A value that is new each time: a service may remember the one of the run. `any`: a few digits; `digits`:
 * exactly as many as the run sent; `number`: a natural number.
 */
export interface OwnValue {
  name: string;
  as: 'any' | 'digits' | 'number';
}

/**
 * How a violation is seen again. Every request is plain: of what rides along on the requests of a run, only what is to blame
 * is left. What needs a record of the run creates one first.
 */
export type Reproduction = { own: readonly OwnValue[] } & (
  | { shape: 'one'; request: RepeatedRequest }
  /** One after the other. */
  | { shape: 'in-turn'; requests: readonly RepeatedRequest[] }
  /**
   * One after the other, and then the last ones over and over, until the limit refuses one or this many were sent. A read
   * that fails only now and then is seen that way, too.
   */
  | (Loop & { shape: 'until-refused'; shows: 'limits' | 'answers' })
  /** The same, and once more after the time that Retry-After states. */
  | (Loop & { shape: 'after-wait'; isDate: boolean })
);

interface Loop {
  before: readonly RepeatedRequest[];
  /** One request. Two where the limit may not count the same one again. */
  repeated: readonly RepeatedRequest[];
  /** The most that are sent in the loop. */
  times: number;
  /** Whether these may be all that the limit allows. */
  usesUpLimit: boolean;
}

/** Why nobody can send a few requests and see a violation again. */
export type Unrepeatable = Extract<NotSent, 'race' | 'removed'>;

/** Marks a place in a text. No text of a request has it itself: no command could send it. */
const MARK = '\0';

/** The place of a value in a text of a request. */
export function placeOf(name: string): string {
  return `${MARK}${name}${MARK}`;
}

/** A text without the character that marks places, before places are put in. */
export function withoutPlaces(text: string): string {
  return text.replaceAll(MARK, '');
}

/** A text in parts: every second one is the name of a value. */
export function partsOf(text: string): string[] {
  return text.split(/\0(\w+)\0/);
}

/**
 * Whether a request goes over the connection of the one before it, as one command sends both: it does unless a value of one of
 * the responses is needed later.
 */
export function isJoined(request: RepeatedRequest, before: RepeatedRequest | undefined): boolean {
  return before !== undefined && !before.gives && !request.gives;
}

/** All requests of a reproduction, each once, in order. */
export function requestsIn(reproduction: Reproduction): readonly RepeatedRequest[] {
  if (reproduction.shape === 'one') return [reproduction.request];
  if (reproduction.shape === 'in-turn') return reproduction.requests;
  return [...reproduction.before, ...reproduction.repeated];
}
