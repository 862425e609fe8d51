// What petspec adds to a request: an exhaustion of the reference in a process of its own, over a bare undici loop with as
// many connections, in turn. Then, in virtual time, what it takes to send what shows more in place of plain reads, some of
// it one at a time, to a service that takes 100 ms for a response. Usage: node bench/exhaustion.js [requests...]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Client } from 'undici';
import { loadContract } from '../dist/src/contract/load.js';
import { realClock, run } from '../dist/src/index.js';
import { conductBundled } from '../dist/src/run/bundled.js';
import { DEFAULT_OPTIONS } from '../dist/src/run/options.js';
import { makePlan } from '../dist/src/run/plan.js';
import { allChecks } from '../dist/suites/index.js';

const CONNECTIONS = 4;
const KEY = 'petspec-bench-key';
/** Time passes this much slower for petspec, so that no window ends meanwhile. */
const SLOWED = 1_000;
const begun = performance.now();
const clock = { ...realClock, now: () => 1_800_000_000_000 + (performance.now() - begun) / SLOWED };

/** References with a limit, at a time that stands still, each for one exhaustion. */
async function serve(limit, count) {
  const script = `
    import { realClock, startReference } from '${new URL('../dist/src/index.js', import.meta.url)}';
    const clock = { ...realClock, now: () => 1_800_000_000_000 };
    for (let number = 0; number < ${count}; number++) {
      const reference = await startReference({ clock, apiKey: '${KEY}', plan: { minute: ${limit}, day: ${10 * limit} } });
      console.log(reference.baseUrl);
    }
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const addresses = [];
  for await (const line of createInterface({ input: child.stdout })) {
    addresses.push(line);
    if (addresses.length === count) break;
  }
  return { child, addresses };
}

/** ms a request of a loop that does nothing but ask for the same page. */
async function bareLoop(baseUrl, requests) {
  const { origin, pathname } = new URL(baseUrl);
  const clients = Array.from({ length: CONNECTIONS }, () => new Client(origin));
  const from = performance.now();
  let left = requests;
  await Promise.all(
    clients.map(async (client) => {
      while (left-- > 0) {
        const { body } = await client.request({
          path: `${pathname}/pets?limit=1`,
          method: 'GET',
          headers: { authorization: `Bearer ${KEY}` },
        });
        await body.arrayBuffer();
      }
    }),
  );
  await Promise.all(clients.map((client) => client.close()));
  return (performance.now() - from) / requests;
}

/** ms a request of an exhaustion. */
async function exhaustion(baseUrl, limit) {
  const report = await run({
    baseUrl,
    apiKey: KEY,
    plan: 'enterprise',
    limits: { minute: limit, day: 10 * limit },
    maxWait: 1,
    concurrency: CONNECTIONS,
    only: ['TooManyRequests'],
    clock,
  });
  const used = report.exchanges.filter(({ stage }) => stage === 'exhaust');
  if (used.at(-1)?.response?.status !== 429) throw new Error(`the limit was not used up: ${report.because}`);
  return (SLOWED * (used.at(-1).receivedAt - used[0].sentAt)) / report.requests.byPurpose.exhaust;
}

const median = (values) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];

/** ms a request of both, the medians of a few rounds. */
export async function perRequest(requests, rounds) {
  const { child, addresses } = await serve(requests, 2 * (rounds + 1));
  try {
    const [own, bare] = [[], []];
    for (let round = 0; round <= rounds; round++) {
      own.push(await exhaustion(addresses[2 * round], requests));
      bare.push(await bareLoop(addresses[2 * round + 1], requests - 50));
    }
    // The first round compiles the code.
    return { own: median(own.slice(1)), bare: median(bare.slice(1)) };
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
}

/** ms that each response of a slow service takes. */
const LATENCY = 100;

/** ms of an exhaustion of the reference with a plan, in virtual time. Without a seed every request is the same read. */
async function slowly(plan, seed) {
  const contract = loadContract();
  const options = { ...DEFAULT_OPTIONS, plan, ...(seed === undefined ? {} : { seed }) };
  const late = {
    around: async (call, next) => {
      await call.pause(LATENCY);
      return next(call);
    },
  };
  const { exchanges } = await conductBundled(
    contract,
    makePlan(contract, allChecks(contract), options),
    options,
    { changes: [late], start: Date.UTC(2026, 10, 21, 12, 0, 20), connections: 'memory' },
  );
  const used = exchanges.filter(({ stage }) => stage === 'exhaust' || stage === 'surplus');
  return used.at(-1).receivedAt - used[0].sentAt;
}

if (process.argv[1] === import.meta.filename) {
  const counts = process.argv.slice(2).map(Number);
  for (const requests of counts.length > 0 ? counts : [1_000]) {
    const { own, bare } = await perRequest(requests, requests > 10_000 ? 1 : 5);
    const figures = `${own.toFixed(3)} ms each; bare undici loop ${bare.toFixed(3)} ms`;
    process.stdout.write(
      `exhaustion of ${requests} requests: ${figures}; ratio ${(own / bare).toFixed(2)} (aim 1.2)\n`,
    );
  }
  for (const plan of ['free', 'pro', 'business']) {
    const [varied, plain] = [await slowly(plan), await slowly(plan, 'none')];
    process.stdout.write(
      `exhaustion on ${plan} at ${LATENCY} ms: ${varied} ms; plain reads ${plain} ms; ratio ${(varied / plain).toFixed(2)} (aim 1.2)\n`,
    );
  }
}
