import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A service that somebody puts in the place of an animal store, without knowing its interface. */
export interface NaiveService {
  id: string;
  /** One line: what it does. */
  does: string;
  /** The rate plan that the user states, if any. */
  plan?: string;
  answer: (request: IncomingMessage, response: ServerResponse, count: number) => void;
}

const PAGE = '<!doctype html><title>Out of service</title><h1>We will be back soon</h1>\n';
const page = (status: number) => (_request: IncomingMessage, response: ServerResponse) =>
  void response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8' }).end(PAGE);

const PET = { id: 1, name: 'Rex', categoryId: 1, status: 'available' };
const MESSAGE = { id: 'm1', message: 'hello', status: 'queued', createdAt: '2026-11-21T12:00:00Z' };

/** What a mock server answers that takes each operation's first success from the OpenAPI document. */
function mock({ method = '', url = '' }: IncomingMessage): [status: number, body: unknown] {
  const path = url.split('?', 1)[0];
  if (path === '/messages') return [200, MESSAGE];
  if (path === '/v1/store/orders') return [200, {}];
  if (path === '/v1/pets') return method === 'POST' ? [201, PET] : [200, [PET]];
  return [200, PET];
}

function answerJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, number>,
) {
  const all = { 'Content-Type': 'application/json', ...headers };
  response.writeHead(status, all).end(JSON.stringify(body));
}

export const naiveServices: readonly NaiveService[] = [
  { id: 'all-503', plan: 'free', does: 'answers 503 with a page to everything', answer: page(503) },
  {
    id: 'all-503-limited',
    plan: 'free',
    does: 'answers 503 with a page and a limit to everything',
    answer(request, response) {
      response.setHeader('X-RateLimit-Limit', 60);
      page(503)(request, response);
    },
  },
  { id: 'web-site', plan: 'free', does: 'is a web site: 404 with a page for everything', answer: page(404) },
  {
    id: 'login-page',
    plan: 'free',
    does: 'redirects everything to one login page',
    answer: (_request, response) => void response.writeHead(302, { Location: '/login' }).end(),
  },
  {
    id: 'mock',
    plan: 'free',
    does: 'answers what a mock server makes of spec/, each rate limit header 0',
    answer(request, response) {
      const [status, body] = mock(request);
      const none = { 'X-RateLimit-Limit': 0, 'X-RateLimit-Remaining': 0, 'X-RateLimit-Reset': 0 };
      answerJson(response, status, body, none);
    },
  },
  {
    id: 'million',
    does: 'tells of a limit of 1,000,000 a minute',
    answer(request, response, count) {
      const [status, body] = mock(request);
      answerJson(response, status, body, {
        'X-RateLimit-Limit': 1_000_000,
        'X-RateLimit-Remaining': 1_000_000 - count,
        'X-RateLimit-Reset': (Math.floor(Date.now() / 60_000) + 1) * 60,
      });
    },
  },
  {
    id: 'billion-left',
    plan: 'free',
    does: 'tells that a billion requests are left of 60, with lists of 60 kB and a Reset that moves',
    answer(request, response, count) {
      const [status, body] = mock(request);
      const large = Array.isArray(body) ? { ...PET, name: 'x'.repeat(60_000) } : undefined;
      answerJson(response, status, large ? [large] : body, {
        'X-RateLimit-Limit': 60,
        'X-RateLimit-Remaining': 1_000_000_000 - count,
        'X-RateLimit-Reset': Math.floor(Date.now() / 1000) + count,
      });
    },
  },
];

export interface Started {
  baseUrl: string;
  apiUrl: string;
  /** Requests that came, at the base address and at the message address. */
  requests(): { base: number; messages: number };
  close(): Promise<void>;
}

/** Starts a naive service on 127.0.0.1, at one port for both addresses. */
export async function startNaive({ answer }: Pick<NaiveService, 'answer'>): Promise<Started> {
  const counts = { base: 0, messages: 0 };
  const server = createServer((request, response) => {
    counts[request.url === '/messages' ? 'messages' : 'base'] += 1;
    request.resume();
    request.on('end', () => answer(request, response, counts.base + counts.messages));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    baseUrl: `${origin}/v1`,
    apiUrl: origin,
    requests: () => ({ ...counts }),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
