/**
 * `npm run record`: runs every fault and variant, and writes the exchanges and what was found to test/recorded/. It prints whose
 * exchanges or findings changed. With `-- --check` it writes nothing, and fails if anything changed. If a run contradicts the
 * catalog, or sends more than it announces, nothing is written.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { loadContract } from '../src/contract/load.ts';
import type { Outcome } from '../src/run/judge-outcome.ts';
import {
  brokenPromises,
  compareWithCatalogue,
  conductChanged,
  nameOf,
  planOfTrial,
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

/** They close connections by the clock of the machine, so that each run meets that at another request. */
const BY_REAL_TIME = /^variant (?:closes-idle|idle-408)-/;

/** What a thread sends back of one subject. */
interface Recorded {
  place: number;
  recording: Recording;
  found: Found;
  problems: readonly string[];
}

/** The place of the next subject that no thread has taken. */
type Next = Int32Array<SharedArrayBuffer>;

if (isMainThread) await main();
else await recordNext(workerData as Next, (each) => parentPort?.postMessage(each));

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

/** Runs all subjects, in a thread for each core: some take a hundred times as long as others. */
async function recordAll(): Promise<Recorded[]> {
  const next: Next = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const recorded: Recorded[] = [];
  const threads = Array.from({ length: availableParallelism() }, () => {
    const thread = new Worker(new URL(import.meta.url), { workerData: next });
    thread.on('message', (each: Recorded) => {
      recorded.push(each);
      if (process.stderr.isTTY) process.stderr.write(`\r${recorded.length} of ${subjects().length}`);
    });
    return new Promise((resolve, reject) => {
      thread.once('exit', resolve);
      thread.once('error', reject);
    });
  });
  await Promise.all(threads);
  if (process.stderr.isTTY) process.stderr.write('\r');
  return recorded.sort((one, other) => one.place - other.place);
}

async function recordNext(next: Next, onRecorded: (each: Recorded) => void): Promise<void> {
  const contract = loadContract();
  const all = subjects();
  for (;;) {
    const place = Atomics.add(next, 0, 1);
    const subject = all[place];
    if (!subject) return;
    const plan = planOfTrial(contract, subject);
    const run = await conductChanged(contract, plan, subject);
    const { problems } = compareWithCatalogue(contract, subject, run);
    const id = nameOf(subject);
    onRecorded({
      place,
      recording: { id, outcome: withoutPorts(run.received) },
      found: foundIn(id, run),
      problems: [...problems, ...brokenPromises(plan.cost.most, run)],
    });
  }
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
