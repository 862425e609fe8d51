import type { IncomingMessage, ServerResponse } from 'node:http';
import { Pool } from 'undici';
import { MAX_HEADERS } from '../../session/http/bounds.ts';
import type { Network } from '../../session/http/connect.ts';
import { usualRoots } from '../../session/http/roots.ts';
import { endToEnd, type FlatLines, hasOtherCoding } from './end-to-end.ts';
import { Passage } from './passage.ts';
import { type Passed, Room, type Unanswered } from './passed.ts';
import { Witness } from './witness.ts';

/** A target closes idle connections when it likes: one that was idle for this long is not used again. */
const KEEP_ALIVE_MS = 1_000;

/** How requests are passed on, and who learns of it. */
export interface ForwardOptions {
  /** `https://api.example.com` */
  origin: string;
  network?: Pick<Network, 'ca' | 'client' | 'insecure'>;
  room?: Room;
  /** Whether anybody judges such a request. @param url absolute, at the target */
  isJudged(method: string, url: string): boolean;
  /** Called once for each exchange that is judged. Its bodies take up room until they are released. */
  onPassed(passed: Passed): void;
  /** Called for each complete request that nobody judges, once it is sent. */
  onUnjudged(): void;
  onUnanswered(why: Unanswered): void;
}

/** Passes requests on to a target. */
export interface Forwarder {
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Ends all connections to the target. */
  close(): Promise<void>;
}

/** Of these undici makes its own: it connects to the target, and asks for no 100 Continue. */
const OWN: ReadonlySet<string> = new Set(['host', 'expect']);

/**
 * Passes requests on to one origin, each over a connection of its own while it lasts: no timeouts, no repetitions, no
 * redirects.
 * @throws Error if a certificate or a key of `network` is invalid
 */
export function forwarder(options: ForwardOptions): Forwarder {
  const { origin, isJudged, onPassed, onUnjudged, onUnanswered } = options;
  const room = options.room ?? new Room();
  const pool = poolOf(options);
  return {
    handle(request, response) {
      const path = pathOf(request.url ?? '/');
      const { method = 'GET', rawHeaders } = request;
      const url = origin + path;
      const isSeen = path.startsWith('/') && isJudged(method, url);
      const headers = endToEnd(rawHeaders, OWN);
      const witness = isSeen ? new Witness({ method, url, headers }, room, onPassed) : undefined;
      const passage = new Passage({ request, response, origin, witness, onUnanswered });
      const refusal = refusalOf(path, rawHeaders);
      if (refusal !== undefined) return passage.refuse(501, refusal);
      if (!isSeen) onUnjudged();
      const body = hasBody(request) ? request : null;
      if (witness && body) {
        witness.requestIsWhole(false);
        body.on('data', (chunk: Buffer) => witness.requestBody.add(chunk));
        body.on('end', () => witness.requestIsWhole(true));
        // undici begins to read once it is connected.
        body.pause();
      }
      try {
        pool.dispatch({ method, path, headers, body }, passage);
      } catch (error) {
        passage.onResponseError(undefined, error instanceof Error ? error : new Error(String(error)));
      }
    },
    close: () => pool.destroy().catch(() => {}),
  };
}

function poolOf({ origin, network = {} }: ForwardOptions): Pool {
  const { ca, client, insecure = false } = network;
  return new Pool(origin, {
    pipelining: 1,
    maxHeaderSize: MAX_HEADERS,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connect: {
      rejectUnauthorized: !insecure,
      ...(ca === undefined ? {} : { ca: [...usualRoots(), ca] }),
      ...(client === undefined ? {} : { cert: client.certificate, key: client.key }),
    },
  });
}

/** The path and query of a request target, which may be a whole URL (RFC 9112 section 3.2). */
function pathOf(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?]*/i, '');
  return path === '' || path.startsWith('?') ? `/${path}` : path;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Why a request cannot be passed on. */
function refusalOf(path: string, headers: FlatLines): string | undefined {
  if (!path.startsWith('/')) return `a request for '${path}' is not passed on`;
  return hasOtherCoding(headers) ? 'only chunked bodies are passed on' : undefined;
}
