import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { Agent } from 'undici';
import type { Clock } from './clock.ts';
import { type Failure, type FailureKind, type HeaderLine, headerValues, type Received } from './exchange.ts';

/** A response larger than this (bytes, before and after decompression) is not read to its end. */
export const MAX_BODY = 8 * 1024 * 1024;

/** Idle connections are left alone after this (ms): a server may be closing them at any time. */
const KEEP_ALIVE = 1_000;

export interface Outgoing {
  method: string;
  url: URL;
  headers: readonly HeaderLine[];
  body?: string;
}

export interface Answer {
  sentAt: number;
  receivedAt: number;
  response?: Received;
  failure?: Failure;
}

/** Sends requests and takes whatever comes back; nothing that a target does makes it throw. */
export interface Transport {
  send(outgoing: Outgoing): Promise<Answer>;
  /** Ends all connections: the next request opens new ones. */
  renew(): Promise<void>;
  close(): Promise<void>;
}

/**
 * A transport over undici: no retries, no redirects, each request bounded in time by `clock` and in size.
 * @param options.timeout ms for one request, from sending to the last byte
 */
export function openTransport(options: {
  clock: Clock;
  timeout: number;
  connections: number;
  signal?: AbortSignal;
}): Transport {
  const { clock, timeout, connections, signal } = options;
  const open = () =>
    new Agent({
      connections,
      pipelining: 1,
      maxResponseSize: MAX_BODY,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: KEEP_ALIVE,
      connect: { timeout: 0 },
    });
  let agent = open();
  const closeAgent = () => agent.destroy().catch(() => {});

  async function send(outgoing: Outgoing): Promise<Answer> {
    const release = clock.hold();
    const over = new AbortController();
    const abort = new AbortController();
    const interrupt = () => abort.abort();
    signal?.addEventListener('abort', interrupt);
    if (signal?.aborted) interrupt();
    let timedOut = false;
    void clock.sleep(timeout, over.signal).then(() => {
      if (over.signal.aborted) return;
      timedOut = true;
      abort.abort();
    });
    const sentAt = clock.now();
    let phase: Failure['phase'] = 'headers';
    try {
      const { url, method, headers, body } = outgoing;
      const reply = await agent.request({
        origin: url.origin,
        path: url.pathname + url.search,
        method: method as 'GET',
        headers: headers.flat(),
        ...(body === undefined ? {} : { body }),
        signal: abort.signal,
        responseHeaders: 'raw',
      });
      phase = 'body';
      const bytes = Buffer.from(await reply.body.arrayBuffer());
      over.abort();
      release('answered');
      const response = decode(reply.statusCode, pairs(reply.headers), bytes);
      return { sentAt, receivedAt: clock.now(), response };
    } catch (error) {
      over.abort();
      release(timedOut ? 'abandoned' : 'answered');
      const failure: Failure = timedOut
        ? { kind: 'timeout', phase, message: `no complete response within ${timeout} ms` }
        : signal?.aborted
          ? { kind: 'interrupted', phase, message: 'the run was interrupted' }
          : { ...classify(error), phase };
      return { sentAt, receivedAt: clock.now(), failure };
    } finally {
      signal?.removeEventListener('abort', interrupt);
    }
  }

  return {
    send,
    async renew() {
      await closeAgent();
      agent = open();
    },
    close: closeAgent,
  };
}

/** Raw headers come as a flat list: name, value, name, value. */
function pairs(raw: unknown): HeaderLine[] {
  const flat = Array.isArray(raw) ? raw.map(String) : [];
  return flat.flatMap((name, index) => (index % 2 === 0 ? [[name, flat[index + 1] ?? ''] as const] : []));
}

/** Undoes the content encoding (RFC 9110 section 8.4) and reads UTF-8 strictly, so that nothing wrong is papered over. */
function decode(status: number, headers: HeaderLine[], bytes: Buffer): Received {
  let plain = bytes;
  try {
    for (const coding of headerValues(headers, 'content-encoding').join(',').split(',').reverse())
      plain = uncompress(coding.trim().toLowerCase(), plain);
    const body = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(plain);
    return { status, headers, body };
  } catch (error) {
    const undecodable =
      error instanceof TypeError
        ? 'not UTF-8'
        : `content-encoding: ${error instanceof Error ? error.message : error}`;
    return { status, headers, body: plain.toString('utf8'), undecodable };
  }
}

function uncompress(coding: string, bytes: Buffer): Buffer {
  const bound = { maxOutputLength: MAX_BODY };
  switch (coding) {
    case '':
    case 'identity':
      return bytes;
    case 'gzip':
    case 'x-gzip':
      return gunzipSync(bytes, bound);
    case 'deflate':
      return inflateSync(bytes, bound);
    case 'br':
      return brotliDecompressSync(bytes, bound);
    default:
      throw new Error(`${coding} is not understood`);
  }
}

const KINDS: Readonly<Record<string, FailureKind>> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'unreachable',
  EAI_AGAIN: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ETIMEDOUT: 'unreachable',
  UND_ERR_CONNECT_TIMEOUT: 'unreachable',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'closed',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'framing',
  UND_ERR_HEADERS_OVERFLOW: 'too-large',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'too-large',
};

const WORDS: Readonly<Record<FailureKind, string>> = {
  refused: 'the connection was refused: nothing listens there',
  unreachable: 'the host cannot be reached',
  tls: 'no TLS connection could be made',
  closed: 'the connection was closed before the response was complete',
  reset: 'the connection was reset before the response was complete',
  timeout: 'no complete response in time',
  'not-http': 'what came back is no HTTP response',
  framing: 'the length of the body contradicts Content-Length',
  'too-large': `the response is larger than petspec reads (${MAX_BODY / 1024 / 1024} MiB of body, 16 KiB of headers)`,
  interrupted: 'the run was interrupted',
  other: 'the request failed',
};

function classify(error: unknown): { kind: FailureKind; message: string } {
  const { code, name, message } = describeError(error);
  const kind =
    name === 'HTTPParserError'
      ? 'not-http'
      : (KINDS[code] ?? (/SSL|TLS|CERT|SELF_SIGNED|ALTNAME/.test(code) ? 'tls' : 'other'));
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
  return { code: 'code' in inner ? String(inner.code) : '', name: inner.name, message: inner.message };
}
