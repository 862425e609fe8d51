import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export const TOKEN = 'a-reader-of-long-standing';

/** How the library is broken; a sound one is not. */
export interface Breakage {
  /** The status of a book that is added. */
  added?: number;
  /** What becomes of each book that it shows. */
  shown?: (book: Record<string, unknown>) => Record<string, unknown>;
  /** Whether a body that is not a book is added all the same. */
  isLenient?: boolean;
}

/** A lending library on 127.0.0.1, with one book. */
export async function startLibrary({
  added = 201,
  shown = (book) => book,
  isLenient = false,
}: Breakage = {}) {
  const books: Record<string, unknown>[] = [{ number: 1, title: 'Faust', shelf: 'north' }];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const answer = (status: number, value: unknown) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
    if (request.headers.authorization !== `Bearer ${TOKEN}`) return answer(401, { reason: 'no such reader' });
    if (request.method === 'GET') return answer(200, books.map(shown));
    const book = parse(body);
    if (!isBook(book) && !isLenient) return answer(400, { reason: 'that is not a book' });
    const { title, shelf } = isBook(book) ? book : { title: 'Untitled' };
    books.push({ number: books.length + 1, title, ...(shelf === undefined ? {} : { shelf }) });
    return answer(added, shown(books.at(-1) ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function isBook(value: unknown): value is { title: string; shelf?: string } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { title, shelf } = value as Record<string, unknown>;
  if (typeof title !== 'string' || title.length < 1 || [...title].length > 80) return false;
  return shelf === undefined || shelf === 'north' || shelf === 'south';
}
