import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { collectGarbage } from '../../test/command-line/collect-garbage.ts';
import { clientFinding } from '../../test/exchanges/client-requests.ts';
import { contract } from '../../test/reports/sample-runs.ts';
import { realClock } from '../model/clock.ts';
import type { Change } from '../reference/index.ts';
import { functionClient } from './clients.ts';
import { runClient, type Service, statedScenario } from './run-client.ts';

const plain = statedScenario('--scenario', 'plain');
const endless = () => new Promise(() => {});

/** Sends one list after another over these connections, without a pause, until nothing answers. */
const hammering = (connections: number) => async (service: Service) => {
  const { host, hostname, port, pathname } = new URL(`${service.baseUrl}/pets`);
  const lines = [
    `GET ${pathname}?limit=1 HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: Bearer ${service.apiKey}`,
  ];
  const request = `${lines.join('\r\n')}\r\n\r\n`;
  for (let count = 0; count < connections; count += 1) {
    const socket = connect(Number(port), hostname);
    // The end of a list or of an error.
    socket.on('data', (bytes) => /[\]}]\s*$/.test(bytes.toString()) && socket.write(request));
    socket.on('error', () => {});
    socket.write(request);
  }
  await endless();
};

async function endsOf(use: () => unknown, options: { timeout: number; signal: AbortSignal }) {
  const scenarios = [plain, statedScenario('--scenario', 'large-ids')];
  const traffic = await runClient(contract, functionClient(use), { scenarios, ...options });
  return traffic.scenarios.map(({ end }) => end);
}

test('a client that does not end is ended after the time limit, though garbage is collected before', async () => {
  const collecting = () => {
    setImmediate(collectGarbage);
    return endless();
  };
  const ends = await endsOf(collecting, { timeout: 100, signal: new AbortController().signal });
  expect(ends).toEqual(Array(2).fill({ kind: 'stopped', words: 'it was ended after the time limit' }));
});

test('a time limit of months is not over at once', async () => {
  const ends = await endsOf(() => new Promise((resolve) => setTimeout(resolve, 20)), {
    timeout: 100 * 86_400_000,
    signal: new AbortController().signal,
  });
  expect(ends).toEqual(Array(2).fill({ kind: 'ended', words: 'it returned' }));
});

test('a client is ended with the run, and not run again', async () => {
  const interruption = new AbortController();
  const interrupting = () => {
    setImmediate(() => interruption.abort());
    return endless();
  };
  const ends = await endsOf(interrupting, { timeout: 60_000, signal: interruption.signal });
  expect(ends).toEqual([{ kind: 'stopped', words: 'it was ended with the run' }]);
});

/** What a client sends that adds an animal with this body. */
async function adding(body: string | Buffer<ArrayBuffer>, more: Record<string, string> = {}) {
  const { scenarios } = await runClient(
    contract,
    functionClient(async ({ baseUrl, apiKey }) => {
      const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...more };
      await fetch(`${baseUrl}/pets`, { method: 'POST', headers, body });
    }),
    { scenarios: [plain], timeout: 60_000 },
  );
  return scenarios;
}

test.each<[string, string | Buffer<ArrayBuffer>, Record<string, string>]>([
  ['in the content coding gzip', gzipSync('{"name":"Rex","categoryId":1}'), { 'content-encoding': 'gzip' }],
  ['longer than 1 MiB', `{"name":"${'x'.repeat(1_200_000)}","categoryId":1}`, {}],
])('a body %s is not judged, and the findings say so', async (why, body, headers) => {
  const scenarios = await adding(body, headers);
  expect(scenarios[0]?.requests).toMatchObject([{ classified: { problems: [] }, unreadBody: why }]);
  expect(clientFinding('createPet.body', scenarios)).toMatchObject({ status: 'not-tested' });
  expect(clientFinding('open.body', scenarios)).toMatchObject({
    observed: `not judged: 1 body ${why}`,
    evidence: [1],
  });
});

