import type { FailureKind, Received } from '../../model/exchange.ts';
import type { HttpProxy } from '../../model/http/proxy-address.ts';
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
  UND_ERR_HEADERS_OVERFLOW: 'framing',
};

/** Kinds whose message includes the code of the error. */
const DETAILED: ReadonlySet<FailureKind> = new Set(['other', 'tls', 'not-http', 'unreachable']);

const WORDS: Readonly<Record<FailureKind, string>> = {
  refused: 'the connection was refused: nothing listens there',
  unreachable: 'cannot connect to the host',
  tls: 'no TLS connection could be made',
  closed: 'the connection was closed before the response was complete',
  reset: 'the connection was reset before the response was complete',
  timeout: 'the request timed out',
  'not-http': 'the response is not HTTP',
  surplus:
    'more bytes arrived than the response has; its stated length is wrong, or the server sent two responses',
  framing: 'the length of the body differs from Content-Length',
  'too-large': LARGER,
  interrupted: 'the run was interrupted',
  other: 'the request failed',
};

/** What is wrong with a certificate, by the code of the error. */
const CERTIFICATE: readonly (readonly [code: RegExp, words: string])[] = [
  [
    /SELF_SIGNED|UNABLE_TO_GET_ISSUER|UNABLE_TO_VERIFY/,
    'the certificate is not trusted; --ca names the authority that signed it',
  ],
  [/CERT_HAS_EXPIRED/, 'the certificate has expired'],
  [/ALTNAME/, 'the certificate is for another host'],
];

/**
 * A response that the parser accepts and petspec does not: it is too large, it is not HTTP (the message says why), or bytes
 * that belong to no request follow it.
 */
export class RefusedResponse extends Error {
  override name = 'RefusedResponse';
  readonly code: 'TOO_LARGE' | 'NO_HTTP' | 'SURPLUS';

  constructor(code: RefusedResponse['code'], message?: string) {
    super(message);
    this.code = code;
  }
}

/**
 * A response whose body petspec does not keep. Status and headers are known, and the service is not to blame.
 * @param max bytes that petspec would have kept
 */
export function unread(head: Pick<Received, 'status' | 'headers'>, max = MAX_BODY): Received {
  return { ...head, body: '', unread: max < MAX_BODY ? KEPT : LARGER };
}

/** The kind of a failure, with a message for people. */
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
    return { kind, message: `its trailers are larger than ${MAX_TRAILERS / 1024} KiB` };
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return { kind, message: `cannot resolve the host (${code})` };
  const detail = code === 'NO_HTTP' || code === '' || code.startsWith('HPE_') ? message : code;
  const words = CERTIFICATE.find(([pattern]) => pattern.test(code))?.[1] ?? WORDS[kind];
  return { kind, message: words + (DETAILED.has(kind) ? ` (${detail})` : '') };
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

/** A proxy failed: a problem of the user's set-up, not of the service. */
export class ProxyProblem extends Error {
  override name = 'ProxyProblem';
}

/** The proxy cannot be reached, or does not speak HTTP. */
export function proxyFailed({ name }: HttpProxy, error: unknown): ProxyProblem {
  return new ProxyProblem(`the proxy ${name} cannot be used: ${classify(error).message}`);
}

/** The proxy responded instead of the service. @param authority host and port of the service */
export function proxyRefused(
  { name, authorization }: HttpProxy,
  status: number,
  authority: string,
): ProxyProblem {
  if (status !== 407)
    return new ProxyProblem(`the proxy ${name} responded ${status} instead of connecting to ${authority}`);
  const what =
    authorization === undefined
      ? 'asks for a user and a password; state them as http://user:password@host:port'
      : 'refuses the user and the password in its address';
  return new ProxyProblem(`the proxy ${name} responded 407: it ${what}`);
}
