import type { IncomingMessage, ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import { Hono } from 'hono';
import type { ListenerName, OperationId } from './http/call.ts';

/** Where a request leads: to an operation, to a path that lacks its method, or nowhere. */
export interface Route {
  operation: OperationId | undefined;
  /** The methods of the path; empty where there is no such path. */
  allowed: readonly string[];
  params: Readonly<Record<string, string>>;
}

/** What the adapter hands to the routes: the exchange, and who answers it. */
export interface Bindings {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  answer: (route: Route, incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;
}

type Methods = Partial<Record<'GET' | 'POST', OperationId>>;

/** Below the address of each listener (interface: Endpoints; Message submission). */
const PATHS: Readonly<Record<ListenerName, Record<string, Methods>>> = {
  animals: {
    '/pets': { GET: 'listPets', POST: 'createPet' },
    '/pets/:petId': { GET: 'getPet' },
    '/store/orders': { GET: 'getStoreOrders' },
  },
  messages: { '/messages': { POST: 'sendMessage' } },
};

/** The routes of a listener, below the path of its address. */
export function routesOf(listener: ListenerName, basePath: string): Hono<{ Bindings: Bindings }> {
  const app = new Hono<{ Bindings: Bindings }>();
  for (const [path, methods] of Object.entries(PATHS[listener])) {
    // A server that knows GET knows HEAD (RFC 9110 §9.1).
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

// Headers with their case, order and repetitions are beyond a Response: the answer goes out through node's own.
async function answered(c: Context<{ Bindings: Bindings }>, route: Route): Promise<Response> {
  await c.env.answer(route, c.env.incoming, c.env.outgoing);
  return RESPONSE_ALREADY_SENT;
}
