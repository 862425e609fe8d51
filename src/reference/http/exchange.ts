import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Route } from '../routes.ts';
import type { ReferenceService, RequestHead } from '../service.ts';
import { errorAnswer, send } from './answer.ts';
import { readBytes, readText, withBody } from './body.ts';
import type { Call, ListenerName, LogEntry } from './call.ts';

/** A connection: its number over both listeners, and a signal that aborts when it closes. */
export interface IncomingConnection {
  number: number;
  closed: () => AbortSignal;
}

/** One exchange from the first header to the last byte: log, read, answer, send. */
export async function converse(
  service: ReferenceService,
  listener: ListenerName,
  connection: IncomingConnection,
  route: Route,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const entry = service.noted({
    listener,
    connection: connection.number,
    operation: route.operation,
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    key:
      service.served?.judgeKey(askedOf(incoming), route) ??
      service.judgeKey(incoming.headersDistinct.authorization ?? []),
    status: undefined,
  });
  const bytes = await readBytes(incoming);
  if (bytes === undefined) return;
  try {
    const call = withBody(
      service.hooks.request(readCall(service, entry, connection, route, incoming, bytes)),
    );
    const answer = await service.answer(call);
    entry.status = answer.status;
    const line = { outgoing, socket: incoming.socket };
    await service.hooks.wire(answer, call, line, (usual) => send(usual, outgoing));
  } catch (error) {
    // A change that throws is a bug of petspec, so it is reported where nobody can overlook it.
    const message = `the reference failed: ${error instanceof Error ? error.message : String(error)}`;
    await send(errorAnswer(500, 'reference_failed', message), outgoing);
  }
}

/** A request before its body is read. */
export function askedOf({ method = '', url = '', headersDistinct }: IncomingMessage): RequestHead {
  return { method, target: url, headers: headersDistinct };
}

function readCall(
  service: ReferenceService,
  entry: LogEntry,
  connection: IncomingConnection,
  route: Route,
  incoming: IncomingMessage,
  bodyBytes: Buffer,
): Call {
  const question = entry.path.indexOf('?');
  return {
    number: entry.number,
    listener: entry.listener,
    connection: entry.connection,
    address: incoming.socket.remoteAddress ?? '',
    now: service.serverNow(),
    minute: service.settings.limiter.minute,
    operation: route.operation,
    allowed: route.allowed,
    method: entry.method,
    target: entry.path,
    path: question === -1 ? entry.path : entry.path.slice(0, question),
    params: route.params,
    query: new URLSearchParams(question === -1 ? '' : entry.path.slice(question + 1)),
    headers: incoming.headers,
    headerNames: incoming.rawHeaders.filter((_, index) => index % 2 === 0),
    key: entry.key,
    rightKey: service.apiKey,
    bodyBytes,
    bodyText: readText(bodyBytes),
    body: undefined,
    bodyProblem: undefined,
    store: service.store,
    log: service.log,
    pause: (ms, until) =>
      service.pause(ms, until ? AbortSignal.any([until, connection.closed()]) : connection.closed()),
    recall: service.recall,
  };
}
