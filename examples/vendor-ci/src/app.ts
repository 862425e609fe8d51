import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FREE, Limiter, type Plan, type Quota } from './limiter.js';
import { invalid, Pets } from './pets.js';
import { Refusal } from './refusal.js';
import { type Answer, animals, messages, type Route } from './routes.js';

const MAX_BODY = 1024 * 1024;

export interface AppOptions {
  /** The one key that is accepted. */
  apiKey: string;
  /** Ports of the animals and of the messages; 0 picks a free one. */
  port?: number;
  messagePort?: number;
  plan?: Plan;
  /** Length of a minute in ms. */
  minute?: number;
  /** The time, in ms since the epoch. */
  now?: () => number;
}

export interface App {
  baseUrl: string;
  apiUrl: string;
  apiKey: string;
  close: () => Promise<void>;
}

/** Starts the animal store service on 127.0.0.1. */
export async function startApp(options: AppOptions): Promise<App> {
  const { apiKey, port = 0, messagePort = 0, plan = FREE, minute = 60_000, now = Date.now } = options;
  const limiter = new Limiter(plan, minute);
  const open = async (wanted: number, route: Route) => {
    const server = createServer((request, response) => {
      void answer(request, route, limiter, apiKey, now()).then(({ quota, ...sent }) =>
        send(response, sent, quota, now()),
      );
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(wanted, '127.0.0.1', resolve);
    });
    const close = () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
  };
  const base = await open(port, animals(new Pets(120)));
  const api = await open(messagePort, messages);
  return {
    baseUrl: `${base.origin}/v1`,
    apiUrl: api.origin,
    apiKey,
    close: async () => {
      await Promise.all([base.close(), api.close()]);
    },
  };
}

/** Checks key, limit and operation in this order. A request without the key does not count. */
async function answer(
  request: IncomingMessage,
  route: Route,
  limiter: Limiter,
  apiKey: string,
  now: number,
): Promise<Answer & { quota: Quota }> {
  if (!isKey(request.headers.authorization, apiKey)) {
    const refusal = new Refusal(401, 'unauthorized', 'the API key is missing or invalid');
    return { ...refused(refusal, { 'WWW-Authenticate': 'Bearer' }), quota: limiter.describe(now) };
  }
  const quota = limiter.take(now);
  if (!quota.isGranted) {
    const seconds = String(Math.ceil((quota.resetsAt - now) / 1000));
    return {
      ...refused(new Refusal(429, 'too_many_requests', 'the rate limit is used up'), {
        'Retry-After': seconds,
      }),
      quota,
    };
  }
  try {
    const { method = '', url = '/' } = request;
    const asked = { method, url: new URL(url, 'http://store.invalid'), body: () => jsonOf(request), now };
    return { ...(await route(asked)), quota };
  } catch (error) {
    if (error instanceof Refusal) return { ...refused(error), quota };
    console.error(error);
    return { ...refused(new Refusal(500, 'internal', 'something went wrong')), quota };
  }
}

/** The scheme is case-insensitive (RFC 9110 section 11.1), the key is not. */
function isKey(authorization: string | undefined, apiKey: string): boolean {
  const [, key] = /^bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
  return key === apiKey;
}

async function jsonOf(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request) {
    size += piece.length;
    if (size > MAX_BODY) throw invalid('the body is too long');
    pieces.push(piece);
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces)));
  } catch {
    throw invalid('the body is not JSON');
  }
}

function refused({ status, code, message }: Refusal, headers: Record<string, string> = {}): Answer {
  return { status, body: { code, message, status }, headers };
}

function send(
  response: ServerResponse,
  { status, body, headers = {} }: Answer,
  quota: Quota,
  now: number,
): void {
  response.writeHead(status, {
    Date: new Date(now).toUTCString(),
    'Content-Type': 'application/json',
    'X-RateLimit-Limit': quota.limit,
    'X-RateLimit-Remaining': quota.remaining,
    'X-RateLimit-Reset': Math.ceil(quota.resetsAt / 1000),
    ...headers,
  });
  response.end(JSON.stringify(body));
}
