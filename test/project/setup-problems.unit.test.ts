import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { run, startReference, VirtualClock } from '../../src/index.ts';
import { answering } from '../../src/reference/changes/changes.ts';
import { errorAnswer } from '../../src/reference/http/answer.ts';
import { conductBundled } from '../../src/run/bundled.ts';
import { DEFAULT_OPTIONS } from '../../src/run/options.ts';
import { makePlan } from '../../src/run/plan.ts';
import { classify } from '../../src/session/http/failures.ts';
import { allChecks } from '../../suites/index.ts';

const KEY = 'a-key-for-nothing';
const open: { server: Server; sockets: Socket[] }[] = [];

afterEach(() => {
  for (const { server, sockets } of open.splice(0)) {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
});

/** A port that takes connections and says nothing. */
async function silentPort(): Promise<number> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket));
  open.push({ server, sockets });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

test('a connection that is never made ends with --timeout, and is not held against the target', async () => {
  const port = await silentPort();
  const { verdict, because, summary } = await run({
    baseUrl: `https://127.0.0.1:${port}/v1`,
    apiKey: KEY,
    timeout: 200,
  });
  expect(verdict).toBe('incomplete');
  expect(because).toContain('no connection could be made within 200 ms');
  expect(summary.violated).toBe(0);
});

test('a service that takes connections and says nothing is asked twice at the most for each operation', async () => {
  const port = await silentPort();
  const report = await run({
    baseUrl: `http://127.0.0.1:${port}/v1`,
    apiKey: KEY,
    timeout: 100,
    concurrency: 1,
  });
  expect(report.verdict).toBe('non-conformant');
  expect(report.requirements.filter(({ status }) => status === 'violated').map(({ id }) => id)).toEqual([
    'service.http',
  ]);
  for (const operation of ['listPets', 'createPet', 'getPet', 'getStoreOrders']) {
    expect(report.exchanges.filter((each) => each.operation === operation).length).toBeLessThanOrEqual(2);
  }
});

test('of two addresses the one that cannot be reached is named', async () => {
  const clock = new VirtualClock(Date.now());
  const reference = await startReference({ clock, apiKey: KEY });
  const { baseUrl } = reference;
  const settings = { baseUrl, apiUrl: 'http://127.0.0.1:9', apiKey: KEY, clock };
  const { verdict, because } = await run({ ...settings, exhaust: 'none' });
  await reference.close();
  expect(verdict).toBe('incomplete');
  expect(because).toContain('http://127.0.0.1:9 (--api-url) cannot be reached: the connection was refused');
});

test('a key that occurs in the address is no reason to stumble', async () => {
  const { verdict } = await run({ baseUrl: 'http://localhost:1/v1', apiKey: 'localhost', timeout: 500 });
  expect(verdict).toBe('incomplete');
});

test('a key in the path of an address is refused before anything is sent', async () => {
  const settings = { baseUrl: 'http://localhost:1/Key-2026/v1', apiKey: 'key-2026' };
  await expect(run(settings)).rejects.toThrow('baseUrl: the address contains the API key');
});

test.each([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'CERT_HAS_EXPIRED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'ERR_SSL_WRONG_VERSION_NUMBER',
])('%s is a TLS failure', (code) => {
  expect(classify(Object.assign(new Error('no'), { code })).kind).toBe('tls');
});

test('nothing is sent with the key while any address has closed its window', async () => {
  const contract = loadContract();
  const options = { ...DEFAULT_OPTIONS, maxWait: 3 };
  const refused = errorAnswer(429, 'too_many', 'come back in an hour');
  const hour = answering({ operation: 'sendMessage', key: 'valid' }, () => ({
    ...refused,
    headers: [...refused.headers, ['Retry-After', '3600']],
  }));
  const { exchanges } = await conductBundled(
    contract,
    makePlan(contract, allChecks(contract), options),
    options,
    { changes: [hour] },
  );
  const closing = exchanges.find(({ response }) => response?.status === 429);
  expect(closing?.operation).toBe('sendMessage');
  const after = exchanges.filter(
    ({ sentAt, key }) => key === 'valid' && sentAt >= (closing?.receivedAt ?? 0),
  );
  expect(after.map(({ probe }) => probe)).toEqual([]);
});
