import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ListenPlace, listen } from '../http/listen.ts';
import { type Live, renderLivePage, renderParts } from './live-page.ts';

/** The page that shows live traffic. */
export interface LiveServer {
  origin: string;
  /** Tells all open pages what is new. */
  tell(live: Live): void;
  close(): Promise<void>;
}

/** Open pages at the same time. */
const MAX_PAGES = 50;

/** Bytes that wait for a slow page before it is told nothing more. */
const MAX_WAITING = 4 * 1024 * 1024;

/**
 * Serves a page that changes by server-sent events (WHATWG HTML section 9.2).
 * @throws the error of the operating system, such as EADDRINUSE
 */
export async function serveLive(place: ListenPlace, first: Live): Promise<LiveServer> {
  const pages = new Set<ServerResponse>();
  let live = first;
  /** What the open pages show. */
  let shown: Record<string, string> = {};

  const follow = (method: string, response: ServerResponse) => {
    if (pages.size >= MAX_PAGES) return void response.writeHead(503, { 'retry-after': '60' }).end();
    response.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream' });
    if (method === 'HEAD') return void response.end();
    // The other pages show the same: each was told.
    shown = textsOf(live);
    response.write(`retry: 2000\n\n${eventOf('parts', shown)}`);
    pages.add(response);
    response.on('close', () => pages.delete(response));
    response.on('error', () => {});
  };

  const handle = ({ method = 'GET', url = '/' }: IncomingMessage, response: ServerResponse) => {
    const path = url.split('?')[0];
    if (method !== 'GET' && method !== 'HEAD')
      return void response.writeHead(405, { allow: 'GET, HEAD' }).end();
    if (path === '/events') return follow(method, response);
    if (path !== '/') return void response.writeHead(404, HEADERS).end();
    response.writeHead(200, { ...HEADERS, 'content-type': 'text/html; charset=utf-8' });
    response.end(renderLivePage(live));
  };

  const { origin, close } = await listen(handle, { names: [], ...place });
  return {
    origin,
    tell(now) {
      live = now;
      if (pages.size === 0) return;
      const texts = textsOf(now);
      const changed = Object.entries(texts).filter(([id, text]) => shown[id] !== text);
      shown = texts;
      if (changed.length === 0) return;
      const event = eventOf('parts', Object.fromEntries(changed));
      for (const page of pages) if (page.writableLength < MAX_WAITING) page.write(event);
    },
    async close() {
      for (const page of pages) page.end('event: end\ndata:\n\n');
      await close(500);
    },
  };
}

const HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
};

function textsOf(live: Live): Record<string, string> {
  return Object.fromEntries(Object.entries(renderParts(live)).map(([id, part]) => [id, part.toString()]));
}

/** JSON is one line, so the data of the event is one as well. */
function eventOf(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
