import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { Client } from 'undici';
import type { Clock } from './clock.ts';
import { type Failure, type FailureKind, type HeaderLine, headerValues, type Received } from './exchange.ts';

/** A response larger than this (bytes, before and after decompression) is not read to its end. */
export const MAX_BODY = 8 * 1024 * 1024;

/** Header sections up to this size are read (bytes); HTTP knows no limit (RFC 9110 section 5.4). */
const MAX_HEADERS = 256 * 1024;

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
  /** Ends the connections that are idle: what counts requests by connection starts anew. */
  renew(): Promise<void>;
  close(): Promise<void>;
}

/** One connection at a time to one origin. */
interface Lane {
  client: Client;
  isBusy: boolean;
  /** Requests that the present connection has answered: its next one may meet it while the server closes it. */
  served: number;
}

/**
 * A transport over undici: no redirects, each request bounded in time by `clock` and in size.
 *
 * A server may close an idle connection at any time (RFC 9112 section 9.5), also while the next request is on its
 * way: a GET that meets this on a used connection is sent once more on a fresh one (RFC 9110 section 9.2.2); anything
 * else goes out on a fresh connection in the first place, and is never sent twice.
 *
 * @param options.timeout ms for one request, from sending to the last byte
 */
export function openTransport(options: { clock: Clock; timeout: number; signal?: AbortSignal }): Transport {
  const { clock, timeout, signal } = options;
  const lanes = new Map<string, Lane[]>();

  function laneTo(origin: string): Lane {
    const all = lanes.get(origin) ?? [];
    const free = all.find(({ isBusy }) => !isBusy);
    if (free) return free;
    const lane: Lane = { client: connect(origin), isBusy: false, served: 0 };
    lanes.set(origin, [...all, lane]);
    return lane;
  }

  async function renewLane(lane: Lane, origin: string): Promise<void> {
    // It is idle: nothing is cut off.
    await lane.client.close().catch(() => {});
    lane.client = connect(origin);
    lane.served = 0;
  }

  async function send(outgoing: Outgoing): Promise<Answer> {
    const { origin } = outgoing.url;
    const lane = laneTo(origin);
    lane.isBusy = true;
    try {
      if (outgoing.method !== 'GET' && lane.served > 0) await renewLane(lane, origin);
      const isReused = lane.served > 0;
      const answer = await sendOn(lane, outgoing);
      if (!isReused || !isClosedEarly(answer) || outgoing.method !== 'GET') return answer;
      await renewLane(lane, origin);
      return await sendOn(lane, outgoing);
    } finally {
      lane.isBusy = false;
    }
  }

  async function sendOn(lane: Lane, { url, method, headers, body }: Outgoing): Promise<Answer> {
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
    let head: { status: number; headers: HeaderLine[] } | undefined;
    let outcome: 'answered' | 'abandoned' = 'answered';
    try {
      const reply = await lane.client.request({
        path: url.pathname + url.search,
        method: method as 'GET',
        headers: headers.flat(),
        ...(body === undefined ? {} : { body }),
        signal: abort.signal,
        responseHeaders: 'raw',
      });
      head = { status: reply.statusCode, headers: pairs(reply.headers) };
      const bytes = Buffer.from(await reply.body.arrayBuffer());
      lane.served += 1;
      over.abort(null);
      release(outcome);
      return { sentAt, receivedAt: clock.now(), response: decode(head.status, head.headers, bytes) };
    } catch (error) {
      if (timedOut) outcome = 'abandoned';
      over.abort(null);
      release(outcome);
      lane.served = 0;
      const phase = head ? 'body' : 'headers';
      const { kind, message } = timedOut
        ? { kind: 'timeout' as const, message: `no complete response within ${timeout} ms` }
        : signal?.aborted
          ? { kind: 'interrupted' as const, message: 'the run was interrupted' }
          : classify(error);
      // What petspec does not read to its end is not the service's fault: status and headers are there.
      if (kind === 'too-large' && head)
        return { sentAt, receivedAt: clock.now(), response: { ...head, body: '', unread: message } };
      return { sentAt, receivedAt: clock.now(), failure: { kind, phase, message } };
    } finally {
      signal?.removeEventListener('abort', interrupt);
    }
  }

  return {
    send,
    async renew() {
      const all = [...lanes].flatMap(([origin, each]) =>
        each.filter(({ isBusy }) => !isBusy).map((lane) => ({ origin, lane })),
      );
      await Promise.all(all.map(({ origin, lane }) => renewLane(lane, origin)));
    },
    async close() {
      const all = [...lanes.values()].flat();
      await Promise.all(all.map(({ client }) => client.destroy().catch(() => {})));
    },
  };
}

function connect(origin: string): Client {
  return new Client(origin, {
    pipelining: 1,
    maxResponseSize: MAX_BODY,
    maxHeaderSize: MAX_HEADERS,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE,
    connect: { timeout: 0 },
  });
}

/** Whether a connection ended before anything of a response had come. */
function isClosedEarly({ failure }: Answer): boolean {
  return failure?.phase === 'headers' && (failure.kind === 'closed' || failure.kind === 'reset');
}

/** Raw headers come as a flat list: name, value, name, value; blanks around a value are no part of it (RFC 9112 section 5.1). */
function pairs(raw: unknown): HeaderLine[] {
  const flat = Array.isArray(raw) ? raw.map(String) : [];
  return flat.flatMap((name, index) =>
    index % 2 === 0 ? [[name, (flat[index + 1] ?? '').replace(/^[ \t]+|[ \t]+$/g, '')] as const] : [],
  );
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
    const isLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    if (isLarge) return { status, headers, body: '', unread: WORDS['too-large'] };
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
  'too-large': `the response is larger than petspec reads (${MAX_BODY / 1024 / 1024} MiB of body, ${MAX_HEADERS / 1024} KiB of headers)`,
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
  return {
    code: 'code' in inner && inner.code !== undefined ? String(inner.code) : '',
    name: inner.name,
    message: inner.message,
  };
}
