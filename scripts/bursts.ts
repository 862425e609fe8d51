/**
 * `node dist/scripts/bursts.js [--seeds 0,1,2,3,4] [--sizes 1,2,4,16]`: the self-check with other seeds and sizes of bursts. Each fault has to be
 * found and each variant has to conform; with a size of 1, exactly the faults that are races are not found. It prints who does not.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { loadContract } from '../src/contract/load.ts';
import { ofBundled } from '../src/run/options.ts';
import { sharedPlans } from '../src/run/plan.ts';
import {
  compareWithCatalogue,
  conductChanged,
  nameOf,
  optionsOfTrial,
  type Subject,
  seedFor,
  subjects,
} from '../src/selfcheck/selfcheck.ts';
import { allChecks } from '../suites/index.ts';

interface Way {
  seed: number;
  /** How many requests a burst has at most. */
  size: number;
}

/** What a thread tries: the next pair of a way and a subject that no thread has taken. */
interface Shared {
  ways: readonly Way[];
  next: Int32Array<SharedArrayBuffer>;
}

const contract = loadContract();
const checks = allChecks(contract);
const planFor = sharedPlans();

if (isMainThread) await main();
else for await (const wrong of wrongTrials(workerData as Shared)) parentPort?.postMessage(wrong);

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '0,1,2,3,4' },
      sizes: { type: 'string', default: '1,2,4,16' },
    },
  });
  const [seeds, sizes] = [values.seeds, values.sizes].map((list) => list.split(',').map(Number));
  const ways = seeds?.flatMap((seed) => sizes?.map((size) => ({ seed, size })) ?? []) ?? [];
  const shared: Shared = { ways, next: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) };
  let wrong = 0;
  const threads = Array.from({ length: availableParallelism() }, () => {
    const thread = new Worker(new URL(import.meta.url), { workerData: shared });
    thread.on('message', (line: string) => {
      wrong += 1;
      console.log(line);
    });
    return new Promise((resolve, reject) => {
      thread.once('exit', resolve);
      thread.once('error', reject);
    });
  });
  await Promise.all(threads);
  console.log(`${ways.length * subjects().length} runs: ${wrong} with a wrong verdict`);
  process.exitCode = wrong > 0 ? 1 : 0;
}

async function* wrongTrials({ ways, next }: Shared): AsyncGenerator<string> {
  const all = subjects();
  for (;;) {
    const place = Atomics.add(next, 0, 1);
    const way = ways[Math.floor(place / all.length)];
    const subject = all[place % all.length];
    if (!way || !subject) return;
    const problems = await problemsOf(subject, way);
    const { seed, size } = way;
    if (problems.length > 0)
      yield [`seed ${seed}, size ${size}, ${nameOf(subject)}`, ...problems].join('\n  ');
  }
}

/** What contradicts the catalogue. */
async function problemsOf(subject: Subject, { seed, size }: Way): Promise<readonly string[]> {
  const options = ofBundled(contract.ratePlans, {
    ...optionsOfTrial(subject),
    seed: seedFor(subject, seed),
    concurrency: size,
  });
  const run = await conductChanged(contract, planFor(contract, checks, options), subject, options);
  const { problems, violated } = compareWithCatalogue(contract, subject, run);
  if (size > 1 || !('fault' in subject) || !subject.fault.isRace) return problems;
  return violated.length === 0 ? [] : [`found one at a time: ${violated.join(', ')}`];
}
