import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type RunSettings, run, startReference, VirtualClock } from '../../src/index.ts';
import { exitStatusOf } from '../../src/model/report/report.ts';
import type { Change } from '../../src/reference/changes/change.ts';
import { json, page } from '../exchanges/answers.ts';
import { startNaive } from '../services/naive-services.ts';

const KEY = 'a-key-of-a-test';

/** A run against a server at both addresses, and the requests that came to it. */
async function runAgainst(answer: RequestListener, settings: RunSettings = {}) {
  const sent: { method: string; path: string; withKey: boolean }[] = [];
  const { apiUrl: origin, close } = await startNaive({
    answer(request, response) {
      const { method = '', url = '', headers } = request;
      sent.push({ method, path: url, withKey: headers.authorization === `Bearer ${KEY}` });
      answer(request, response);
    },
  });
  onTestFinished(close);
  const clock = new VirtualClock(Date.now());
  const addresses = { baseUrl: `${origin}/v1`, apiUrl: origin };
  const report = await run({ ...addresses, apiKey: KEY, clock, plan: 'free', ...settings });
  return {
    report,
    outcome: [report.verdict, exitStatusOf(report), report.stopped?.kind],
    withKey: sent.filter((each) => each.withKey).length,
    all: sent.length,
    posts: sent.filter(({ method }) => method === 'POST').length,
    hints: (report.hints ?? []).map(({ kind }) => kind),
  };
}

const SET_UP = ['incomplete', 3, 'not-the-service'];

const LOGIN =
  '<!doctype html>\n<title>Sign in - \u001b[31mExample</title><form><input type="password"></form>';
const redirect = (to: (url: string) => string) => (request: IncomingMessage, response: ServerResponse) =>
  void response.writeHead(302, { location: to(request.url ?? '') }).end();
const text =
  (status: number, body: string, headers = {}) =>
  (_: unknown, response: ServerResponse) =>
    void response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end(body);

describe('what is not the service gets three reads with the key, and nothing is written', () => {
  test.each<
    [what: string, answer: RequestListener, met: string | RegExp, hint: string, settings?: RunSettings]
  >([
    [
      'a login page',
      (_, response) => page(response, 200, LOGIN),
      'a login page (200 text/html "Sign in - \\u001b[31mExample")',
      'login',
    ],
    [
      'a redirect to SSO',
      redirect(
        (url) => `https://sso.example.com/login?return_to=${encodeURIComponent(url)}&state=${url.length}`,
      ),
      'a redirect (302) to https://sso.example.com/login',
      'login',
    ],
    ['a redirect to one place here', redirect(() => '/'), /a redirect \(302\) to http:\S+\/$/, 'elsewhere'],
    [
      'a redirect to another origin',
      redirect((url) => `https://x.example.com${url}`),
      'to https://x.example.com',
      'moved',
    ],
    ['503 in plain text', text(503, 'down'), '503 text/plain "down"', 'unavailable'],
    [
      'a gateway in JSON',
      (_, response) => json(response, 502, { message: 'no upstream' }),
      '502',
      'unavailable',
    ],
    [
      '503 that asks for a longer wait than is allowed',
      text(503, 'down', { 'Retry-After': '3600' }),
      'longer than --max-wait 90 s',
      'unavailable',
    ],
    [
      '404 in JSON that is no Error',
      (_, response) => json(response, 404, { detail: 'Not Found' }),
      '404',
      'elsewhere',
    ],
    ['200 without a body', (_, response) => void response.end(), '200 without a body', 'elsewhere'],
    ['a health check on every path', text(200, 'OK'), '200 text/plain "OK"', 'elsewhere'],
    [
      'XML',
      (_, response) => void response.writeHead(403, { 'content-type': 'application/xml' }).end('<Error/>'),
      '403 application/xml',
      'elsewhere',
    ],
    [
      'a login page, where one requirement is asked for',
      (_, response) => page(response, 200, LOGIN),
      'a login page',
      'login',
      { only: ['listPets.200'] },
    ],
    [
      'a login page, where petspec only reads',
      (_, response) => page(response, 200, LOGIN),
      'a login page',
      'login',
      { readOnly: true, exhaust: 'none' },
    ],
  ])('%s', async (_, answer, met, hint, settings) => {
    const { report, outcome, all, withKey, posts, hints } = await runAgainst(answer, settings);
    expect(outcome).toEqual(SET_UP);
    expect([all, withKey, posts]).toEqual([3, 3, 0]);
    expect(report.because).toMatch(/^no sign of the service: GET \/pets, GET \/\S+ and GET \/\S+ got /);
    if (typeof met === 'string') expect(report.because).toContain(met);
    else expect(report.because).toMatch(met);
    expect(hints).toEqual([hint]);
    expect(report.summary).toMatchObject({ violated: 0, met: 0 });
  });

  test('the service at an address without /v1', async () => {
    const clock = new VirtualClock(Date.now());
    const reference = await startReference({ clock, apiKey: KEY });
    onTestFinished(() => reference.close());
    const baseUrl = reference.baseUrl.replace(/\/v1$/, '');
    const report = await run({ baseUrl, apiUrl: reference.apiUrl, apiKey: KEY, clock });
    expect([report.verdict, report.stopped?.kind, report.exchanges.length]).toEqual([
      'incomplete',
      'not-the-service',
      3,
    ]);
    expect(report.hints?.map(({ kind }) => kind)).toEqual(['base-path']);
  });
});

