import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export const DOCUMENT = new URL('./bookshop.openapi.yaml', import.meta.url).pathname;
export const KEY = 'a-reader-of-long-standing';

const ID = '0b9c1c4e-6f2d-4b3a-9d2f-1c2b3a4d5e6f';
const PROBLEM = 'application/problem+json';

/** What a bookshop answers. */
export interface Answer {
  status: number;
  value?: unknown;
  type?: string;
  headers?: Record<string, string>;
}

type Asked = { method: string; path: string; query: URLSearchParams; key: string | undefined };

/** How a bookshop differs from a sound one. */
export interface Difference {
  /** Another book than the usual one. */
  book?: Record<string, unknown>;
  /** Another answer to some requests; undefined leaves it as it is. */
  answer?: (asked: Asked, usual: Answer) => Answer | undefined;
}

const BOOK = { id: ID, title: 'Faust', price: 12.5, published: '1808-01-01', author: { name: 'Goethe' } };

function usual({ path, query, key }: Asked, book: Record<string, unknown>): Answer {
  const problem = (status: number) => ({ status, value: { title: 'no' }, type: PROBLEM });
  if (path === '/health') return { status: 200 };
  if (path === '/books') {
    const limit = query.get('limit');
    const isAllowed = limit === null || (/^\d+$/.test(limit) && Number(limit) >= 1 && Number(limit) <= 50);
    return isAllowed ? { status: 200, value: { items: [book], next: null } } : problem(422);
  }
  if (path === `/books/${ID}`) {
    if (key !== `Bearer ${KEY}`) return problem(401);
    return {
      status: 200,
      value: { ...book, sequel: { id: ID, title: 'Faust II' } },
      headers: { ETag: '"1"' },
    };
  }
  if (path === `/books/${ID}/reviews`) return { status: 200, value: [{ id: 7 }] };
  if (path === `/books/${ID}/reviews/7`) return { status: 200, value: 'good', type: 'text/plain' };
  return key === `Bearer ${KEY}` ? problem(404) : problem(401);
}

/** Starts a bookshop on 127.0.0.1 for one test. It keeps what it was asked. */
export async function startBookshop({ book = BOOK, answer }: Difference = {}) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    asked.push(`${request.method} ${request.url}`);
    const { authorization: key } = request.headers;
    const each = { method: request.method ?? '', path: url.pathname, query: url.searchParams, key };
    const own = usual(each, book);
    const { status, value, type = 'application/json', headers = {} } = answer?.(each, own) ?? own;
    response.writeHead(status, { ...(value === undefined ? {} : { 'Content-Type': type }), ...headers });
    response.end(typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, usualBook: BOOK };
}
