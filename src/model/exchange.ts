import type { Address } from './contract.ts';
import type { KeyKind, Stage } from './probe.ts';

export type HeaderLine = readonly [name: string, value: string];

/** What kept a request from getting one complete HTTP response. */
export type FailureKind =
  | 'refused'
  | 'unreachable'
  | 'tls'
  | 'closed'
  | 'reset'
  | 'timeout'
  | 'not-http'
  | 'framing'
  | 'surplus'
  | 'too-large'
  | 'interrupted'
  | 'other';

export interface Failure {
  kind: FailureKind;
  /** `headers`: before a response began; `body`: after its status line and headers had come. */
  phase: 'headers' | 'body';
  message: string;
}

export interface Received {
  status: number;
  /** In the order, case and number in which they came. */
  headers: readonly HeaderLine[];
  /** The body as text, after its content encoding was undone. */
  body: string;
  /** Why the body's bytes are no UTF-8 text, or could not be decoded. */
  undecodable?: string;
  /** Why the body was not read: petspec bounds what it reads, which is no fault of the service. */
  unread?: string;
  /** Characters that the body had, where a report keeps less of it. */
  cut?: number;
}

/** The rate limit headers of a response, where each is a plain number. Times in seconds. */
export interface RateLimit {
  limit?: number;
  remaining?: number;
  reset?: number;
  /** Seconds from receipt after which the next request may go. */
  retryAfter?: number;
}

/** A probe as sent, and the response or the failure that came back. Times in ms since the epoch, by petspec's clock. */
export interface Exchange {
  id: number;
  probe: string;
  operation: string;
  address: Address;
  stage: Stage;
  key: KeyKind;
  method: string;
  url: string;
  requestHeaders: readonly HeaderLine[];
  requestBody?: string;
  sentAt: number;
  receivedAt: number;
  /** Requests that were under way when this one was sent, itself included. */
  inFlight: number;
  /** It was sent once more: the connection was closed as the first was on its way. */
  isRepeated?: true;
  response?: Received;
  failure?: Failure;
  rate: RateLimit;
}

/** Why a probe is not sent. */
export interface Reason {
  reason: string;
  /** The probe whose answer is to blame, where one is. */
  cause?: string;
  /** `most-sent`: the limit was being used up, and the run had sent as many requests as it announced. */
  kind?: 'most-sent';
}

/** A planned probe that was not sent. */
export interface Unsent extends Reason {
  probe: string;
}

/** Whether an exchange was answered with a success. */
export function isSuccess({ response }: Pick<Exchange, 'response'>): boolean {
  return response !== undefined && response.status >= 200 && response.status <= 299;
}

/** The values of a header, in order; names are compared without case (RFC 9110 section 5.1). */
export function headerValues(headers: readonly HeaderLine[], name: string): string[] {
  const wanted = name.toLowerCase();
  return headers.filter(([each]) => each.toLowerCase() === wanted).map(([, value]) => value);
}

/** The one value of a header: undefined where it is absent or repeated with different values. */
export function headerValue(headers: readonly HeaderLine[], name: string): string | undefined {
  const values = new Set(headerValues(headers, name).flatMap(listMembers));
  return values.size === 1 ? [...values][0] : undefined;
}

/** Repeated lines that a proxy joined with commas (RFC 9110 section 5.2); a date has a comma of its own. */
export function listMembers(value: string): string[] {
  return /^[\d\s,]+$/.test(value) ? value.split(',').map((each) => each.trim()) : [value];
}

/** Why a run ended before its plan did. */
export interface Stopped {
  kind: 'unreachable' | 'key-refused' | 'gone' | 'interrupted' | 'out-of-time';
  message: string;
}
