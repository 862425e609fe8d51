import type { Exchange } from '../exchange.ts';
import type { NotSent } from './confirmation.ts';

/** A request of a run or a recording: the data to send it again, and its outcome. */
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
  /** The ids of created resources in its response, by JSON Pointer. */
  values: ReadonlyMap<string, string>;
}

/** A value that a later request takes from a response: the first field of this name in the body, or a header. */
export type TakenValue = { name: string } & ({ field: string } | { header: string });

/** A request of a reproduction. Placeholders (`placeOf`) in its texts stand for values that are known when it is sent. */
export interface RepeatedRequest extends SentRequest {
  gives?: TakenValue;
}

/**
 * A value that is new for each reproduction, as a service may remember that of the run. `any`: a few digits; `digits`: exactly as many
 * digits as the run sent; `number`: a natural number.
 */
export interface OwnValue {
  name: string;
  as: 'any' | 'digits' | 'number';
}

/**
 * How to reproduce a violation. Requests have only the variations that are to blame. If a request needs a record of the run, the
 * reproduction creates one first.
 */
export type Reproduction = { own: readonly OwnValue[] } & (
  | { shape: 'one'; request: RepeatedRequest }
  /** One after the other. */
  | { shape: 'in-turn'; requests: readonly RepeatedRequest[] }
  /** One after the other, then the last ones in a loop until the limit refuses a request. Also for reads that fail now and then. */
  | (Loop & { shape: 'until-refused'; shows: 'limits' | 'answers' })
  /** The same, then once more after Retry-After. */
  | (Loop & { shape: 'after-wait'; isDate: boolean })
);

interface Loop {
  before: readonly RepeatedRequest[];
  /** One request, or two if the limit may not count a repeated request. */
  repeated: readonly RepeatedRequest[];
  /** The maximum number of requests in the loop. */
  times: number;
  /** Whether the loop may use up the limit. */
  usesUpLimit: boolean;
}

/** Why a violation cannot be reproduced with a few requests. */
export type Unrepeatable = Extract<NotSent, 'race' | 'removed'>;

/** Delimits a placeholder in a text. No text of a request has this character, as no command could send it. */
const MARK = '\0';

/** The placeholder for a value in a text of a request. */
export function placeOf(name: string): string {
  return `${MARK}${name}${MARK}`;
}

/** A text without the delimiter, before placeholders are inserted. */
export function withoutPlaces(text: string): string {
  return text.replaceAll(MARK, '');
}

/** Splits a text at its placeholders: every second part is the name of a value. */
export function partsOf(text: string): string[] {
  return text.split(/\0(\w+)\0/);
}

/** Whether one command sends a request and the one before it over one connection: unless a later request takes a value from either. */
export function isJoined(request: RepeatedRequest, before: RepeatedRequest | undefined): boolean {
  return before !== undefined && !before.gives && !request.gives;
}

/** The requests of a reproduction without repetitions, in order. */
export function requestsIn(reproduction: Reproduction): readonly RepeatedRequest[] {
  if (reproduction.shape === 'one') return [reproduction.request];
  if (reproduction.shape === 'in-turn') return reproduction.requests;
  return [...reproduction.before, ...reproduction.repeated];
}
