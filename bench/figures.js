// Measures command lines: the seconds of wall and of CPU that a process of each takes.
import { spawnSync } from 'node:child_process';
import { performance } from 'node:perf_hooks';

/** Writes the CPU time of the process, all threads counted, and its peak memory to descriptor 3 when it ends. */
const METER = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from 'node:fs';
  import { isMainThread } from 'node:worker_threads';
  if (isMainThread) process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    writeSync(3, JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1e6, megabytes: maxRSS / 1024 }));
  });
`)}`;

/**
 * Seconds of wall and CPU, and the peak memory in MB, of one run of a command line.
 * @param args the arguments of node
 */
export function once(args, expected = 0) {
  const begun = performance.now();
  const { status, stderr, output } = spawnSync(process.execPath, ['--import', METER, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  const wall = (performance.now() - begun) / 1000;
  if (status !== expected) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return { wall, ...JSON.parse(output[3]) };
}

const median = (values) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];

/**
 * The medians of a few runs of each command line: seconds of wall and CPU, and the peak memory in MB. They take turns, so
 * that other work on the machine slows all alike.
 * @param commands by name: the arguments of node, and the exit status if it is not 0
 */
export function measured(commands, times = 5) {
  const taken = Object.fromEntries(Object.keys(commands).map((name) => [name, []]));
  for (let round = 0; round < times; round++)
    for (const [name, { args, status = 0 }] of Object.entries(commands)) taken[name].push(once(args, status));
  return Object.fromEntries(
    Object.entries(taken).map(([name, all]) => [
      name,
      Object.fromEntries(
        ['wall', 'cpu', 'megabytes'].map((unit) => [unit, median(all.map((each) => each[unit]))]),
      ),
    ]),
  );
}
