import type { Address } from './contract.ts';
import type { KeyKind, LenientVariation, Stage } from './probe.ts';
import type { Confirms } from './report/confirmation.ts';
import { clip } from './visible.ts';

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
  /** `headers`: before a response began; `body`: after its status line and headers arrived. */
  phase: 'headers' | 'body';
  message: string;
}

export interface Received {
  status: number;
  /** As they arrived, in order, repeated lines included. */
  headers: readonly HeaderLine[];
  /** The decoded body. */
  body: string;
  /** Why the body could not be decoded, or is not UTF-8. */
  undecodable?: string | undefined;
  /** Why petspec did not read the body: it is too large, which is not the service's fault. */
  unread?: string | undefined;
  /** Length of the whole body in characters, if a report keeps only a part. */
  cut?: number;
}

/** The rate limit headers of a response that are plain numbers. Times in seconds. */
export interface RateLimit {
  limit?: number;
  remaining?: number;
  reset?: number;
  /** Seconds from receipt until the next request may be sent. */
  retryAfter?: number;
}

/**
 * How a request of the exhaustion differs from its probe without a different meaning: `forwarded-for` has the header
 * X-Forwarded-For, `spelling` a needless percent-escape in its target. A service may refuse the other variations.
 */
export type Variation = 'forwarded-for' | 'spelling' | LenientVariation;

/**
 * Why requests are sent together, and all answered before the next request: to show whether they disturb each other, to use up a limit
 * in time, or to save time outside of the limit.
 */
export type Burst = 'beside' | 'fill' | 'apart';

/** A probe as it was sent, and its response or failure. Times in ms since the epoch, by petspec's clock. */
export interface Exchange {
  id: number;
  probe: string;
  operation: string;
  address: Address;
  stage: Stage;
  key: KeyKind;
  /** Why it was sent together with other requests. Absent if it was sent alone. */
  burst?: Burst;
  /** Absent if it was sent exactly as its probe says. */
  variation?: Variation | undefined;
  /** The ids of its variations. Absent if it was plain. */
  variations?: readonly string[] | undefined;
  method: string;
  url: string;
  requestHeaders: readonly HeaderLine[];
  requestBody?: string | undefined;
  sentAt: number;
  receivedAt: number;
  /** Requests in flight when this one was sent, itself included. */
  inFlight: number;
  /** It is from a recording: of a run of petspec, or of other traffic, which petspec did not plan. */
  recorded?: 'run' | 'traffic';
  /** Set if it was sent after the run to confirm findings. */
  confirms?: Confirms;
  /** It was sent twice: the server closed the connection while the first was on its way. */
  isRepeated?: true;
  response?: Received | undefined;
  failure?: Failure | undefined;
  rate: RateLimit;
  /** Where secrets were hidden, in order. Absent if there were none. */
  hidden?: readonly HiddenPart[];
}

/** A placeholder for a secret in an exchange, with the length and shape of the secret for judging the exchange again. */
export interface HiddenPart {
  /** `url`, `body`, or `header:2` (the value of the third header of the response), for example. */
  in: string;
  at: number;
  length: number;
  /** A meaningless text of the same shape. */
  as: string;
}

/** Why a probe was not sent, for code to branch on. */
export type UnsentKind =
  /** The run ended before its turn. */
  | 'run-stopped'
  /** Requests of its operation timed out. */
  | 'operation-timed-out'
  /** Other clients with the key use up the limit. */
  | 'limit-used-by-others'
  /** The limiter refused it each time. */
  | 'refused-by-limit'
  /** The limit is too small for requests that are sent together. */
  | 'limit-too-small'
  | 'wait-too-long'
  | 'too-many-created'
  /** The run has sent as many requests as it announced. */
  | 'budget-used-up'
  | 'address-unknown'
  /** It may change something, and no response has shown yet that this is the service. */
  | 'service-not-shown'
  /** No earlier response had the value that it needs, or no key like that of the run is surely wrong. */
  | 'value-unknown'
  /** The request that creates what it reads did not succeed. */
  | 'source-failed'
  /** The limit cannot be used up: it is unknown or too high, or it is unknown which requests it covers. */
  | 'not-exhaustible'
  /** While the limit was being used up, the run had sent as many requests as it announced. */
  | 'most-sent'
  /** No request was refused, or no 429 said when to come back. */
  | 'not-recoverable';

