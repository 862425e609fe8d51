/**
 * `node dist/scripts/bursts.js [--seeds 0,1,2,3,4] [--sizes 1,16]`: the self-check with other seeds and sizes of bursts. No variant may be
 * accused, and each fault has to be found, except for races where the size is 1. Smaller bursts are more bursts with more reads in all,
 * so that other requests have no room before the limit: what only these show need not be found. It prints what is wrong; with sizes of
 * 2 and 4, some faults that a succession of requests shows, for which there is no room either.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { loadContract } from '../src/contract/load.ts';
import type { Fault } from '../src/reference/faults/fault.ts';
import { ofBundled } from '../src/run/options.ts';
import { sharedPlans } from '../src/run/plan.ts';
import {
  type ChangedRun,
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

/** All pairs of requests that go out together fit into one burst. */
const LARGE = 16;

const contract = loadContract();
const checks = allChecks(contract);
const planFor = sharedPlans();
const musts = new Set(contract.requirements.filter(({ level }) => level === 'must').map(({ id }) => id));

if (isMainThread) await main();
else for await (const wrong of wrongTrials(workerData as Shared)) parentPort?.postMessage(wrong);

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '0,1,2,3,4' },
      sizes: { type: 'string', default: '1,16' },
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
async function problemsOf(subject: Subject, way: Way): Promise<readonly string[]> {
  const run = await runOf(subject, way);
  const { problems, violated, findings } = compareWithCatalogue(contract, subject, run);
  if ('variant' in subject)
    return violated.filter((id) => musts.has(id)).map((id) => `accused by ${id}: ${findings[id]?.reason}`);
  const { violates, isRace } = subject.fault;
  if (way.size === 1 && isRace) return violated.map((id) => `found one at a time by ${id}`);
  const others = violated.filter((id) => !violates.includes(id));
  if (problems.length === 0 || others.length > 0 || violated.length > 0 || way.size >= LARGE) return problems;
  const sent = new Set(run.exchanges.map(({ probe }) => probe));
  const shown = await shownBy(subject.fault, way.seed);
  return shown.every((probe) => sent.has(probe)) ? problems : [];
}

/** The probes that show a fault with large bursts. */
async function shownBy(fault: Fault, seed: number): Promise<readonly string[]> {
  const { findings, exchanges } = await runOf({ fault }, { seed, size: LARGE });
  const evidence = fault.violates.flatMap((id) => findings[id]?.evidence ?? []);
  return exchanges.filter(({ id }) => evidence.includes(id)).map(({ probe }) => probe);
}

function runOf(subject: Subject, { seed, size: concurrency }: Way): Promise<ChangedRun> {
  const given = { ...optionsOfTrial(subject), seed: seedFor(subject, seed), concurrency };
  const options = ofBundled(contract.ratePlans, given);
  return conductChanged(contract, planFor(contract, checks, options), subject, options);
}
