import type { RequestListener } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { json, LIMIT, page } from '../../test/exchanges/answers.ts';
import { startNaive } from '../../test/services/naive-services.ts';
import { type Report, type RunSettings, run, startReference, VirtualClock } from '../index.ts';
import { exitStatusOf } from '../model/report/report.ts';

const KEY = 'a-key-of-a-test';

/** A run against a server that answers by one function, at both addresses unless another is named. It has a limit of its own. */
async function runAgainst(answer: RequestListener, settings: RunSettings = {}): Promise<Report> {
  const { apiUrl: origin, close } = await startNaive({
    answer(request, response) {
      response.setHeader('RateLimit-Limit', '1000');
      answer(request, response);
    },
  });
  onTestFinished(close);
  return run({
    baseUrl: `${origin}/v1`,
    apiUrl: `${origin}/messages-of`,
    apiKey: KEY,
    exhaust: 'none',
    ...settings,
  });
}

const idsOf = (report: Report, status: string) =>
  report.requirements.filter((each) => each.status === status).map(({ id }) => id);

const OPERATIONS = ['createPet', 'getPet', 'getStoreOrders', 'listPets', 'sendMessage'];

/** The operations of the exchanges that a root cause cites, each once. */
function shownOf(report: Report): (string | undefined)[] {
  const operations = new Map(report.exchanges.map(({ id, operation }) => [id, operation]));
  return (report.rootCause?.evidence ?? []).map((id) => operations.get(id)).sort();
}

const MAINTENANCE = `
<!doctype html>
<html><head>
<title>503 Service Temporarily Unavailable</title>
</head><body>Come back later</body></html>`;

describe('where every operation fails alike, that is the root cause', () => {
  test('the same 503 with a page', async () => {
    const report = await runAgainst((_, response) => page(response, 503, MAINTENANCE));
    expect(report.rootCause).toMatchObject({
      kind: 'status',
      statement: 'every operation returned 503 text/html',
      firstLine: '<title>503 Service Temporarily Unavailable</title>',
    });
    expect(shownOf(report)).toEqual(OPERATIONS);
    expect(report.rootCause?.requirements).toEqual(expect.arrayContaining(idsOf(report, 'violated')));
    expect(idsOf(report, 'violated').length).toBeGreaterThan(3);
    const left = idsOf(report, 'not-tested').filter((id) => !report.rootCause?.requirements.includes(id));
    const unexhausted = report.narrowed.flatMap(({ requirements }) => requirements);
    expect(left.filter((id) => !unexhausted.includes(id))).toEqual([]);
    expect([report.verdict, exitStatusOf(report)]).toEqual(['non-conformant', 1]);
  });

  test('a web site, which knows none of the paths, and no POST at all', async () => {
    const report = await runAgainst(({ method }, response) =>
      page(response, method === 'GET' ? 404 : 405, '<!doctype html><title>Not here</title>'),
    );
    expect(report.rootCause).toMatchObject({
      kind: 'status',
      statement: 'every operation returned 404 or 405 text/html',
      firstLine: '<!doctype html><title>Not here</title>',
    });
    expect(report.rootCause?.requirements).toEqual(
      expect.arrayContaining(['listPets.200', 'createPet.201', 'getStoreOrders.exists', 'sendMessage.2XX']),
    );
  });

  test('one login page that everything is redirected to', async () => {
    const report = await runAgainst(({ url = '' }, response) => {
      response.writeHead(302, { location: `https://sso.example.com/login?next=${encodeURIComponent(url)}` });
      response.end();
    });
    expect(report.rootCause).toMatchObject({
      kind: 'redirect',
      statement: 'every operation was redirected to https://sso.example.com/login (302)',
    });
    expect(report.rootCause?.firstLine).toBeUndefined();
    expect(report.rootCause?.requirements).toEqual(expect.arrayContaining(idsOf(report, 'violated')));
  });

  test.each<[what: string, to: (url: string) => string, where: string]>([
    [
      'each address to its own at another origin',
      (url) => `https://store.example.com${url}`,
      ' to https://store.example.com',
    ],
    ['some to one origin and some to another', (url) => `https://${url.length % 2}.example.com${url}`, ''],
  ])('redirects that lead %s', async (_what, to, where) => {
    const report = await runAgainst(({ url = '' }, response) => {
      response.writeHead(307, { location: to(url) }).end();
    });
    expect(report.rootCause).toMatchObject({
      kind: 'redirect',
      statement: `every operation was redirected${where} (307)`,
    });
  });

  test('a gateway that finds no service, and says so in one of three ways', async () => {
    let served = 0;
    const report = await runAgainst((_, response) => {
      served += 1;
      page(response, 502 + (served % 3), '<!doctype html><title>Nobody is there</title>');
    });
    expect(report.rootCause).toMatchObject({
      kind: 'status',
      statement: 'every operation returned 502, 503 or 504 text/html',
    });
  });

  test('a page with 200, as of an application for browsers, which refuses other methods', async () => {
    const report = await runAgainst(({ method }, response) =>
      page(response, method === 'GET' ? 200 : 403, '<!doctype html>\n<title>Welcome</title>'),
    );
    expect(report.rootCause).toMatchObject({
      kind: 'page',
      statement: 'every operation returned an HTML page (200 or 403)',
      firstLine: '<title>Welcome</title>',
    });
    expect(report.rootCause?.requirements).toEqual(expect.arrayContaining(idsOf(report, 'violated')));
  });

  test('nothing in time', async () => {
    const report = await runAgainst(() => undefined, { timeout: 50 });
    expect(report.rootCause).toMatchObject({
      kind: 'transport',
      statement: expect.stringMatching(/^every operation in this run timed out: .* nothing came$/),
      requirements: expect.arrayContaining(['service.http']),
    });
  });

  test('the same headers that are absent, which explains nothing else', async () => {
    const animal = { id: 1, name: 'Rex', categoryId: 1, status: 'available' };
    const report = await runAgainst(({ method, url }, response) =>
      json(
        response,
        method === 'GET' ? 200 : 201,
        url?.endsWith('/pets') && method === 'GET' ? [animal] : animal,
      ),
    );
    expect(report.rootCause).toMatchObject({
      kind: 'headers',
      statement:
        'every operation responds without X-RateLimit-Limit, X-RateLimit-Remaining and X-RateLimit-Reset',
    });
    const explained = idsOf(report, 'violated').filter((id) => report.rootCause?.requirements.includes(id));
    expect(explained).toEqual(['X-RateLimit-Limit']);
    expect(idsOf(report, 'violated').length).toBeGreaterThan(3);
    const caused = report.requirements
      .filter(({ cause }) => cause === 'X-RateLimit-Limit')
      .map(({ id }) => id);
    expect(caused.length).toBeGreaterThan(0);
    expect(report.rootCause?.requirements).toEqual(expect.arrayContaining(caused));
  });
});