/** Why a probe is not sent. */
export interface Reason {
  kind: UnsentKind;
  reason: string;
  /** The probe whose response is to blame, if there is one. */
  cause?: string;
}

/** A planned probe that was not sent. Ledgers of older versions do not name the kind. */
export interface Unsent extends Omit<Reason, 'kind'> {
  probe: string;
  kind?: UnsentKind;
}

/** Whether two requests were under way at the same time. */
export function areTogether(
  left: Pick<Exchange, 'sentAt' | 'receivedAt'>,
  right: Pick<Exchange, 'sentAt' | 'receivedAt'>,
): boolean {
  return left.sentAt < right.receivedAt && right.sentAt < left.receivedAt;
}

/** Whether the response is a 2xx. */
export function isSuccess({ response }: Pick<Exchange, 'response'>): boolean {
  return response !== undefined && response.status >= 200 && response.status <= 299;
}

/** Whether the service failed: a 5xx. */
export function isServerError({ response }: Pick<Exchange, 'response'>): boolean {
  return (response?.status ?? 0) >= 500;
}

/** The values of a header, in order. Names are case-insensitive (RFC 9110 section 5.1). */
export function headerValues(headers: readonly HeaderLine[], name: string): string[] {
  const wanted = name.toLowerCase();
  const values: string[] = [];
  // Comparing lengths first is faster.
  for (const [field, value] of headers)
    if (field.length === wanted.length && field.toLowerCase() === wanted) values.push(value);
  return values;
}

/** The value of a header; undefined if it is absent, or repeated with different values. */
export function headerValue(headers: readonly HeaderLine[], name: string): string | undefined {
  const lines = headerValues(headers, name);
  if (lines.length === 0) return undefined;
  const [value, ...repetitions] = lines.flatMap(listMembers);
  return repetitions.every((repetition) => repetition === value) ? value : undefined;
}

/** Splits lines that a proxy joined with commas (RFC 9110 section 5.2), but not dates, which contain a comma. */
export function listMembers(value: string): string[] {
  return /^[\d\s,]+$/.test(value) ? value.split(',').map((member) => member.trim()) : [value];
}

/** How many seconds a cache has kept a response, as its Age says (RFC 9111 section 5.1); undefined if it has none. */
export function ageIn(headers: readonly HeaderLine[]): number | undefined {
  const age = headerValue(headers, 'Age');
  return age === undefined ? undefined : Number(age);
}

/** A varied request that failed, and was sent with fewer variations to find the cause. */
export interface TakenApart {
  /** The exchange that shows the failure best: plain, or with as few variations as possible. */
  shownBy: number;
  /** The ids of its variations; empty if the plain request fails as well. */
  variations: readonly string[];
  /** Other exchanges that failed for the same reason. */
  others: readonly number[];
  /** The requirement that the exchange violates. */
  requirement: string;
  /** Of a drawn request: no request was left to look for a smaller failing one. */
  isUnfinished?: true;
  /** The variations may not be to blame: the request did not fail again with them. */
  isPresumed?: true;
}

/** Why a run ended before it sent its whole plan. */
export interface Stopped {
  /** `not-the-service`: something else responds in its place. */
  kind: 'unreachable' | 'not-the-service' | 'key-refused' | 'gone' | 'interrupted' | 'out-of-time';
  message: string;
}

/** Maximum length of a URL or a failure in a line of output. */
const MAX_PART = 300;

/** The parts of an exchange that a line of output shows. */
export type ExchangeBrief = Pick<Exchange, 'id' | 'probe' | 'method' | 'url' | 'sentAt' | 'receivedAt'> & {
  status?: number | undefined;
  failure?: string | undefined;
};

/** An exchange, which may be megabytes, shortened for a line of output. */
export function brief(exchange: Exchange): ExchangeBrief {
  const { id, probe, method, url, sentAt, receivedAt, response, failure } = exchange;
  return {
    id,
    probe,
    method,
    url: clip(url, MAX_PART),
    sentAt,
    receivedAt,
    status: response?.status,
    failure: failure && clip(failure.message, MAX_PART),
  };
}
