/**
 * `npm run record`: runs every fault and variant, and writes the exchanges and what was found to test/recorded/. It prints whose
 * exchanges or findings changed. With `-- --check` it writes nothing, and fails if anything changed. If a run contradicts the
 * catalog, or sends more than it announces, nothing is written.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { isMainThread } from 'node:worker_threads';
import { loadContract } from '../src/contract/load.ts';
import type { Outcome } from '../src/run/judging/judge-outcome.ts';
import {
  brokenPromises,
  compareWithCatalogue,
  conductChanged,
  nameOf,
  planOfTrial,
  type Subject,
  subjects,
} from '../src/selfcheck/selfcheck.ts';
import {
  digestOfSources,
  EXCHANGES,
  FINDINGS,
  type Found,
  foundBefore,
  foundIn,
  packed,
  type Recording,
  recordings,
  SOURCES,
} from '../test/recorded/recordings.ts';
import { inThreads, takeParts } from './threads.ts';

/** They close connections by the clock of the machine, so that each run meets that at another request. */
const BY_REAL_TIME = /^variant (?:closes-idle|idle-408)-/;

/** What a thread sends back of one subject. */
interface Recorded {
  place: number;
  recording: Recording;
  found: Found;
  problems: readonly string[];
}

const contract = loadContract();

if (isMainThread) await main();
else await takeParts(() => subjects().length, recordedAt);

async function main(): Promise<void> {
  const before = earlier();
  const recorded = (await recordAll()).map((each) => keptIfChance(each, before));
  const problems = recorded.flatMap(({ recording, problems }) =>
    problems.map((problem) => `${recording.id}: ${problem}`),
  );
  const changes = changesOf(recorded, before);
  for (const line of changes) console.log(line);
  for (const problem of problems) console.error(problem);
  const isCheck = process.argv.includes('--check');
  console.log(`${recorded.length} runs, ${changes.length} changed, ${problems.length} problems`);
  if (problems.length > 0 || (isCheck && changes.length > 0)) process.exitCode = 1;
  else if (!isCheck) write(recorded);
}

/** Runs all subjects. */
async function recordAll(): Promise<Recorded[]> {
  const recorded: Recorded[] = [];
  await inThreads<undefined, Recorded>(import.meta.url, undefined, (each) => {
    recorded.push(each);
    if (process.stderr.isTTY) process.stderr.write(`\r${recorded.length} of ${subjects().length}`);
  });
  if (process.stderr.isTTY) process.stderr.write('\r');
  return recorded.sort((one, other) => one.place - other.place);
}

async function recordedAt(place: number): Promise<Recorded> {
  const subject = subjects()[place] as Subject;
  const plan = planOfTrial(contract, subject);
  const run = await conductChanged(contract, plan, subject);
  const { problems } = compareWithCatalogue(contract, subject, run);
  const id = nameOf(subject);
  return {
    place,
    recording: { id, outcome: withoutPorts(run.received) },
    found: foundIn(id, run),
    problems: [...problems, ...brokenPromises(plan.cost.most, run)],
  };
}

/** What judging a run needs, with ports that do not differ each time. */
function withoutPorts(outcome: Outcome): Outcome {
  const { baseUrl, apiUrl = '' } = outcome.target;
  return JSON.parse(
    JSON.stringify(outcome)
      .replaceAll(new URL(baseUrl).origin, 'http://127.0.0.1:8080')
      .replaceAll(apiUrl, 'http://127.0.0.1:8081'),
  );
}

/** What was recorded before, where another run of the same found nothing else. */
function keptIfChance(recorded: Recorded, { outcomes, found }: Earlier): Recorded {
  const { id } = recorded.recording;
  const outcome = outcomes.get(id)?.();
  if (!outcome || !BY_REAL_TIME.test(id) || !isDeepStrictEqual(recorded.found, found.get(id)))
    return recorded;
  return { ...recorded, recording: { id, outcome } };
}

/** A line for each subject that is new, gone, sent something else or found something else. */
function changesOf(recorded: readonly Recorded[], { outcomes, found }: Earlier): string[] {
  const gone = [...found.keys()].filter((id) => !recorded.some(({ recording }) => recording.id === id));
  const changed = recorded.flatMap(({ recording: { id, outcome }, found: now }) => {
    const known = outcomes.get(id)?.();
    if (!known) return [`${id}: new`];
    const isSame = isDeepStrictEqual(known, outcome);
    const [was, is] = [found.get(id), now].map((each) => JSON.stringify(each));
    return [
      ...(isSame
        ? []
        : [`${id}: other exchanges (${known.exchanges.length} before, ${outcome.exchanges.length} now)`]),
      ...(was === is ? [] : [`${id}: found ${was} before, ${is} now`]),
    ];
  });
  return [...gone.map((id) => `${id}: gone`), ...changed];
}

interface Earlier {
  outcomes: ReturnType<typeof recordings>;
  found: ReturnType<typeof foundBefore>;
}

/** What the repository holds; nothing the first time. */
function earlier(): Earlier {
  try {
    return { outcomes: recordings(), found: foundBefore() };
  } catch {
    return { outcomes: new Map(), found: new Map() };
  }
}

function write(recorded: readonly Recorded[]): void {
  const bytes = packed(recorded.map(({ recording }) => recording));
  // Another file of the same runs would be another megabyte in the history.
  if (!isWritten(bytes)) writeFileSync(EXCHANGES, bytes);
  writeFileSync(FINDINGS, `${recorded.map(({ found }) => JSON.stringify(found)).join('\n')}\n`);
  writeFileSync(SOURCES, `${digestOfSources()}\n`);
}

function isWritten(bytes: Buffer): boolean {
  try {
    return readFileSync(EXCHANGES).equals(bytes);
  } catch {
    return false;
  }
}
