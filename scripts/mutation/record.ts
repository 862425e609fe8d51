/**
 * Records runs of faults and variants, and how they are judged, for the mutation of the judging code:
 * `node dist/scripts/mutation/record.js`. It reports contradictions to the catalog instead of recording them.
 */
import { greatest } from 'd3-array';
import { loadContract } from '../../src/contract/load.ts';
import { type Conducted, judge } from '../../src/run/judge-outcome.ts';
import { ofBundled, type RunOptions } from '../../src/run/options.ts';
import { seedOf } from '../../src/run/plan/probes.ts';
import type { RunPlan } from '../../src/run/plan.ts';
import {
  compareWithCatalogue,
  conductChanged,
  optionsOfTrial,
  planOfTrial,
  seedFor,
  subjects,
} from '../../src/selfcheck/selfcheck.ts';
import { judgedParts, type Recording, writeRecordings } from './recordings.ts';

/** How many runs are written. */
const MOST = 400;

/** What judging a run may take at most, in ms of CPU: a change that nothing notices is tried on many of them. */
const MOST_TIME = 300;

const contract = loadContract();
const plans = new Map<string, RunPlan>();
const recordings: Recording[] = [];
for (const subject of subjects()) {
  const seed = seedFor(subject, seedOf(contract));
  const options = ofBundled(contract.ratePlans, { ...optionsOfTrial(subject), seed });
  const plan = planOfTrial(contract, subject);
  const run = await conductChanged(contract, plan, subject, options);
  const { kind, id, problems } = compareWithCatalogue(contract, subject, run);
  if (problems.length > 0) throw new Error(`${kind} ${id}: ${problems.join('; ')}`);
  plans.set(JSON.stringify(options), plan);
  recordings.push(recordingOf(`${kind} ${id}`, options, run));
}
const chosen = tellingFirst(recordings);
writeRecordings(plans, chosen);
console.log(`${recordings.length} runs, ${chosen.length} recorded`);

/** A run without its ports, which differ each time. */
function recordingOf(id: string, options: RunOptions, run: Conducted): Recording {
  const { findings: _1, plan: _2, hints: _3, limiters: _4, rootCause: _5, ...outcome } = run;
  const { baseUrl, apiUrl = '' } = outcome.target;
  const portless = (value: unknown) =>
    JSON.stringify(value)
      .replaceAll(new URL(baseUrl).origin, 'http://127.0.0.1:8080')
      .replaceAll(apiUrl, 'http://127.0.0.1:8081');
  return {
    id,
    options,
    outcome: JSON.parse(portless(outcome)),
    judged: Object.fromEntries(judgedParts(run).map(([name, part]) => [name, portless(part)])),
  };
}

/** The runs that show most in the least time, each of them something that no earlier one shows. */
function tellingFirst(all: readonly Recording[]): Recording[] {
  const left = new Set(
    all
      .map((recording) => ({ recording, words: tellings(recording), cost: costOf(recording) }))
      .filter(({ cost }) => cost <= MOST_TIME),
  );
  const told = new Set<string>();
  const ordered: Recording[] = [];
  while (left.size > 0 && ordered.length < MOST) {
    const newsOf = ({ words }: { words: readonly string[] }) =>
      words.filter((each) => !told.has(each)).length;
    const best = greatest(left, (each) => newsOf(each) / each.cost);
    if (!best || newsOf(best) === 0) break;
    left.delete(best);
    for (const each of best.words) told.add(each);
    ordered.push(best.recording);
  }
  return ordered;
}

/** What judging a run takes, in ms of CPU, and at least 2: what is shorter differs by chance. */
function costOf({ options, outcome }: Recording): number {
  const plan = plans.get(JSON.stringify(options)) as RunPlan;
  const before = process.cpuUsage();
  judge(contract, plan, options, outcome);
  return Math.max(2, process.cpuUsage(before).user / 1000);
}

/** How a run is judged, in kinds: without evidence, numbers and what is quoted. */
function tellings({ judged }: Recording): string[] {
  const kindOf = (text: string) =>
    text
      .replace(/"evidence":.*/, '')
      .replace(/\d+/g, '#')
      .replace(/\\"(?:[^\\]|\\[^"])*\\"/g, '…');
  return Object.entries(judged).map(([name, text]) => `${name} ${kindOf(text)}`);
}
