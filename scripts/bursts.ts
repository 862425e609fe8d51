/**
 * `node dist/scripts/bursts.js [--seeds 0,1,2,3,4] [--sizes 1,16]`: the self-check with other seeds and sizes of bursts. No variant may be
 * accused, and each fault has to be found, except for races where the size is 1. It prints what is wrong. Sizes of 2 and 4 are more bursts
 * with more reads, which leave some faults no room before the limit.
 */
import { parseArgs } from 'node:util';
import { isMainThread } from 'node:worker_threads';
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
import { inThreads, takeParts } from './threads.ts';

interface Way {
  seed: number;
  /** How many requests a burst has at most. */
  size: number;
}

const contract = loadContract();
const checks = allChecks(contract);
const planFor = sharedPlans();
const musts = new Set(contract.requirements.filter(({ level }) => level === 'must').map(({ id }) => id));

if (isMainThread) await main();
else await takeParts(countTrials, wrongTrial);

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '0,1,2,3,4' },
      sizes: { type: 'string', default: '1,16' },
    },
  });
  const [seeds, sizes] = [values.seeds, values.sizes].map((list) => list.split(',').map(Number));
  const ways = seeds?.flatMap((seed) => sizes?.map((size) => ({ seed, size })) ?? []) ?? [];
  let wrong = 0;
  await inThreads<readonly Way[], string>(import.meta.url, ways, (line) => {
    wrong += 1;
    console.log(line);
  });
  console.log(`${countTrials(ways)} runs: ${wrong} with a wrong verdict`);
  process.exitCode = wrong > 0 ? 1 : 0;
}

function countTrials(ways: readonly Way[]): number {
  return ways.length * subjects().length;
}

/** What is wrong with a trial, in lines. */
async function wrongTrial(index: number, ways: readonly Way[]): Promise<string | undefined> {
  const all = subjects();
  const way = ways[Math.floor(index / all.length)] as Way;
  const subject = all[index % all.length] as Subject;
  const problems = await problemsOf(subject, way);
  const title = `seed ${way.seed}, size ${way.size}, ${nameOf(subject)}`;
  return problems.length > 0 ? [title, ...problems].join('\n  ') : undefined;
}

/** What contradicts the catalogue. */
async function problemsOf(subject: Subject, { seed, size: concurrency }: Way): Promise<readonly string[]> {
  const given = { ...optionsOfTrial(subject), seed: seedFor(subject, seed), concurrency };
  const options = ofBundled(contract.ratePlans, given);
  const run = await conductChanged(contract, planFor(contract, checks, options), subject, options);
  const { problems, violated, findings } = compareWithCatalogue(contract, subject, run);
  if (concurrency > 1) return problems;
  // One at a time, a slow service leaves requirements untested.
  if ('variant' in subject)
    return violated.filter((id) => musts.has(id)).map((id) => `accused by ${id}: ${findings[id]?.reason}`);
  return subject.fault.isRace ? violated.map((id) => `found one at a time by ${id}`) : problems;
}
