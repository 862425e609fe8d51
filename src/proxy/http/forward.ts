import type { IncomingMessage, ServerResponse } from 'node:http';
import { endToEnd, type FlatLines, hasOtherCoding } from './end-to-end.ts';
import { Passage } from './passage.ts';
import { type Passed, Room, type Unanswered } from './passed.ts';
import { type TargetNetwork, targetConnections } from './target-connections.ts';
import { Witness } from './witness.ts';

/** How requests are passed on, and who learns of it. */
export interface ForwardOptions {
  /** `https://api.example.com` */
  origin: string;
  network?: TargetNetwork;
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
  const connections = targetConnections(origin, options.network);
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
        connections.dispatch({ method, path, headers, body }, passage);
      } catch (error) {
        passage.onResponseError(undefined, error instanceof Error ? error : new Error(String(error)));
      }
    },
    close: connections.close,
  };
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
