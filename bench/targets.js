// Many targets judged side by side by one process: `petspec run --all` against the reference on a pair of ports for each,
// in a process of its own and in real time, each on the Free plan and so with one minute to wait. Prints the verdicts, the
// time, and the peak memory of the judging process. Usage: node bench/targets.js [targets...]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const source = (path) => JSON.stringify(new URL(`../dist/src/${path}`, import.meta.url));

const references = (targets) => `
  import { realClock, startReference } from ${source('index.js')};
  const plan = { minute: 60, day: 1000 };
  for (let number = 0; number < ${targets}; number++) {
    const { baseUrl, apiUrl } = await startReference({ clock: realClock, apiKey: 'the-key-of-the-target-' + number, plan });
    console.log(JSON.stringify({ baseUrl, apiUrl }));
  }
`;

const JUDGE = `
  import { performance } from 'node:perf_hooks';
  import { main } from ${source('cli/main.js')};
  const begun = performance.now();
  const status = await main(['node', 'petspec', 'run', '--all', '--quiet', '--out', 'reports']);
  const wall = (performance.now() - begun) / 1000;
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const cpu = (userCPUTime + systemCPUTime) / 1e6;
  console.log(JSON.stringify({ status, wall, cpu, megabytes: maxRSS / 1024 }));
`;

/** The lines that a script prints, until it ends or has printed so many. */
async function linesOf(child, count = Number.POSITIVE_INFINITY) {
  const lines = [];
  for await (const line of createInterface({ input: child.stdout })) if (lines.push(line) === count) break;
  return lines;
}

/** Writes the configuration. @returns the environment with the keys that it names */
function configure(folder, addresses) {
  const targets = addresses.map(({ baseUrl, apiUrl }, number) => [
    `target-${number}`,
    { baseUrl, apiUrl, apiKeyVariable: `KEY_${number}` },
  ]);
  const config = { defaults: { plan: 'free' }, targets: Object.fromEntries(targets) };
  // JSON is YAML.
  writeFileSync(join(folder, 'petspec.config.yaml'), JSON.stringify(config));
  return Object.fromEntries(targets.map((_, number) => [`KEY_${number}`, `the-key-of-the-target-${number}`]));
}

/** How many targets got each verdict, the exit status, seconds of wall and CPU, and the peak memory in MB. */
export async function judgedSideBySide(targets) {
  const folder = mkdtempSync(join(tmpdir(), 'petspec-bench-'));
  const run = (script, env = {}) =>
    spawn(process.execPath, ['--input-type=module', '-e', script], {
      cwd: folder,
      env: { ...process.env, CI: 'true', ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  const serving = run(references(targets));
  try {
    const addresses = await linesOf(serving, targets);
    const keys = configure(folder, addresses.map(JSON.parse));
    const lines = await linesOf(run(JUDGE, keys));
    const figures = JSON.parse(lines.pop());
    const verdicts = {};
    for (const line of lines) {
      const [, verdict] = line.split(': ');
      verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
    }
    return { ...figures, verdicts };
  } finally {
    serving.kill('SIGTERM');
    await once(serving, 'exit');
    rmSync(folder, { recursive: true });
  }
}

if (process.argv[1] === import.meta.filename) {
  const counts = process.argv.slice(2).map(Number);
  for (const targets of counts.length > 0 ? counts : [100]) {
    const { verdicts, status, wall, cpu, megabytes } = await judgedSideBySide(targets);
    const counted = Object.entries(verdicts).map(([verdict, count]) => `${count} ${verdict}`);
    process.stdout.write(
      `${targets} targets side by side: ${counted.join(', ')}, exit status ${status}; ${wall.toFixed(0)} s, ` +
        `of which ${cpu.toFixed(0)} s of one core; peak ${megabytes.toFixed(0)} MB\n`,
    );
  }
}
