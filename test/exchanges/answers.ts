import type { ServerResponse } from 'node:http';

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
