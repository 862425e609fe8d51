/**
 * Records the run and the findings of every fault and variant, for the mutation of the judging code:
 * `node dist/scripts/record.js`. It reports contradictions to the catalog instead of recording them.
 */
import { loadContract } from '../src/contract/load.ts';
import type { Conducted } from '../src/run/judge-outcome.ts';
import { DEFAULT_OPTIONS } from '../src/run/options.ts';
import { seedOf } from '../src/run/plan/probes.ts';
import { makePlan } from '../src/run/plan.ts';
import {
  compareWithCatalogue,
  conductChanged,
  optionsOfTrial,
  type Subject,
  seedFor,
  subjects,
} from '../src/selfcheck/selfcheck.ts';
import { allChecks } from '../suites/index.ts';
import { type Recording, writeRecordings } from './recordings.ts';

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
writeRecordings(plan, tellingFirst(recordings));
console.log(`${recordings.length} runs recorded`);

/** A run without its ports, which differ each time. */
function recordingOf(id: string, run: Conducted): Recording {
  const { findings, plan: _plan, ...outcome } = run;
  const { baseUrl, apiUrl = '' } = outcome.target;
  const portless = (value: unknown) =>
    JSON.stringify(value)
      .replaceAll(new URL(baseUrl).origin, 'http://127.0.0.1:8080')
      .replaceAll(apiUrl, 'http://127.0.0.1:8081');
  return {
    id,
    outcome: JSON.parse(portless(outcome)),
    findings: Object.fromEntries(Object.entries(findings).map(([name, each]) => [name, portless(each)])),
  };
}

/** Sorts runs by how much new each one shows, since a few runs kill most mutants. */
function tellingFirst(all: readonly Recording[]): Recording[] {
  const left = new Map(all.map((each) => [each, tellings(each)]));
  const told = new Set<string>();
  const ordered: Recording[] = [];
  while (left.size > 0) {
    let best: { recording: Recording; news: number } | undefined;
    for (const [recording, words] of left) {
      const news = words.filter((each) => !told.has(each)).length;
      if (!best || news > best.news) best = { recording, news };
    }
    if (!best) break;
    for (const each of left.get(best.recording) ?? []) told.add(each);
    left.delete(best.recording);
    ordered.push(best.recording);
  }
  return ordered;
}

/** The findings of a recording, without their evidence. */
function tellings({ findings }: Recording): string[] {
  return Object.entries(findings).map(([name, text]) => `${name} ${text.replace(/"evidence":.*/, '')}`);
}
