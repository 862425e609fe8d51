import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { concurrentTest as test, testedCommandLine } from '../../../test/command-line/tested-command-line.ts';

const KEY = 'books-key-31415926';
const { petspec, inFolder } = testedCommandLine(KEY);

const BOOKS = `
openapi: 3.1.0
info: { title: Books, version: '1' }
security: [{ key: [] }]
paths:
  /books:
    get:
      operationId: listBooks
      responses:
        '200': { description: The books., content: { application/json: { schema: { type: array } } } }
        '401': { description: No key. }
        '429': { description: Too many. }
components:
  securitySchemes: { key: { type: http, scheme: bearer } }
`;

const WINDOW_MS = 2_000;
const LIMIT = 12;

/** A list of books, of which one key gets twelve in a window of two seconds. @param headers whether it tells what is left */
function books(headers: boolean): Server & { statuses: number[] } {
  let [begun, used] = [0, 0];
  const statuses: number[] = [];
  const server = createServer((request, response) => {
    const now = Date.now();
    if (now >= begun + WINDOW_MS) [begun, used] = [now, 0];
    const isKnown = request.headers.authorization === `Bearer ${KEY}`;
    if (isKnown) used += 1;
    const status = isKnown ? (used > LIMIT ? 429 : 200) : 401;
    statuses.push(status);
    const seconds = Math.ceil((begun + WINDOW_MS - now) / 1_000);
    if (headers && isKnown) {
      response.setHeader('RateLimit-Policy', `${LIMIT};w=2`);
      response.setHeader('RateLimit-Limit', LIMIT);
      response.setHeader('RateLimit-Remaining', Math.max(0, LIMIT - used));
      response.setHeader('RateLimit-Reset', seconds);
    }
    if (status === 429) response.setHeader('Retry-After', seconds);
    response.writeHead(status, { 'content-type': 'application/json' }).end(status === 200 ? '[]' : '{}');
  });
  return Object.assign(server, { statuses });
}

describe('a service with a window of two seconds', () => {
  const [telling, silent] = [books(true), books(false)];
  const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const listen = (server: Server) =>
    new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  beforeAll(async () => {
    await Promise.all([telling, silent].map(listen));
    writeFileSync(inFolder('books.yaml'), BOOKS);
  });
  afterAll(() => {
    for (const each of [telling, silent]) each.close();
  });

  test('its headers are told, and are borne out', async () => {
    const { status, out, err } = await petspec(
      'limiter',
      urlOf(telling),
      '--interface',
      inFolder('books.yaml'),
      '--json',
    );
    expect(status).toBe(0);
    expect(err).toContain('at most 200 requests');
    const told = JSON.parse(out);
    const figure = (about: string) =>
      told.statements.find((each: { about: string }) => each.about === about)?.value;
    expect(figure('limit')).toBe(LIMIT);
    expect(figure('cost read')).toBe(1);
    expect(figure('cost wrong-key')).toBe(0);
    expect(figure('headers')).toBe('RateLimit-Limit');
    expect(figure('reset form')).toBe('seconds to go');
    expect(figure('retry-after holds')).toBe(true);
    expect(told.isReached).toBe(true);
    expect(told.exchanges.length).toBeLessThanOrEqual(200);
    expect(out + err).not.toContain(KEY);
  });

  test('without headers, the limit is what is let through', async () => {
    const { status, out } = await petspec('limiter', urlOf(silent), '--interface', inFolder('books.yaml'));
    expect(status).toBe(0);
    expect(out).toContain(`${LIMIT} requests: as many were let through before the 429`);
    expect(out).toContain('the first request after Retry-After is let through, 2 of 2 times');
    expect(silent.statuses).not.toContain(500);
  });
});

test('nothing can be told of an address where nothing listens: exit 3', async () => {
  writeFileSync(inFolder('none.yaml'), BOOKS);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const { status, out } = await petspec(
    'limiter',
    `http://127.0.0.1:${port}`,
    '--interface',
    inFolder('none.yaml'),
  );
  expect(status).toBe(3);
  expect(out).toContain('cannot be told');
});

test('a budget that shows nothing is refused', async () => {
  const { status, err } = await petspec('limiter', 'http://127.0.0.1:9/v1', '--budget', '5');
  expect(status).toBe(2);
  expect(err).toContain('--budget 5: so few requests show nothing');
});
