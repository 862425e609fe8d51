// A hundred targets judged side by side by one process: `petspec run --all` against the reference on a hundred pairs of
// ports, in a process of its own and in real time, each on the Free plan and so with one minute to wait. Prints the
// verdicts, the time, and the peak memory of the judging process. Usage: node bench/targets.js [targets]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const TARGETS = Number(process.argv[2] ?? 100);
const source = (path) => JSON.stringify(new URL(`../dist/src/${path}`, import.meta.url));

const REFERENCES = `
  import { realClock, startReference } from ${source('index.js')};
  const plan = { minute: 60, day: 1000 };
  for (let number = 0; number < ${TARGETS}; number++) {
    const { baseUrl, apiUrl } = await startReference({ clock: realClock, apiKey: 'key-' + number, plan });
    console.log(JSON.stringify({ baseUrl, apiUrl }));
  }
`;

const JUDGE = `
  import { performance } from 'node:perf_hooks';
  import { main } from ${source('cli/main.js')};
  const begun = performance.now();
  const status = await main(['node', 'petspec', 'run', '--all', '--quiet', '--out', 'reports']);
  const seconds = (performance.now() - begun) / 1000;
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const cpu = (userCPUTime + systemCPUTime) / 1e6;
  console.log(JSON.stringify({ status, seconds, cpu, megabytes: maxRSS / 1024 }));
`;

const folder = mkdtempSync(join(tmpdir(), 'petspec-bench-'));
const run = (script, env = {}) =>
  spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: folder,
    env: { ...process.env, CI: 'true', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });

const references = run(REFERENCES);
try {
  const addresses = [];
  for await (const line of createInterface({ input: references.stdout })) {
    addresses.push(JSON.parse(line));
    if (addresses.length === TARGETS) break;
  }
  const targets = addresses.map(({ baseUrl, apiUrl }, number) => [
    `target-${number}`,
    { baseUrl, apiUrl, apiKeyVariable: `KEY_${number}` },
  ]);
  // JSON is YAML.
  writeFileSync(
    join(folder, 'petspec.config.yaml'),
    JSON.stringify({ defaults: { plan: 'free' }, targets: Object.fromEntries(targets) }),
  );
  const keys = Object.fromEntries(targets.map((_, number) => [`KEY_${number}`, `key-${number}`]));
  const judge = run(JUDGE, keys);
  const lines = [];
  for await (const line of createInterface({ input: judge.stdout })) lines.push(line);
  const { status, seconds, cpu, megabytes } = JSON.parse(lines.pop());
  const verdicts = lines.map((line) => line.split(': ')[1]);
  const counts = [...new Set(verdicts)].map(
    (verdict) => `${verdicts.filter((each) => each === verdict).length} ${verdict}`,
  );
  process.stdout.write(
    `${TARGETS} targets side by side: ${counts.join(', ')}, exit status ${status}; ${seconds.toFixed(0)} s, ` +
      `of which ${cpu.toFixed(0)} s of one core; peak ${megabytes.toFixed(0)} MB\n`,
  );
} finally {
  references.kill('SIGTERM');
  await once(references, 'exit');
  rmSync(folder, { recursive: true });
}