describe('a 503 with a Retry-After', () => {
  test('is tried once more after it', async () => {
    const { outcome, withKey, posts } = await runAgainst(text(503, 'down', { 'Retry-After': '20' }));
    expect([outcome, withKey, posts]).toEqual([SET_UP, 6, 0]);
  });

  test('is not held against a service that is up then', async () => {
    const clock = new VirtualClock(Date.now());
    const reference = await startReference({
      clock,
      apiKey: KEY,
      changes: [startingUp(3)],
    });
    onTestFinished(() => reference.close());
    const { baseUrl, apiUrl } = reference;
    const report = await run({ baseUrl, apiUrl, apiKey: KEY, clock });
    expect([
      report.verdict,
      report.exchanges.filter(({ response }) => response?.status === 503).length,
    ]).toEqual(['conformant', 3]);
  });
});

/** A gateway answers the first requests, until the service is up. */
function startingUp(requests: number): Change {
  let count = 0;
  return {
    wire(answer, _, { socket }, next) {
      count += 1;
      if (count > requests) return next(answer);
      const head =
        'HTTP/1.1 503 Service Unavailable\r\nRetry-After: 20\r\nContent-Length: 0\r\nConnection: close';
      socket.end(`${head}\r\n\r\n`);
    },
  };
}

describe('a service that is broken is judged', () => {
  const ORDERS = /orders/;
  test.each<[what: string, answer: RequestListener, isWritten: boolean]>([
    ['JSON of the wrong shape everywhere', (_, response) => json(response, 200, { hello: 1 }), true],
    ['JSON as plain text everywhere', text(200, '[]'), true],
    [
      'what says to be JSON and is none',
      (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end("{'id': 1}"),
      true,
    ],
    [
      'HTML from one operation alone',
      ({ url = '' }, response) =>
        ORDERS.test(url) ? page(response, 200, LOGIN) : json(response, 200, url.includes('pets/') ? {} : []),
      true,
    ],
    ['a redirect of each path to itself with a slash', redirect((url) => `${url}/`), false],
    [
      'JSON of a gateway that refuses everything with 403',
      (_, response) => json(response, 403, { message: 'Forbidden' }),
      false,
    ],
    [
      'an Error with 404 everywhere',
      (_, response) => json(response, 404, { code: 'a', message: 'b', status: 404 }),
      true,
    ],
    [
      'a page with the header of a limit',
      (_, response) => page(response.setHeader('X-RateLimit-Limit', 60), 200, LOGIN),
      true,
    ],
  ])('%s', async (_, answer, isWritten) => {
    const { outcome, posts } = await runAgainst(answer, { exhaust: 'none' });
    expect(outcome).toEqual(['non-conformant', 1, undefined]);
    expect(posts > 0).toBe(isWritten);
  });
});
