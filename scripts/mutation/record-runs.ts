/**
 * Chooses recorded runs of faults and variants for the mutation of the judging code, and writes how they are judged:
 * `node dist/scripts/mutation/record-runs.js`.
 */
import { greatest } from 'd3-array';
import { loadContract } from '../../src/contract/load.ts';
import { judge } from '../../src/run/judging/judge-outcome.ts';
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
const all: Timed[] = [];
for (const [id, outcomeOf] of recordings()) {
  const subject = byName.get(id);
  if (!subject) throw new Error(`${id} is not in the catalog: npm run record`);
  const plan = planOfTrial(contract, subject);
  const options = ofBundled(contract.ratePlans, { ...optionsOfTrial(subject), seed: plan.seed });
  const outcome = outcomeOf();
  const before = process.cpuUsage();
  const parts = judgedParts(judge(contract, plan, options, outcome));
  // What is shorter than 2 ms differs by chance.
  const ms = Math.max(2, process.cpuUsage(before).user / 1000);
  plans.set(JSON.stringify(options), plan);
  const judged = Object.fromEntries(parts.map(([name, part]) => [name, JSON.stringify(part)]));
  all.push({ recording: { id, options, outcome, judged }, ms });
}
const chosen = tellingFirst(all);
writeRecordings(plans, chosen);
console.log(`${all.length} runs, ${chosen.length} recorded`);

/** A run, and how long it takes to judge it, in ms of CPU. */
interface Timed {
  recording: Recording;
  ms: number;
}

/** The runs that show most in the least time, each of them something that no earlier one shows. */
function tellingFirst(all: readonly Timed[]): Recording[] {
  let left = all
    .filter(({ ms }) => ms <= MOST_TIME)
    .map(({ recording, ms }) => ({ recording, ms, news: tellings(recording) }));
  const ordered: Recording[] = [];
  while (ordered.length < MOST) {
    const best = greatest(left, ({ news, ms }) => news.length / ms);
    if (!best) break;
    ordered.push(best.recording);
    const told = new Set(best.news);
    left = left
      .map((each) => ({ ...each, news: each.news.filter((word) => !told.has(word)) }))
      .filter(({ news }) => news.length > 0);
  }
  return ordered;
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
