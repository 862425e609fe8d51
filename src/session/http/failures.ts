import type { FailureKind, Received } from '../../model/exchange.ts';
import { KEPT, LARGER, MAX_BODY, MAX_TRAILERS } from './bounds.ts';

const KINDS: Readonly<Record<string, FailureKind>> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'unreachable',
  EAI_AGAIN: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ETIMEDOUT: 'unreachable',
  EHOSTDOWN: 'unreachable',
  ENETDOWN: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  UND_ERR_CONNECT_TIMEOUT: 'unreachable',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'closed',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'framing',
  ERR_ASSERTION: 'not-http',
  TOO_LARGE: 'too-large',
  NO_HTTP: 'not-http',
  SURPLUS: 'surplus',
  SPEAKS_TLS: 'tls',
  UND_ERR_HEADERS_OVERFLOW: 'framing',
};

/** Kinds of which the code says more. */
const DETAILED: ReadonlySet<FailureKind> = new Set(['other', 'tls', 'not-http', 'unreachable']);

export const WORDS: Readonly<Record<FailureKind, string>> = {
  refused: 'the connection was refused: nothing listens there',
  unreachable: 'no connection to the host came about',
  tls: 'no TLS connection could be made',
  closed: 'the connection was closed before the response was complete',
  reset: 'the connection was reset before the response was complete',
  timeout: 'no complete response in time',
  'not-http': 'what came back is no HTTP response',
  surplus:
    'more bytes came than the response has: its length is stated wrongly, or it was answered more than once',
  framing: 'the length of the body contradicts Content-Length',
  'too-large': LARGER,
  interrupted: 'the run was interrupted',
  other: 'the request failed',
};

/** A response is complete, but larger than petspec reads. */
export class TooLarge extends Error {
  override name = 'TooLarge';
  readonly code = 'TOO_LARGE';
}

/** What came is no HTTP, whatever a lenient parser makes of it; the message says why. */
export class NoHttp extends Error {
  override name = 'NoHttp';
  readonly code = 'NO_HTTP';
}

/** A response was followed by bytes that belong to nothing. */
export class Surplus extends Error {
  override name = 'Surplus';
  readonly code = 'SURPLUS';
}

/** An address that says http is served by TLS. */
export class SpeaksTls extends Error {
  override name = 'SpeaksTls';
  readonly code = 'SPEAKS_TLS';
}

/**
 * A response whose body petspec does not keep: that is held against nobody, status and headers are there.
 * @param max bytes that would have been kept
 */
export function unread(head: Pick<Received, 'status' | 'headers'>, max = MAX_BODY): Received {
  return { ...head, body: '', unread: max < MAX_BODY ? KEPT : LARGER };
}

export function classify(error: unknown): { kind: FailureKind; message: string } {
  const { code, name, message } = describeError(error);
  const kind =
    name === 'HTTPParserError'
      ? 'not-http'
      : (KINDS[code] ??
        (/SSL|TLS|CERT|SELF_SIGNED|ALTNAME|VERIFY|HOSTNAME_MISMATCH|INVALID_PURPOSE|PATH_LENGTH|INVALID_CA|UNABLE_TO_GET_ISSUER/.test(
          code,
        )
          ? 'tls'
          : 'other'));
  if (code === 'UND_ERR_HEADERS_OVERFLOW')
    return { kind, message: `its trailers go on beyond ${MAX_TRAILERS / 1024} KiB` };
  if (code === 'SPEAKS_TLS')
    return { kind, message: 'TLS is spoken there: the address has to begin with https' };
  const detail = code === 'NO_HTTP' || code === '' || code.startsWith('HPE_') ? message : code;
  return { kind, message: WORDS[kind] + (DETAILED.has(kind) ? ` (${detail})` : '') };
}

function describeError(error: unknown): { code: string; name: string; message: string } {
  // An AggregateError wraps one failure for each address of a host name.
  const inner = error instanceof AggregateError ? error.errors[0] : error;
  if (!(inner instanceof Error)) return { code: '', name: '', message: String(inner) };
  return {
    code: 'code' in inner && inner.code !== undefined ? String(inner.code) : '',
    name: inner.name,
    message: inner.message,
  };
}