test('bodies after the first 64 MiB of a scenario are not judged', async () => {
  const body = `{"name":"Rex","categoryId":"7"}${' '.repeat(990_000)}`;
  const { scenarios } = await runClient(
    contract,
    functionClient(async ({ baseUrl }) => {
      const headers = { 'content-type': 'application/json' };
      for (let index = 0; index < 70; index += 1)
        await (await fetch(`${baseUrl}/pets`, { method: 'POST', headers, body })).text();
    }),
    { scenarios: [plain], timeout: 60_000 },
  );
  const requests = scenarios[0]?.requests ?? [];
  const unread = requests.map(({ unreadBody }) => unreadBody);
  expect(unread.indexOf('after the first 64 MiB of a scenario')).toBe(67);
  expect(unread.slice(0, 67).every((each) => each === undefined)).toBe(true);
  expect(requests.at(-1)).toMatchObject({
    classified: { problems: [] },
    exchange: { key: 'absent', response: { status: 401, body: '' } },
  });
  expect(requests.at(-1)?.exchange.requestBody).toBeUndefined();
}, 120_000);

test('a body that is not UTF-8 is not JSON, as the reference says', async () => {
  const scenarios = await adding(Buffer.from('{"name":"Ren\xe9","categoryId":1}', 'latin1'));
  expect(scenarios[0]?.requests).toMatchObject([{ exchange: { response: { status: 400 } } }]);
  expect(clientFinding('createPet.body', scenarios)).toMatchObject({
    status: 'violated',
    kind: 'json',
    reason: 'the body is not JSON: not UTF-8 (scenario plain)',
  });
  const valid = await adding('{"name":"Ren\u00e9","categoryId":1}');
  expect(clientFinding('createPet.body', valid)).toMatchObject({ status: 'met' });
});

test('a response that the client did not wait for does not count as received', async () => {
  // Each is given up when it has arrived, and before its response is sent.
  const givenUp: AbortController[] = [];
  const slowly: Change = {
    wire: async (answer, _call, _line, next) => {
      givenUp.shift()?.abort();
      await new Promise((resolve) => setTimeout(resolve, 300));
      await next(answer);
    },
  };
  const scenario = { ...plain, id: 'slow', changes: () => [slowly] };
  const { scenarios } = await runClient(
    contract,
    functionClient(async ({ baseUrl, apiKey }) => {
      const headers = { authorization: `Bearer ${apiKey}` };
      const list = (signal?: AbortSignal) =>
        fetch(`${baseUrl}/pets`, signal ? { headers, signal } : { headers });
      const giveUp = () => {
        const controller = new AbortController();
        givenUp.push(controller);
        return list(controller.signal).catch(() => undefined);
      };
      await giveUp();
      await (await list()).text();
      await giveUp();
    }),
    { scenarios: [scenario], timeout: 60_000 },
  );
  const statuses = scenarios[0]?.requests.map(({ exchange }) => exchange.response?.status);
  expect(statuses).toEqual([undefined, 200, undefined]);
});

test('what a response says again of the key is not kept', async () => {
  let key = '';
  const { scenarios } = await runClient(
    contract,
    functionClient(async ({ baseUrl, apiKey }) => {
      key = apiKey;
      const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
      await fetch(`${baseUrl}/pets`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ name: apiKey, categoryId: 1 }),
      });
      await fetch(`${baseUrl}/pets?api_key=${apiKey}`, { headers, redirect: 'manual' });
    }),
    { scenarios: [plain, statedScenario('--scenario', 'redirect')], timeout: 60_000 },
  );
  expect(scenarios.flatMap(({ requests }) => requests)).toHaveLength(4);
  expect(
    JSON.stringify(scenarios.map(({ requests }) => requests.map(({ exchange }) => exchange))),
  ).not.toContain(key);
});

