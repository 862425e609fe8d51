/**
 * Records runs of faults and variants, and how they are judged, for the mutation of the judging code:
 * `node dist/scripts/mutation/record.js`. It reports contradictions to the catalog instead of recording them.
 */
import { greatest } from 'd3-array';
import { loadContract } from '../../src/contract/load.ts';
import { type Conducted, judge } from '../../src/run/judge-outcome.ts';
import { DEFAULT_OPTIONS } from '../../src/run/options.ts';
import { seedOf } from '../../src/run/plan/probes.ts';
import { makePlan } from '../../src/run/plan.ts';
import {
  compareWithCatalogue,
  conductChanged,
  optionsOfTrial,
  type Subject,
  seedFor,
  subjects,
} from '../../src/selfcheck/selfcheck.ts';
import { allChecks } from '../../suites/index.ts';
import { judgedParts, RECORDED_OPTIONS, type Recording, writeRecordings } from './recordings.ts';

/** How many runs are written: a change that nothing notices is tried on all of them. */
const MOST = 200;

const contract = loadContract();
const plan = makePlan(contract, allChecks(contract), DEFAULT_OPTIONS);
const recordings: Recording[] = [];
// The recordings have one plan, so a fault that only other seeds or a larger limit show is not among them.
const isShown = (subject: Subject) =>
  seedFor(subject, seedOf(contract)) === seedOf(contract) && optionsOfTrial(subject) === DEFAULT_OPTIONS;
for (const subject of subjects().filter(isShown)) {
  const run = await conductChanged(contract, plan, subject);
  const { kind, id, problems } = compareWithCatalogue(contract, subject, run);
  if (problems.length > 0) throw new Error(`${kind} ${id}: ${problems.join('; ')}`);
  recordings.push(recordingOf(`${kind} ${id}`, run));
}
const chosen = tellingFirst(recordings);
writeRecordings(plan, chosen);
console.log(`${recordings.length} runs, ${chosen.length} recorded`);

/** A run without its ports, which differ each time. */
function recordingOf(id: string, run: Conducted): Recording {
  const { findings: _1, plan: _2, hints: _3, limiters: _4, rootCause: _5, ...outcome } = run;
  const { baseUrl, apiUrl = '' } = outcome.target;
  const portless = (value: unknown) =>
    JSON.stringify(value)
      .replaceAll(new URL(baseUrl).origin, 'http://127.0.0.1:8080')
      .replaceAll(apiUrl, 'http://127.0.0.1:8081');
  return {
    id,
    outcome: JSON.parse(portless(outcome)),
    judged: Object.fromEntries(judgedParts(run).map(([name, part]) => [name, portless(part)])),
  };
}

/** The runs that show most in the least time, each of them something that no earlier one shows. */
function tellingFirst(all: readonly Recording[]): Recording[] {
  const left = new Set(
    all.map((recording) => ({ recording, words: tellings(recording), cost: costOf(recording) })),
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
function costOf({ outcome }: Recording): number {
  const before = process.cpuUsage();
  judge(contract, plan, RECORDED_OPTIONS, outcome);
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
