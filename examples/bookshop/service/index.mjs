import Fastify from 'fastify';
import { answerOf } from './answers.mjs';

export { faults } from './faults/index.mjs';
export { variants } from './variants.mjs';

/** Requests that each key has in a minute. */
const PER_MINUTE = 60;

/**
 * Starts the bookshop on 127.0.0.1.
 * @param clock the time of its limit
 * @param secondKey of another user, if there is one
 * @param change how it differs: a fault or a variant
 */
export async function start({
  clock = { now: Date.now },
  apiKey,
  secondKey,
  change = {},
  perMinute = PER_MINUTE,
}) {
  const shop = { books: new Map(), owners: new Map(), last: 0, removed: new Set(), apiKey, secondKey, clock };
  const titles = change.isEmpty ? [] : ['Faust', 'Emma', 'Ulysses'];
  for (const [index, title] of titles.entries()) add(shop, title, PRICES[index], BINDINGS[index]);
  const windows = new Map();
  const app = Fastify({ forceCloseConnections: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_, body, done) => done(null, body));
  app.route({
    method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    url: '/*',
    async handler(request, reply) {
      const { method, headers, body = '' } = request;
      const url = new URL(`http://shop.invalid${request.url}`);
      const asked = {
        method,
        path: url.pathname,
        query: url.searchParams,
        key: headers['x-shop-key'],
        type: headers['content-type'],
        body,
      };
      const usual = () => answerOf(asked, shop);
      const left = countDown(windows, asked.key ?? '', perMinute, clock, change);
      const own = left.isOver ? limited(left, change) : (change.answer?.(asked, usual, shop) ?? usual());
      const answer = change.finish?.(own, asked) ?? own;
      const type = answer.status >= 400 ? 'application/problem+json' : 'application/json';
      const text = answer.text ?? (answer.value === undefined ? undefined : JSON.stringify(answer.value));
      reply.code(answer.status).headers({
        Date: new Date(clock.now()).toUTCString(),
        ...(answer.isBare ? {} : (change.limitHeaders ?? limitHeaders)(left)),
        ...(text === undefined ? {} : { 'Content-Type': answer.type ?? type }),
        ...answer.headers,
      });
      return reply.send(text);
    },
  });
  const baseUrl = await app.listen({ port: 0, host: '127.0.0.1' });
  return { baseUrl, close: () => app.close() };
}

const PRICES = [9.5, 25, 100];
const BINDINGS = ['paper', 'cloth', 'paper'];

function add(shop, title, price, binding) {
  shop.last += 1;
  shop.books.set(`b${shop.last}`, { id: `b${shop.last}`, title, author: 'A. Nonymous', price, binding });
}

/** A window of a minute for each key. */
function countDown(windows, key, perMinute, clock, { isUnlimited }) {
  const now = clock.now();
  const known = windows.get(key);
  const window = known && now < known.ends ? known : { ends: now + 60_000, used: 0 };
  window.used += 1;
  windows.set(key, window);
  const seconds = Math.ceil((window.ends - now) / 1000);
  const remaining = Math.max(0, perMinute - window.used);
  return { perMinute, remaining, seconds, isOver: !isUnlimited && window.used > perMinute };
}

function limitHeaders({ perMinute, remaining, seconds }) {
  return {
    RateLimit: `"minute";r=${remaining};t=${seconds}`,
    'RateLimit-Policy': `"minute";q=${perMinute};w=60`,
  };
}

function limited({ seconds }, { retryAfter = (usual) => usual }) {
  const headers = { 'Retry-After': String(retryAfter(seconds)) };
  return { status: 429, value: { title: 'Too many requests', status: 429 }, headers };
}
