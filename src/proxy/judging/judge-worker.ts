import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { Steps } from '../../model/large/steps.ts';
import { countRecorded } from '../../report/assemble/assemble-recording.ts';
import { interfaceOf } from '../../run/contract-of.ts';
import { countTrafficCoverage } from '../../traffic/coverage/coverage.ts';
import { bytesIn } from '../http/passed.ts';
import type { FromThread, ThreadOptions, ToThread } from './judge-thread.ts';
import { type LiveChange, LiveJudge } from './live-judge.ts';
import { TrafficLedger } from './traffic-ledger.ts';

// The thread that judges: on the thread of the proxy, judging would delay responses. The proxy sends it exchanges in batches. It judges
// each by itself when it comes, and from time to time all of them together.

/** ms between two glances at new exchanges, and how many a glance judges at most: a tenth of a core, whatever passes. */
const TICK = 250;
const GLANCE = 40;

/** ms of a look in a tick. A look at all exchanges together takes seconds, so glances come in between. */
const SLICE = 100;

/** The pause between two looks: so many times as long as the last look worked. */
const PAUSES = 20;

// On Linux this is the priority of the thread alone: passing requests on comes before judging.
if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_LOW);

const options = workerData as ThreadOptions;
const { contract, checks: allChecks } = await interfaceOf(options.named);
const checks = allChecks.filter(
  ({ requirement }) => options.only.length === 0 || options.only.includes(requirement),
);
const ledger = options.ledger && new TrafficLedger(options.ledger.path, options.ledger);
const covered = countTrafficCoverage(contract);
const counts = countRecorded(contract, allChecks, covered);
const judge = new LiveJudge(contract, checks, {
  ...options,
  ledger,
  onSeen: covered.add,
  onExchange: counts.add,
});
const tell = (message: FromThread) => parentPort?.postMessage(message);
const tellSeen = (seen: LiveChange | undefined) => {
  if (seen) tell({ kind: 'looked', ...seen, coverage: covered.result() });
};

let look: Steps<LiveChange | undefined> | undefined;
/** ms that the look has worked. */
let worked = 0;
let nextLook = 0;
const timer = setInterval(() => {
  tellSeen(judge.glance(GLANCE));
  if (!look && judge.isUnlooked && performance.now() >= nextLook) look = judge.looking();
  if (look) goOn(look);
}, TICK);

/** Goes on with a look for the time of a slice. */
function goOn(steps: Steps<LiveChange | undefined>): void {
  const begun = performance.now();
  let step = steps.next();
  while (!step.done && performance.now() - begun < SLICE) step = steps.next();
  worked += performance.now() - begun;
  if (!step.done) return;
  look = undefined;
  tellSeen(step.value);
  nextLook = performance.now() + PAUSES * worked;
  worked = 0;
}

function close(): void {
  clearInterval(timer);
  const { judged, newFindings } = judge.close();
  ledger?.close();
  const state = judge.state;
  tell({ kind: 'looked', state, coverage: counts.result().coverage, newFindings });
  tell({ kind: 'closed', closed: { judged, counts: counts.result(), state } });
  parentPort?.close();
}

parentPort?.on('message', (message: ToThread) => {
  if (message.kind === 'close') return close();
  for (const [kind, count] of Object.entries(message.omitted)) judge.omit(kind as 'aborted', count);
  for (const [name, count] of Object.entries(message.unlisted)) covered.unlisted(name, count);
  let bytes = 0;
  for (const passed of message.passed) {
    judge.add(passed);
    bytes += bytesIn(passed);
  }
  ledger?.flush();
  tell({ kind: 'taken', exchanges: message.passed.length, bytes });
});
tell({ kind: 'ready' });