/** What is kept of one request for the list with these headers. */
async function keptOf(more: (apiKey: string) => Record<string, string>, query = '') {
  const { scenarios } = await runClient(
    contract,
    functionClient(({ baseUrl, apiKey }) => fetch(`${baseUrl}/pets${query}`, { headers: more(apiKey) })),
    { scenarios: [plain], timeout: 60_000 },
  );
  const [request] = scenarios[0]?.requests ?? [];
  if (!request) throw new Error('nothing arrived');
  return { scenarios, request, headers: Object.fromEntries(request.exchange.requestHeaders) };
}

test("a client's own secrets are not kept, in headers or elsewhere", async () => {
  const secrets = { authorization: 'Bearer sk_live_REALPRODKEY_99', cookie: 'sid=REALCOOKIE123' };
  const query = '?limit=sk_live_REALPRODKEY_99&name=REALCOOKIE123&api_key=REALPARAMETER';
  const { scenarios, request, headers } = await keptOf(() => secrets, query);
  const findings = ['key.form', 'listPets.limit'].map((id) => clientFinding(id, scenarios));
  expect(JSON.stringify([request.exchange, request.classified.problems, findings])).not.toContain('REAL');
  expect(headers).toMatchObject({ authorization: 'Bearer [hidden]', cookie: '[hidden]' });
  expect(findings).toMatchObject([{ status: 'violated' }, { status: 'violated' }]);
});

test.each([
  [
    'JSON',
    '{"name":"Rex","categoryId":"REAL-password-1","login":{"password":"REAL-password-1"},"apiToken":"REAL-token-2"}',
    'NewPet.categoryId',
  ],
  ['a form', 'name=REAL-token-2&password=REAL-password-1&apiToken=REAL-token-2', 'createPet.body'],
])(
  'secrets in a body that a client sends are not kept, there or elsewhere: %s',
  async (_what, body, violated) => {
    const scenarios = await adding(body, { 'x-note': 'REAL-password-1' });
    const finding = clientFinding(violated, scenarios);
    expect(finding).toMatchObject({ status: 'violated' });
    const [request] = scenarios[0]?.requests ?? [];
    expect(request?.exchange.requestBody).toMatch(/password/);
    expect(JSON.stringify([request?.exchange, request?.classified.problems, finding])).not.toContain('REAL');
  },
);

test('the given key is told from others in a body, too', async () => {
  const { scenarios } = await runClient(
    contract,
    functionClient(async ({ baseUrl, apiKey }) => {
      const body = JSON.stringify({ name: 'Rex', categoryId: 1, token: apiKey });
      await fetch(`${baseUrl}/pets`, { method: 'POST', body });
    }),
    { scenarios: [plain], timeout: 60_000 },
  );
  const [request] = scenarios[0]?.requests ?? [];
  expect(request?.exchange.requestBody).toBe('{"name":"Rex","categoryId":1,"token":"[key]"}');
});

test("each secret of the client's own is told", async () => {
  const secrets = new Set<string>();
  await runClient(
    contract,
    functionClient(async ({ baseUrl, apiKey }) => {
      const headers = {
        authorization: 'Basic YWRtaW46UmVhbDEyMw==',
        'x-api-key': 'REAL-key-3',
        'x-own-token': apiKey,
      };
      const body = '{"password":"REAL-password-1"}';
      await fetch(`${baseUrl}/pets?access_token=REAL-token-2`, { method: 'POST', headers, body });
    }),
    { scenarios: [plain], timeout: 60_000, onSecret: (each) => secrets.add(each) },
  );
  expect([...secrets]).toEqual(
    expect.arrayContaining(['admin:Real123', 'Real123', 'REAL-key-3', 'REAL-password-1', 'REAL-token-2']),
  );
  expect([...secrets].filter((each) => each.includes('petspec-'))).toEqual([]);
});

