/**
 * Judges limiters of the reference several times over sockets, in real time, with windows of a few seconds, beside threads that
 * keep the machine busy half of the time: `node dist/scripts/short-windows.js [--times 5] [--window 3,10] [--busy 1] [id ...]`.
 * `--part 0/8` tries every eighth limiter. It names those whose verdict or requirement is not the same each time, or not the one
 * of the catalog, and prints how many there are. All of them take hours.
 */
import { parseArgs } from 'node:util';
import { isMainThread, Worker } from 'node:worker_threads';
import { loadContract } from '../src/contract/load.ts';
import { realClock } from '../src/model/clock.ts';
import { isProblem } from '../src/model/finding.ts';
import { limiterFaults } from '../src/reference/faults/index.ts';
import { limiterVariants } from '../src/reference/variants/index.ts';
import { conductBundled } from '../src/run/bundled.ts';
import { changeOf, idsWith, optionsOfTrial, planOfTrial, type Subject } from '../src/selfcheck/selfcheck.ts';

/** A busy thread computes for so many ms, and rests as long. */
const BUSY_MS = 50;

const contract = loadContract();

/** What a run against a limiter with such a window violates. */
async function violatedBy(subject: Subject, seconds: number): Promise<string> {
  const run = await conductBundled(contract, planOfTrial(contract, subject), optionsOfTrial(subject), {
    changes: [changeOf(subject), { settings: { limiter: { minute: seconds * 1_000 } } }],
    clock: realClock,
    connections: 'sockets',
  });
  const ids = idsWith(run, isProblem);
  for (const id of ids) console.log(`    ${id}: ${run.findings[id]?.reason}`);
  return ids.join(', ') || 'nothing';
}

/** What was violated in each of several runs; `undefined` without any difference from the catalog. */
async function differenceOf(subject: Subject, seconds: number, times: number): Promise<string | undefined> {
  const seen = new Set<string>();
  for (let time = 0; time < times; time += 1) seen.add(await violatedBy(subject, seconds));
  const named = 'fault' in subject ? subject.fault.violates : ['nothing'];
  const [first = ''] = seen;
  const violated = [...seen].join(' | ');
  const difference = seen.size > 1 ? 'WAVERS' : named.includes(first) ? undefined : 'DIFFERS';
  console.log(`${difference ?? 'same'} ${changeOf(subject).id}, ${seconds} s, ${times} times: ${violated}`);
  return difference;
}

/** Keeps a processor busy half of the time until its thread ends. */
function keepBusy(): void {
  const until = performance.now() + BUSY_MS;
  while (performance.now() < until);
  setTimeout(keepBusy, BUSY_MS);
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: {
      times: { type: 'string', default: '5' },
      window: { type: 'string', default: '3,10' },
      busy: { type: 'string', default: '1' },
      part: { type: 'string', default: '0/1' },
    },
    allowPositionals: true,
  });
  const [part = 0, of = 1] = values.part.split('/').map(Number);
  const all: Subject[] = [
    ...limiterFaults.map((fault) => ({ fault })),
    ...limiterVariants.map((variant) => ({ variant })),
  ];
  const subjects = all.filter((each, index) =>
    positionals.length > 0 ? positionals.includes(changeOf(each).id) : index % of === part,
  );
  const busy = Array.from({ length: Number(values.busy) }, () => new Worker(new URL(import.meta.url)));
  const differences: (string | undefined)[] = [];
  for (const subject of subjects)
    for (const seconds of values.window.split(',').map(Number))
      differences.push(await differenceOf(subject, seconds, Number(values.times)));
  await Promise.all(busy.map((worker) => worker.terminate()));
  const count = (difference: string) => differences.filter((each) => each === difference).length;
  console.log(
    `${subjects.length} limiters, windows of ${values.window} s, ${values.times} times each: of ${differences.length}, ` +
      `${count('WAVERS')} waver and ${count('DIFFERS')} differ from the catalog`,
  );
  if (differences.some((each) => each !== undefined)) process.exitCode = 1;
}

if (isMainThread) await main();
else keepBusy();