describe('what does not count against it', () => {
  test('wrong keys that are refused as they should be, and refusals by the limit', async () => {
    let asked = 0;
    // What the refusals ask to wait for is over at once.
    const clock = new VirtualClock(Date.now());
    const answer: RequestListener = ({ headers }, response) => {
      asked += 1;
      if (headers.authorization !== `Bearer ${KEY}`)
        return json(response, 401, { code: 'unauthorized', message: 'no', status: 401 });
      if (asked % 7 !== 0) return json(response, 502, { code: 'down', message: 'no', status: 502 });
      response.setHeader('Retry-After', '0');
      return json(response, 429, { code: 'limited', message: 'no', status: 429 });
    };
    const report = await runAgainst(answer, { clock });
    expect(report.rootCause).toMatchObject({
      kind: 'status',
      statement: 'every operation returned 502 application/json',
      firstLine: '{"code":"down","message":"no","status":502}',
    });
  });

  test('a message address at which all is well', async () => {
    const clock = new VirtualClock(Date.now());
    const reference = await startReference({ clock, apiKey: KEY });
    onTestFinished(() => reference.close());
    const report = await runAgainst((_, response) => page(response, 503, MAINTENANCE), {
      apiUrl: reference.apiUrl,
    });
    expect(report.rootCause?.statement).toBe('every operation at the base address returned 503 text/html');
    expect(shownOf(report)).toEqual(OPERATIONS.filter((each) => each !== 'sendMessage'));
    expect(idsOf(report, 'met')).toContain('sendMessage.2XX');
  });

  test('operations that nobody asked', async () => {
    const report = await runAgainst((_, response) => page(response, 503, MAINTENANCE), {
      only: ['listPets.200', 'getStoreOrders.responses'],
    });
    expect(report.rootCause?.statement).toBe('every operation in this run returned 503 text/html');
  });
});

describe('no root cause', () => {
  const service =
    (special: (path: string, method: string) => [number, string] | undefined): RequestListener =>
    ({ url = '', method = '' }, response) => {
      const [status, type] = special(url, method) ?? [200, 'application/json'];
      response.writeHead(status, { ...LIMIT, 'content-type': type });
      response.end(type === 'text/html' ? MAINTENANCE : '[]');
    };

  test.each<[what: string, answer: RequestListener]>([
    [
      'one operation alone answers',
      service((path) => (path.endsWith('orders') ? undefined : [503, 'text/html'])),
    ],
    [
      'one operation alone fails',
      service((path) => (path.endsWith('orders') ? [503, 'text/html'] : undefined)),
    ],
    [
      'operations fail each in its own way',
      service((path) => (path.includes('pets') ? [500, 'application/json'] : [400, 'application/json'])),
    ],
    ['JSON is declared as a page', service(() => [200, 'text/html; charset=json'])],
  ])('where %s', async (_, answer) => {
    const report = await runAgainst(answer);
    expect(report.rootCause).toBeUndefined();
    expect(report.verdict).toBe('non-conformant');
  });

  test('where the key is refused, which is another matter', async () => {
    const report = await runAgainst((_, response) =>
      json(response, 401, { code: 'unauthorized', message: 'no', status: 401 }),
    );
    expect(report.stopped?.kind).toBe('key-refused');
    expect(report.rootCause).toBeUndefined();
  });

  test('where one operation lacks the headers', async () => {
    const report = await runAgainst(({ url = '' }, response) => {
      if (!url.endsWith('orders'))
        for (const [name, value] of Object.entries(LIMIT)) response.setHeader(name, value);
      json(response, 200, []);
    });
    expect(idsOf(report, 'violated')).toContain('X-RateLimit-Limit');
    expect(report.rootCause).toBeUndefined();
  });
});

test('a page that refuses the key everywhere is one, though the run stops there', async () => {
  const report = await runAgainst((_, response) => page(response, 401, '<h1>Authorization Required</h1>'));
  expect(report.stopped?.kind).toBe('key-refused');
  expect(report.rootCause).toMatchObject({ kind: 'page', firstLine: '<h1>Authorization Required</h1>' });
});

test('a first line is bounded', async () => {
  const report = await runAgainst((_, response) => page(response, 503, `<p>${'x'.repeat(50_000)}`));
  expect(report.rootCause?.firstLine?.length).toBeLessThan(300);
});
