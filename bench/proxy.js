// What petspec proxy adds at 300 requests a second: the 95th percentile of latency, and CPU, beside a bare proxy of the same two
// libraries. Usage: node bench/proxy.js [seconds]. Linux only, as it reads CPU times from /proc.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { Agent } from 'undici';

const RATE = 300;
const SECONDS = Number(process.argv[2] ?? 15);
/** Seconds: the thread that judges has compiled its code by then. */
const WARM_UP = 15;
const PETSPEC = join(import.meta.dirname, '..', 'bin', 'petspec.js');
const out = mkdtempSync(join(tmpdir(), 'petspec-bench-'));

/** A service whose lists of 20 animals conform. */
const SERVICE = `
  import { createServer } from 'node:http';
  const animals = Array.from({ length: 20 }, (_, id) => ({ id: id + 1, name: 'Rex ' + id, categoryId: 7, status: 'available' }));
  const body = JSON.stringify(animals);
  let remaining = 1e9;
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, {
      'Content-Type': 'application/json',
      'Content-Length': body.length,
      'X-RateLimit-Limit': '1000000000',
      'X-RateLimit-Remaining': String(remaining--),
      'X-RateLimit-Reset': String(Math.ceil(Date.now() / 60000) * 60),
    });
    response.end(body);
  });
  server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port + '/v1'));`;

/** The least that passes requests on with the two libraries: all headers, both bodies as streams. */
const BARE = `
  import { createServer } from 'node:http';
  import { pipeline } from 'node:stream';
  import { Pool } from ${JSON.stringify(import.meta.resolve('undici'))};
  const target = new URL(process.argv[1]);
  const pool = new Pool(target.origin);
  const server = createServer(async (request, response) => {
    const { method, url: path, rawHeaders } = request;
    const headers = rawHeaders.filter((_, at) => !/^(host|connection)$/i.test(rawHeaders[at - (at % 2)]));
    const hasBody = request.headers['content-length'] ?? request.headers['transfer-encoding'];
    const reply = await pool.request({ method, path, headers, body: hasBody ? request : null, responseHeaders: 'raw' });
    response.sendDate = false;
    response.writeHead(reply.statusCode, reply.headers.map(String));
    pipeline(reply.body, response, () => {});
  });
  server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port + target.pathname));`;

/** Starts a program, and waits for the first address that it prints. */
function started(args) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    child.once('exit', (status) => reject(new Error(`${args.join(' ').slice(0, 80)} ended with ${status}`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [url] = /http:\S+/.exec(line) ?? [];
      if (url) resolve({ child, url });
    });
  });
}

/** Seconds of CPU that a process has taken, all threads counted. */
function cpuOf({ pid }) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

const megabytesOf = ({ pid }) =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** Sends requests at the rate. Returns how long each took, in ms. */
async function load(base, seconds) {
  const { origin, pathname } = new URL(base);
  const agent = new Agent({ connections: 64 });
  const headers = { accept: 'application/json', authorization: 'Bearer a-key-for-the-bench-1' };
  const taken = [];
  const open = [];
  const begun = performance.now();
  for (let sent = 0; sent < seconds * RATE; ) {
    for (; sent < ((performance.now() - begun) / 1000) * RATE && sent < seconds * RATE; sent += 1) {
      const from = performance.now();
      const path = `${pathname}/pets${sent % 3 === 0 ? '?limit=20' : ''}`;
      const asked = agent.request({ origin, path, method: 'GET', headers });
      open.push(asked.then(({ body }) => body.dump()).then(() => taken.push(performance.now() - from)));
    }
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await Promise.all(open);
  await agent.close();
  return taken.sort((one, other) => one - other);
}

const service = await started(['--input-type=module', '-e', SERVICE]);
const bare = await started(['--input-type=module', '-e', BARE, service.url]);
const own = await started([PETSPEC, 'proxy', service.url, '--port', '0', '--page-port', '0', '--out', out]);
try {
  const measured = [];
  for (const [name, { url, child }] of Object.entries({
    'the service itself': service,
    'a bare proxy': bare,
    'petspec proxy': own,
  })) {
    await load(url, WARM_UP);
    const before = cpuOf(child);
    const taken = await load(url, SECONDS);
    const p95 = taken[Math.floor(taken.length * 0.95)];
    measured.push({ name, p95, cpu: (cpuOf(child) - before) / SECONDS, megabytes: megabytesOf(child) });
  }
  const [direct, least, most] = measured;
  for (const { name, p95, cpu, megabytes } of measured) {
    const added = name === direct.name ? '' : `, ${(p95 - direct.p95).toFixed(2)} ms added`;
    process.stdout.write(
      `${name.padEnd(20)} p95 ${p95.toFixed(2)} ms${added}; ${(100 * cpu).toFixed(1)} % of a core; ${megabytes.toFixed(0)} MB\n`,
    );
  }
  const latency = (most.p95 - direct.p95) / (least.p95 - direct.p95);
  process.stdout.write(
    `petspec proxy at ${RATE} requests a second: ${latency.toFixed(2)} times the added latency, ${(most.cpu / least.cpu).toFixed(2)} times the CPU of a bare proxy (aim 1.3)\n`,
  );
} finally {
  for (const { child } of [own, bare, service]) {
    child.removeAllListeners('exit');
    child.kill('SIGKILL');
  }
  rmSync(out, { recursive: true });
}
