/** What a test says about an entry of a HAR; the rest is that of a conformant exchange. */
export interface Said {
  method?: string;
  path?: string;
  url?: string;
  /** ms after noon. */
  at?: number;
  time?: number;
  key?: string | null;
  request?: unknown;
  headers?: Record<string, string>;
  status?: number;
  body?: unknown;
  answer?: Record<string, string>;
  more?: object;
}

export const BASE = 'https://api.example.com/v1';
export const NOON = Date.UTC(2026, 10, 21, 12, 0, 0);
export const REX = { id: 1, name: 'Rex', categoryId: 7, status: 'available' };

/** An entry of a HAR as recorders write it; by default a list that a conformant service sent. */
export function entryOf(said: Said = {}) {
  const { method = 'GET', path = '/pets', at = 0, time = 5, key = 'secret-key-1', status = 200 } = said;
  const body = said.body === undefined ? [REX] : said.body;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const asked = said.request === undefined ? undefined : JSON.stringify(said.request);
  const lines = (all: Record<string, string>) =>
    Object.entries(all).map(([name, value]) => ({ name, value }));
  return {
    startedDateTime: new Date(NOON + at).toISOString(),
    time,
    request: {
      method,
      url: said.url ?? `${BASE}${path}`,
      httpVersion: 'h2',
      headers: lines({
        accept: 'application/json',
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(asked === undefined ? {} : { 'content-type': 'application/json' }),
        ...said.headers,
      }),
      bodySize: asked === undefined ? 0 : asked.length,
      ...(asked === undefined ? {} : { postData: { mimeType: 'application/json', text: asked } }),
    },
    response: {
      status,
      headers: lines({
        date: new Date(NOON + at).toUTCString(),
        'content-type': 'application/json',
        'x-ratelimit-limit': '60',
        'x-ratelimit-remaining': '50',
        'x-ratelimit-reset': String(Math.floor((NOON + at) / 60_000) * 60 + 60),
        ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
        ...said.answer,
      }),
      content: { size: Buffer.byteLength(text), mimeType: 'application/json', text },
    },
    ...said.more,
  };
}

/** An error as the interface describes it. */
export const errorOf = (status: number) => ({ code: 'wrong', message: 'something is wrong', status });

/** A HAR of these entries. */
export function harText(entries: readonly unknown[]): string {
  return JSON.stringify({
    log: { version: '1.2', creator: { name: 'test', version: '1' }, pages: [], entries },
  });
}
