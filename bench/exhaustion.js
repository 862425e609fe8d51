// What petspec adds to a request: the exhaustion of a Business key against a loopback server of its own process, over a
// bare undici loop with as many connections, in the same run. Usage: node bench/exhaustion.js
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Client } from 'undici';
import { run } from '../dist/src/index.js';

const CONNECTIONS = 4;
const KEY = 'petspec-bench-key';
/** Starts a server of its own on a port, and resolves when it listens. */
async function serve(port) {
  const petspec = new URL('../bin/petspec.js', import.meta.url).pathname;
  const options = [
    '--port',
    String(port),
    '--message-port',
    String(port + 1),
    '--plan',
    'business',
    '--api-key',
    KEY,
  ];
  const child = spawn(process.execPath, [petspec, 'serve', ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) if (line.startsWith('key')) break;
  return child;
}

/** ms a request of a loop that does nothing but ask for the same page. */
async function bareLoop(port, requests) {
  const clients = Array.from({ length: CONNECTIONS }, () => new Client(`http://127.0.0.1:${port}`));
  const begun = performance.now();
  let left = requests;
  await Promise.all(
    clients.map(async (client) => {
      while (left-- > 0) {
        const { body } = await client.request({
          path: '/v1/pets?limit=1',
          method: 'GET',
          headers: { authorization: `Bearer ${KEY}` },
        });
        await body.arrayBuffer();
      }
    }),
  );
  await Promise.all(clients.map((client) => client.close()));
  return (performance.now() - begun) / requests;
}

const servers = [await serve(18437), await serve(18447)];
try {
  await bareLoop(18447, 50);
  const bare = await bareLoop(18447, 900);
  const report = await run({
    baseUrl: 'http://127.0.0.1:18437/v1',
    apiKey: KEY,
    plan: 'business',
    maxWait: 1,
    concurrency: CONNECTIONS,
    only: ['TooManyRequests'],
  });
  const used = report.exchanges.filter(({ stage }) => stage === 'exhaust');
  const count = report.requests.byPurpose.exhaust;
  const own = (used.at(-1).receivedAt - used[0].sentAt) / count;
  const figures = `${count} requests, ${own.toFixed(3)} ms each; bare undici loop ${bare.toFixed(3)} ms`;
  process.stdout.write(
    `exhaustion of a Business key: ${figures}; ratio ${(own / bare).toFixed(2)} (aim 1.3)\n`,
  );
} finally {
  for (const server of servers) {
    server.kill('SIGTERM');
    await once(server, 'exit');
  }
}
