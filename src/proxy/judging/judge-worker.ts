import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { allChecks } from '../../../suites/index.ts';
import { countRecorded } from '../../report/assemble-recording.ts';
import { contractOf } from '../../run/contract-of.ts';
import { bytesIn } from '../http/passed.ts';
import { LiveJudge } from './live-judge.ts';
import type { FromThread, ThreadOptions, ToThread } from './messages.ts';
import { TrafficLedger } from './traffic-ledger.ts';

// The thread that judges, so that judging delays no response. It is told in batches what passed, and looks at it now and then.

/** ms between two looks: at least so many, and so many times as long as the last one took. */
const LEAST_PAUSE = 500;
const PAUSES = 100;

// On Linux this is of the thread alone: what passes comes before what is judged.
if (process.platform === 'linux') setPriority(0, constants.priority.PRIORITY_LOW);

const options = workerData as ThreadOptions;
const contract = contractOf({ set: options.set });
const all = allChecks(contract);
const checks = all.filter(
  ({ requirement }) => options.only.length === 0 || options.only.includes(requirement),
);
const counts = countRecorded(contract, all);
const ledger = options.ledger && new TrafficLedger(options.ledger.path, options.ledger);
const judge = new LiveJudge(contract, checks, { ...options, ledger, onExchange: counts.add });
const tell = (message: FromThread) => parentPort?.postMessage(message);

let nextLook = 0;
const timer = setInterval(look, LEAST_PAUSE / 2);

function look(): void {
  const begun = performance.now();
  if (begun < nextLook) return;
  const seen = judge.look();
  if (seen) tell({ kind: 'looked', ...seen, coverage: counts.result().coverage });
  const ended = performance.now();
  nextLook = ended + Math.max(LEAST_PAUSE, PAUSES * (ended - begun));
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
  let bytes = 0;
  for (const each of message.passed) {
    judge.add(each);
    bytes += bytesIn(each);
  }
  ledger?.flush();
  tell({ kind: 'taken', exchanges: message.passed.length, bytes });
});
tell({ kind: 'ready' });
