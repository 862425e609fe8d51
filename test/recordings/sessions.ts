import { VirtualClock } from '../../src/model/clock.ts';
import type { HeaderLine } from '../../src/model/exchange.ts';
import { readRateLimit } from '../../src/model/limits/rate-limit.ts';
import { type Draw, drawFrom } from '../../src/probes/variations/random.ts';
import { type Change, startInProcess } from '../../src/reference/index.ts';
import { entryOf } from '../../src/report/formats/har.ts';
import { Transport, type TransportResult } from '../../src/session/http/transport.ts';
import { NOON } from '../services/running-reference.ts';

const KEY = 'a-key-of-another-client';

/** What a client does next; `<id>` stands for the id of an animal that it has seen. */
interface Step {
  method?: string;
  path: string;
  body?: unknown;
  authorization?: string | null;
}

const NAMES = [
  'Rex',
  'Bella',
  'Łatka',
  "O'Malley",
  '小白',
  'Sir Barks-a-lot the Third',
  'Luna 🐕',
  'a',
  'Max & "Co"',
];
const STATUSES = ['available', 'pending', 'sold'];

const oneOf = <Value>(values: readonly Value[], draw: Draw) => values[draw(values.length)] as Value;

/** What clients do as a rule, and each of the mistakes that some make. */
const USUAL: readonly ((draw: Draw) => Step)[] = [
  () => ({ path: '/pets' }),
  (draw) => ({ path: `/pets?limit=${oneOf([1, 2, 5, 10, 20, 25, 50, 100], draw)}` }),
  (draw) => ({ path: `/pets?status=${oneOf(STATUSES, draw)}` }),
  (draw) => ({ path: `/pets?status=${oneOf(STATUSES, draw)}&limit=${1 + draw(100)}` }),
  (draw) => ({
    method: 'POST',
    path: '/pets',
    body: {
      name: oneOf(NAMES, draw),
      categoryId: 1 + draw(20),
      ...(draw(2) === 0 ? {} : { status: oneOf(STATUSES, draw) }),
    },
  }),
  () => ({ path: '/pets/<id>' }),
  () => ({ path: '/store/orders' }),
  (draw) => ({ method: 'POST', path: '/messages', body: { message: `Hello from ${oneOf(NAMES, draw)}` } }),
];
const MISTAKES: readonly ((draw: Draw) => Step)[] = [
  (draw) => ({ path: `/pets?limit=${oneOf(['0', '101', '-1', 'all', '1000'], draw)}` }),
  () => ({ path: '/pets?status=lost' }),
  (draw) => ({ path: `/pets/${900_000_000 + draw(1_000_000)}` }),
  () => ({ method: 'POST', path: '/pets', body: { categoryId: 3 } }),
  () => ({ method: 'POST', path: '/pets', body: { name: 'Rex' } }),
  () => ({ method: 'POST', path: '/pets', body: { name: 'Rex', categoryId: 'dogs' } }),
  () => ({ method: 'POST', path: '/pets', body: { name: 'Rex', categoryId: 3, status: 'lost' } }),
  () => ({ method: 'POST', path: '/pets', body: '{"name": "Rex",' }),
  () => ({ method: 'POST', path: '/messages', body: {} }),
  () => ({ method: 'POST', path: '/messages', body: '{"message": ' }),
  (draw) => ({ path: oneOf(['/pets', '/store/orders', '/pets/<id>'], draw), authorization: null }),
  (draw) => ({
    path: oneOf(['/pets', '/store/orders', '/pets/<id>'], draw),
    authorization: 'Bearer an-old-key',
  }),
];

/** A client of others, drawn by a seed. */
interface Client {
  requests: number;
  /** One of so many requests is a mistake. */
  mistakes: number;
  /** ms between two requests. */
  pause: number;
  /** The recorder leaves keys out, as browsers do. */
  isSanitized: boolean;
}

function clientOf(draw: Draw): Client {
  return {
    requests: oneOf([10, 25, 50, 100], draw),
    mistakes: oneOf([3, 6, 30], draw),
    pause: oneOf([20, 400, 3_000], draw),
    isSanitized: draw(5) === 0,
  };
}

/**
 * Records what a client of others sends to a reference, as other tools write it: the text of a HAR. The same seed sends the same,
 * but for the ids that it gets.
 */
export async function recordedSession(seed: number, changes: readonly Change[]): Promise<string> {
  const draw = drawFrom(seed);
  const { requests, mistakes, pause, isSanitized } = clientOf(draw);
  const clock = new VirtualClock(NOON + 5_000);
  const reference = await startInProcess({ clock, apiKey: KEY, changes });
  const { dial } = reference;
  const transport = new Transport({ clock, timeout: 10_000, ...(dial ? { dial } : {}) });
  const entries: object[] = [];
  let id = '1001';
  try {
    for (let n = 0; n < requests; n += 1) {
      const step = oneOf(draw(mistakes) === 0 ? MISTAKES : USUAL, draw)(draw);
      const request = requestOf(step, id, reference);
      const answer = await transport.send(request);
      entries.push(entryFor(request, answer, isSanitized));
      id = idIn(answer) ?? id;
      const { retryAfter = 0 } = readRateLimit(answer.response?.headers ?? [], clock.now());
      await clock.sleep(answer.response?.status === 429 ? retryAfter * 1_000 + 500 : pause + draw(pause));
    }
  } finally {
    await transport.close();
    await reference.close();
  }
  return JSON.stringify({ log: { version: '1.2', creator: { name: 'other', version: '1' }, entries } });
}

function requestOf(step: Step, id: string, { baseUrl, apiUrl }: { baseUrl: string; apiUrl: string }) {
  const { method = 'GET', path, body, authorization = `Bearer ${KEY}` } = step;
  const headers: HeaderLine[] = [
    ['accept', 'application/json, text/plain, */*'],
    ['user-agent', 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36'],
    ...(authorization === null ? [] : [['authorization', authorization] as const]),
    ...(body === undefined ? [] : [['content-type', 'application/json'] as const]),
  ];
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return {
    method,
    url: new URL((path === '/messages' ? apiUrl : baseUrl) + path.replace('<id>', id)),
    headers,
    ...(body === undefined ? {} : { body: text }),
  };
}

/** The id of the last animal of a response. */
function idIn({ response }: TransportResult): string | undefined {
  return [...(response?.body ?? '').matchAll(/"id":(\d+)/g)].at(-1)?.[1];
}

function entryFor(
  { method, url, headers, body }: ReturnType<typeof requestOf>,
  { sentAt, receivedAt, response }: TransportResult,
  isSanitized: boolean,
): object {
  const lower = (lines: readonly HeaderLine[]) =>
    lines.map(([name, value]): HeaderLine => [name.toLowerCase(), value]);
  const requestHeaders = headers.filter(([name]) => !isSanitized || name !== 'authorization');
  const received = response && { ...response, headers: lower(response.headers) };
  const text = response?.body ?? '';
  return entryOf(
    { method, url: url.href, requestHeaders, sentAt, response: received },
    Math.max(0.6, receivedAt - sentAt),
    {
      requestSize: body === undefined ? 0 : Buffer.byteLength(body),
      requestText: body,
      content: { size: Buffer.byteLength(text), text },
    },
  );
}
