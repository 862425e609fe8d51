import type { Failure, HeaderLine, Received, Variation } from '../model/exchange.ts';
import type { KeyKind, Stage } from '../model/probe.ts';
import { valuesIn } from '../session/terms/memory-limit.ts';

/** What a run of petspec recorded about a request, beside the request itself. */
export interface OwnRecord {
  id: number;
  operation: string;
  key: KeyKind;
  stage: Stage;
  inFlight: number;
}

export const KEY_FORMS = ['own', 'absent', 'empty', 'other-scheme', 'bare', 'unknown'] as const;

/** The key of a request. */
export interface SentKey {
  /**
   * `own`: in the form of the interface. `absent`: the recording has every header, and none has a key. `unknown`: no key was
   * recorded, as browsers leave it out; or it is elsewhere, such as in a cookie; or there is a placeholder.
   */
  form: (typeof KEY_FORMS)[number];
  /** Distinguishes keys. An HMAC with a random key of the process that saw them. */
  fingerprint?: string | undefined;
}

/** An exchange as a recording holds it. It may hold secrets. */
export interface Recorded {
  method: string;
  /** Absolute. */
  url: string;
  requestHeaders: readonly HeaderLine[];
  /** Undefined if it was not recorded. */
  requestBody?: string | undefined;
  /** ms since the epoch. */
  sentAt: number;
  receivedAt: number;
  /** Whether the recording has the duration of the exchange. */
  isTimed: boolean;
  response?: Received | undefined;
  failure?: Failure | undefined;
  own?: OwnRecord | undefined;
  /** petspec proxy recorded all headers. Other recorders leave some out. */
  isHeadComplete?: boolean | undefined;
  /** The key as petspec proxy recorded it. */
  sentKey?: SentKey | undefined;
  /** The number from petspec proxy: of two entries with one number, the later one has the bodies. */
  entry?: number | undefined;
  /** Its position among the entries of its file, from 1. */
  position?: number | undefined;
  /** How petspec varied the request. */
  variation?: Variation | undefined;
}

/** The last time of RFC 3339, in ms since the epoch. */
const LATEST = Date.UTC(10_000, 0) - 1;

/** Whether a number of ms since the epoch is a time that reports can show. */
export function isTime(ms: number): boolean {
  return ms >= 0 && ms <= LATEST;
}

/** Blanks and control characters, which request targets do not have, and backslashes, which clients send as slashes. */
const NOT_SENT = /[\p{Cc} \\]/u;

/**
 * The URL of a service, with scheme and host as a client sends them: recorders write what a user typed, such as
 * `http:/host/v1`. The rest stays, as another spelling may be another address. Undefined for other URLs: browsers also record
 * images in a page, files, and web sockets.
 */
export function httpUrlOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { origin, protocol, href } = new URL(text);
  if (!/^https?:$/.test(protocol)) return undefined;
  const isAsSent = `${text}/`.startsWith(`${origin}/`) && !NOT_SENT.test(text);
  return isAsSent ? text : href;
}

/** Why an entry of a recording is not judged, or not as a whole. */
export type OmissionKind =
  | 'unreadable'
  | 'too-long'
  | 'too-many-secrets'
  | 'other-server'
  | 'other-path'
  | 'other-base'
  | 'stream'
  | 'unsupported'
  | 'aborted'
  | 'unreachable'
  | 'client-left'
  | 'overload'
  | 'cached'
  | 'no-headers'
  | 'twice'
  | 'body-missing'
  | 'out-of-order'
  | 'unexplained'
  | 'bug'
  | 'cut-off';

/** Why entries are not judged. */
const UNJUDGED = {
  unreadable: 'the entry has no method, URL, time or status',
  'too-long': 'the entry is too long',
  'too-many-secrets': 'the entry has more secrets than petspec can hide',
  'other-server': 'sent to another server',
  'other-path': 'the interface has no such operation at this address',
  'other-base': 'sent to another base URL',
  stream: 'the operation answers with a stream, which petspec does not judge',
  unsupported: 'petspec judges nothing of the operation; the dry run of petspec run says why',
  aborted: 'no response',
  unreachable: 'the target could not be reached',
  'client-left': 'the client closed the connection before the end of the response',
  overload: 'more requests came than petspec could judge',
  cached: 'the response came from a cache',
  'no-headers': 'the headers of the response were not recorded',
  twice: 'the same exchange was recorded twice',
} satisfies Partial<Record<OmissionKind, string>>;

/** The words of each kind in the summary. */
export const OMISSIONS: Readonly<Record<OmissionKind, string>> = {
  ...(Object.fromEntries(
    Object.entries(UNJUDGED).map(([kind, why]) => [kind, `not judged: ${why}`]),
  ) as typeof UNJUDGED),
  'body-missing':
    'judged without the body of the response, which was not recorded, is cut or has too many values',
  'out-of-order': 'sorted by time: the entry came after a later one',
  unexplained: 'judged without the limiter: nothing explained how it counted the requests before',
  bug: 'not judged because of a bug of petspec; please report it',
  'cut-off': 'the file ends in the middle of an entry',
};

/** The reasons why entries were not judged, each with its count. */
export function unjudgedEntries(
  omissions: readonly Partial<Record<OmissionKind, number>>[],
): { kind: OmissionKind; why: string; count: number }[] {
  return Object.entries(UNJUDGED).flatMap(([kind, why]) => {
    const count = omissions.reduce((sum, counts) => sum + (counts[kind as OmissionKind] ?? 0), 0);
    return count === 0 ? [] : [{ kind: kind as OmissionKind, why, count }];
  });
}

/** An entry, or why it is not one. */
export type ReadEntry = { recorded: Recorded } | { omitted: OmissionKind };

/** Exchanges of a part. Sequences are judged within a part, so memory is bounded for recordings of any length. */
export const MAX_PART = 2_000;
/** The size of a part while it is judged, in characters. */
export const MAX_PART_SIZE = 32 * 1024 * 1024;

type Content = Pick<Recorded, 'url' | 'requestHeaders' | 'requestBody' | 'response'>;

/** The additional size of each JSON value once it is parsed, in characters. */
export const VALUE_SIZE = 16;

/** The size of an exchange, in characters. */
export function sizeOf({ url, requestHeaders, requestBody = '', response }: Content): number {
  const lines = [...requestHeaders, ...(response?.headers ?? [])];
  const heads = lines.reduce((sum, [name, value]) => sum + name.length + value.length, url.length);
  return heads + requestBody.length + (response?.body.length ?? 0);
}

/** The size of an exchange while it is judged, including the values of its bodies, in characters. */
export function parsedSizeOf(content: Content): number {
  const values = valuesIn(content.requestBody ?? '') + valuesIn(content.response?.body ?? '');
  return sizeOf(content) + values * VALUE_SIZE;
}
