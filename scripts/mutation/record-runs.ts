/**
 * Chooses recorded runs of faults and variants for the mutation of the judging code, and writes how they are judged:
 * `node dist/scripts/mutation/record-runs.js`.
 */
import { greatest } from 'd3-array';
import { loadContract } from '../../src/contract/load.ts';
import { judge } from '../../src/run/judge-outcome.ts';
import { ofBundled } from '../../src/run/options.ts';
import type { RunPlan } from '../../src/run/plan.ts';
import { nameOf, optionsOfTrial, planOfTrial, subjects } from '../../src/selfcheck/selfcheck.ts';
import { recordings } from '../../test/recorded/recordings.ts';
import { judgedParts, type Recording, writeRecordings } from './recordings.ts';

/** How many runs are written. */
const MOST = 400;

/** What judging a run may take at most, in ms of CPU: a change that nothing notices is tried on many of them. */
const MOST_TIME = 300;

const contract = loadContract();
const plans = new Map<string, RunPlan>();
const byName = new Map(subjects().map((subject) => [nameOf(subject), subject]));
const all: Recording[] = [];
for (const [id, outcomeOf] of recordings()) {
  const subject = byName.get(id);
  if (!subject) throw new Error(`${id} is not in the catalog: npm run record`);
  const plan = planOfTrial(contract, subject);
  const options = ofBundled(contract.ratePlans, { ...optionsOfTrial(subject), seed: plan.seed });
  const outcome = outcomeOf();
  const judged = judgedParts(judge(contract, plan, options, outcome));
  plans.set(JSON.stringify(options), plan);
  all.push({
    id,
    options,
    outcome,
    judged: Object.fromEntries(judged.map(([name, part]) => [name, JSON.stringify(part)])),
  });
}
const chosen = tellingFirst(all);
writeRecordings(plans, chosen);
console.log(`${all.length} runs, ${chosen.length} recorded`);

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
