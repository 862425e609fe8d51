import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Client, Dispatcher } from 'undici';
import { MAX_HEADERS } from '../../session/http/bounds.ts';
import { type Network, usualRoots } from '../../session/http/connect.ts';
import { HeadWatch } from '../../session/http/response-head.ts';
import { buildConnector, type Connector, clientOf } from '../../session/http/undici.ts';
import { endToEnd, type FlatLines, hasOtherCoding } from './end-to-end.ts';
import { Passage } from './passage.ts';
import { type Passed, SharedMemory, type Unanswered, Witness } from './passed.ts';

/** How requests are passed on, and who learns of it. */
export interface ForwardOptions {
  /** `https://api.example.com` */
  origin: string;
  network?: TargetNetwork;
  room?: SharedMemory;
  /** Whether the proxy judges a request. @param url absolute, at the target */
  isJudged(method: string, url: string): boolean;
  /** Called once for each exchange that is judged. Its bodies take up room until they are released. */
  onPassed(passed: Passed): void;
  /** Called for each complete request that nobody judges, once it is sent. */
  onUnjudged(method: string, url: string): void;
  onUnanswered(why: Unanswered): void;
}

/** Passes requests on to a target. */
export interface Forwarder {
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Ends all connections to the target. */
  close(): Promise<void>;
}

/** undici writes these itself: it connects to the target, and asks for no 100 Continue. */
const WRITTEN_BY_UNDICI: ReadonlySet<string> = new Set(['host', 'expect']);

/**
 * Passes requests on to one origin, each over a connection of its own while it lasts: no timeouts, no repetitions, no
 * redirects.
 * @throws Error if a certificate or a key of `network` is invalid
 */
export function forwarder(options: ForwardOptions): Forwarder {
  const { origin, isJudged, onPassed, onUnjudged, onUnanswered } = options;
  const room = options.room ?? new SharedMemory();
  const connections = targetConnections(origin, options.network);
  return {
    handle(request, response) {
      const path = pathOf(request.url ?? '/');
      const { method = 'GET', rawHeaders } = request;
      const url = origin + path;
      const isSeen = path.startsWith('/') && isJudged(method, url);
      const headers = endToEnd(rawHeaders, WRITTEN_BY_UNDICI);
      const witness = isSeen ? new Witness({ method, url, headers }, room, onPassed) : undefined;
      const passage = new Passage({ request, response, origin, witness, onUnanswered });
      const refusal = refusalOf(path, rawHeaders);
      if (refusal !== undefined) return passage.refuse(501, refusal);
      if (!isSeen) onUnjudged(method, url);
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

/** How the target is reached. */
type TargetNetwork = Pick<Network, 'ca' | 'client' | 'insecure'>;

/** The connections to a target: as many as there are requests at the same time. */
interface TargetConnections {
  /** Sends a request over a connection without another open request. */
  dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void;
  /** Ends all of them. */
  close(): Promise<void>;
}

/** Connects to one origin, without timeouts. */
function targetConnections(origin: string, network: TargetNetwork = {}): TargetConnections {
  const connect = connectorBy(network);
  const connections: TargetConnection[] = [];
  const idle: TargetConnection[] = [];
  const open = () => {
    const connection = openConnection(origin, connect);
    connections.push(connection);
    return connection;
  };
  return {
    dispatch(request, handler) {
      const connection = idle.pop() ?? open();
      let isBusy = true;
      const release = () => {
        if (isBusy) idle.push(connection);
        isBusy = false;
      };
      connection.client.dispatch(request, {
        onRequestStart(controller, context) {
          connection.watch?.expect();
          handler.onRequestStart?.(controller, context);
        },
        onResponseStart: (...head) => handler.onResponseStart?.(...head),
        onResponseData: (...data) => handler.onResponseData?.(...data),
        onResponseEnd(...end) {
          release();
          handler.onResponseEnd?.(...end);
        },
        onResponseError(...failure) {
          release();
          handler.onResponseError?.(...failure);
        },
      });
    },
    async close() {
      await Promise.all(connections.map(({ client }) => client.destroy().catch(() => {})));
    },
  };
}

interface TargetConnection {
  client: Client;
  /** Watches heads of responses, once it is connected. */
  watch?: HeadWatch;
}

function openConnection(origin: string, connect: Connector): TargetConnection {
  const client = clientOf(origin, MAX_HEADERS, connect, (socket) => {
    // Nothing limits the time of a response here, so a head that is too large is not read to its end.
    connection.watch = new HeadWatch(socket, { readsLargeToEnd: false });
  });
  const connection: TargetConnection = { client };
  return connection;
}

function connectorBy({ ca, client, insecure = false }: TargetNetwork): Connector {
  return buildConnector({
    timeout: 0,
    rejectUnauthorized: !insecure,
    ca: ca === undefined ? undefined : [...usualRoots(), ca],
    ...(client === undefined ? {} : { cert: client.certificate, key: client.key }),
  });
}
