import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that knows nothing of the interface: it answers whatever is asked by one function. */
export interface NaiveService {
  origin: string;
  close(): Promise<void>;
}

export async function naiveService(answer: RequestListener): Promise<NaiveService> {
  const server = createServer((request, response) => {
    request.resume();
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Answers with a page. */
export function page(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(body);
}

/** Answers with JSON, and with nothing else that the interface asks for. */
export function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** The three headers of the limit, as a service that is all right sends them. */
export const LIMIT = {
  'X-RateLimit-Limit': '1000',
  'X-RateLimit-Remaining': '900',
  'X-RateLimit-Reset': String(Math.ceil(Date.now() / 1000) + 50),
};
