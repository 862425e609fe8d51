import { MAX_BODY, MAX_HEADERS } from './bounds.ts';
import type { FailureKind } from './exchange.ts';

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
  UND_ERR_HEADERS_OVERFLOW: 'too-large',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'too-large',
};

export const WORDS: Readonly<Record<FailureKind, string>> = {
  refused: 'the connection was refused: nothing listens there',
  unreachable: 'the host cannot be reached',
  tls: 'no TLS connection could be made',
  closed: 'the connection was closed before the response was complete',
  reset: 'the connection was reset before the response was complete',
  timeout: 'no complete response in time',
  'not-http': 'what came back is no HTTP response',
  framing: 'the length of the body contradicts Content-Length',
  'too-large': `the response is larger than petspec reads (${MAX_BODY / 1024 / 1024} MiB of body, ${MAX_HEADERS / 1024} KiB of headers)`,
  interrupted: 'the run was interrupted',
  other: 'the request failed',
};

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
  const detail =
    kind === 'other' || kind === 'tls' || kind === 'not-http' || kind === 'unreachable'
      ? ` (${code || message})`
      : '';
  return { kind, message: WORDS[kind] + detail };
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
