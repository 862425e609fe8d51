import { Agent, get } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { clientFinding } from '../../test/client-requests.ts';
import { collectGarbage } from '../../test/collect-garbage.ts';
import { contract } from '../../test/sample-runs.ts';
import { functionClient } from './function.ts';
import { runClient, type Service } from './run-client.ts';
import { statedScenario } from './stated-scenario.ts';

const plain = statedScenario('--scenario', 'plain');
const endless = () => new Promise(() => {});

/** Sends one list after another over these connections, without a pause, until nothing answers. */
const hammering = (connections: number) => async (service: Service) => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const headers = { authorization: `Bearer ${service.apiKey}` };
  const list = () =>
    new Promise<void>((resolve, reject) => {
      const request = get(`${service.baseUrl}/pets?limit=1`, { agent, headers }, (response) =>
        response.resume().once('end', resolve),
      );
      request.once('error', reject);
    });
  const oneByOne = async () => {
    for (;;) await list();
  };
  await Promise.all(Array.from({ length: connections }, oneByOne));
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

test('a body with a content coding is not read', async () => {
  const body = gzipSync('{"name":"Rex","categoryId":1}');
  const { scenarios } = await runClient(
    contract,
    functionClient(async ({ baseUrl, apiKey }) => {
      const headers = {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        'content-encoding': 'gzip',
      };
      await fetch(`${baseUrl}/pets`, { method: 'POST', headers, body });
    }),
    { scenarios: [plain], timeout: 60_000 },
  );
  expect(scenarios[0]?.requests).toMatchObject([{ classified: { problems: [] } }]);
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

test.each([1, 8])(
  'a client that never pauses (connections: %i) is ended, and is judged',
  async (connections) => {
    const { scenarios } = await runClient(contract, functionClient(hammering(connections)), {
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
  },
);
