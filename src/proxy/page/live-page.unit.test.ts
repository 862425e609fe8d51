import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { contract } from '../../../test/reports/sample-runs.ts';
import { countCoverage } from '../../traffic/coverage/coverage.ts';
import { type LiveServer, serveLive } from './live-page.ts';

let server: LiveServer | undefined;
afterEach(() => server?.close());

const live = {
  target: 'https://api.example.com/v1',
  proxy: 'http://127.0.0.1:8090/v1',
  startedAt: 0,
  state: { requests: 0, judged: 0, omissions: {}, statuses: {} },
  coverage: countCoverage(contract).result(),
  newFindings: [],
  ways: 0,
};

/** The head of a response, whose body is not waited for. */
async function headOf(origin: string, method: string, path: string): Promise<IncomingMessage> {
  const asked = request(origin + path, { method, agent: false }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return response;
}

test('HEAD gets the headers of what is followed, ends, and takes up no place of a page', async () => {
  server = await serveLive({ host: '127.0.0.1', port: 0 }, live);
  for (let count = 0; count < 60; count += 1) {
    const response = await headOf(server.origin, 'HEAD', '/events');
    expect(response).toMatchObject({ statusCode: 200, headers: { 'content-type': 'text/event-stream' } });
    await once(response.resume(), 'end');
  }
  const followed = await headOf(server.origin, 'GET', '/events');
  expect(followed.statusCode).toBe(200);
  expect(String((await once(followed, 'data'))[0])).toMatch(/^retry: 2000\n\nevent: parts\ndata: \{/);
  followed.destroy();
});

test('a page is told what changed since it was opened, also if an earlier page showed the same', async () => {
  server = await serveLive({ host: '127.0.0.1', port: 0 }, live);
  const { origin, tell } = server;
  const partsOf = async (page: IncomingMessage) => String((await once(page, 'data'))[0]);
  const first = await headOf(origin, 'GET', '/events');
  await partsOf(first);
  tell({ ...live, ways: 1 });
  await partsOf(first);
  first.destroy();
  // Until the server has noticed that nobody looks.
  for (let count = 0; count < 5; count += 1) await headOf(origin, 'HEAD', '/');
  tell({ ...live, ways: 2 });
  const second = await headOf(origin, 'GET', '/events');
  expect(await partsOf(second)).toContain('<dd>2</dd>');
  tell({ ...live, ways: 1 });
  expect(await partsOf(second)).toContain('<dd>1</dd>');
  second.destroy();
});

test('the page says when exchanges were last judged together, and that they were not yet', async () => {
  server = await serveLive({ host: '127.0.0.1', port: 0 }, live);
  const { origin, tell } = server;
  const text = async () => (await fetch(origin)).text();
  expect(await text()).toContain('<dt>Last judged together</dt><dd>not yet</dd>');
  tell({ ...live, state: { ...live.state, lookedAt: Date.UTC(2026, 10, 21, 12, 3, 10) } });
  expect(await text()).toContain('<dt>Last judged together</dt><dd>12:03:10</dd>');
});
