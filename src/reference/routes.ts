import type { IncomingMessage, ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import { Hono } from 'hono';
import type { ListenerName, OperationId } from './http/call.ts';

/** The route of a request: an operation, a path without this method, or unknown. */
export interface Route {
  operation: OperationId | undefined;
  /** The methods of the path; empty for an unknown path. */
  allowed: readonly string[];
  params: Readonly<Record<string, string>>;
}

/** What the adapter passes to the routes: the exchange, and the function that answers it. */
export interface Bindings {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  answer: (route: Route, incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;
}

type Methods = Partial<Record<'GET' | 'POST', OperationId>>;

/** Relative to the address of each listener (interface: Endpoints; Message submission). */
const PATHS: Readonly<Record<ListenerName, Record<string, Methods>>> = {
  animals: {
    '/pets': { GET: 'listPets', POST: 'createPet' },
    '/pets/:petId': { GET: 'getPet' },
    '/store/orders': { GET: 'getStoreOrders' },
  },
  messages: { '/messages': { POST: 'sendMessage' } },
};

/** The routes of a listener, relative to the path of its address. */
export function routesOf(listener: ListenerName, basePath: string): Hono<{ Bindings: Bindings }> {
  const app = new Hono<{ Bindings: Bindings }>();
  for (const [path, methods] of Object.entries(PATHS[listener])) {
    // A server that supports GET also supports HEAD (RFC 9110 §9.1).
    const byMethod = new Map(Object.entries(methods));
    if (methods.GET) byMethod.set('HEAD', methods.GET);
    const allowed = [...byMethod.keys()];
    app.all(`${basePath}${path}`, (c) => {
      const operation = byMethod.get(c.env.incoming.method ?? '');
      return answered(c, { operation, allowed, params: c.req.param() });
    });
  }
  app.notFound((c) => answered(c, { operation: undefined, allowed: [], params: {} }));
  return app;
}

// A Response cannot keep case, order and repetition of headers, so node's own response sends the answer.
async function answered(c: Context<{ Bindings: Bindings }>, route: Route): Promise<Response> {
  await c.env.answer(route, c.env.incoming, c.env.outgoing);
  return RESPONSE_ALREADY_SENT;
}