test.each([
  ['the given one', (key: string) => `Bearer ${key}`, 'Bearer [key]', 'valid'],
  ['the given one alone', (key: string) => key, '[key]', 'bare'],
  ['another one alone', () => 'sk_live_REAL', '[hidden]', 'scheme'],
  ['empty', () => 'Bearer', 'Bearer', 'empty'],
  ['of another scheme', () => 'Basic YWxpY2U6UmVhbDEyMw==', 'Basic [hidden]', 'scheme'],
])('what is kept of a key still tells what it is: %s', async (_what, authorization, shown, kind) => {
  const { request, headers } = await keptOf((key) => ({ authorization: authorization(key) }));
  expect([headers.authorization, request.exchange.key]).toEqual([shown, kind]);
});

test('a target that is no URL, at another origin, is recorded like any other', async () => {
  const { scenarios } = await runClient(
    contract,
    functionClient(async ({ baseUrl, apiKey }) => {
      const headers = { authorization: `Bearer ${apiKey}` };
      const response = await fetch(`${baseUrl}/pets`, { headers, redirect: 'manual' });
      const { port } = new URL(response.headers.get('location') ?? '');
      const socket = connect(Number(port), '127.0.0.1').resume();
      socket.write('GET http://[ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      await once(socket, 'close');
    }),
    { scenarios: [statedScenario('--scenario', 'redirect')], timeout: 60_000 },
  );
  expect(scenarios[0]?.requests).toMatchObject([{ isForeign: false }, { isForeign: true }]);
});

test('a client that never pauses, on eight connections, is ended, and is judged', async () => {
  const { scenarios } = await runClient(contract, functionClient(hammering(8)), {
    scenarios: [plain],
    timeout: 60_000,
  });
  expect(scenarios).toMatchObject([
    { end: { kind: 'stopped', words: 'it was ended after 5000 requests' }, requests: { length: 5_000 } },
  ]);
  // In this process the reference answers each request before it reads the next one.
  const inFlight = scenarios.flatMap(({ requests }) => requests.map(({ exchange }) => exchange.inFlight));
  expect(inFlight.filter((each) => each !== 1)).toEqual([]);
  expect(clientFinding('retry-after', scenarios)).toMatchObject({ status: 'violated', kind: 'sequence' });
  expect(clientFinding('retry', scenarios)).toMatchObject({ status: 'not-tested', untested: 'blocked' });
});

test.each([-3_600_000, 8_000, 3_600_000])(
  'a clock that is set by %d ms between two requests changes no time of them',
  async (step) => {
    let offset = 0;
    const clock = { ...realClock, now: () => realClock.now() + offset };
    const use = async ({ baseUrl, apiKey }: Service) => {
      const list = () => fetch(`${baseUrl}/pets?limit=1`, { headers: { authorization: `Bearer ${apiKey}` } });
      await list();
      offset = step;
      await list();
    };
    const begun = performance.now();
    const traffic = await runClient(contract, functionClient(use), {
      scenarios: [plain],
      timeout: 60_000,
      clock,
    });
    const took = performance.now() - begun;
    const [first, second] = traffic.scenarios.flatMap(({ requests }) =>
      requests.map(({ exchange }) => exchange),
    );
    const apart = (second?.sentAt ?? Number.NaN) - (first?.receivedAt ?? Number.NaN);
    expect(apart).toBeGreaterThanOrEqual(0);
    expect(apart).toBeLessThanOrEqual(took);
  },
);

test('a request that petspec cannot judge because of a bug is counted, and the others are judged', async () => {
  const bug = new TypeError('Invalid URL');
  const use = async ({ baseUrl, apiKey }: Service) => {
    for (const cookie of [{}, { cookie: 'session=0123456789abcdef' }, {}])
      await fetch(`${baseUrl}/pets`, { headers: { authorization: `Bearer ${apiKey}`, ...cookie } });
  };
  const traffic = await runClient(contract, functionClient(use), {
    scenarios: [plain],
    timeout: 60_000,
    onSecret() {
      throw bug;
    },
  });
  expect(traffic.scenarios).toMatchObject([{ requests: [{}, {}], unjudged: { count: 1, bug } }]);
});
