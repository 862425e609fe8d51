import { parentPort, workerData } from 'node:worker_threads';
import { loadContract } from '../contract/load.ts';
import { planOfTrials, subjects, type Trial, tryChange } from './selfcheck.ts';

// A thread of the self-check: tries its share of the catalogue and sends back the results.
const { part, of } = workerData as { part: number; of: number };
const contract = loadContract();
const plan = planOfTrials(contract);
const trials: Trial[] = [];
for (const subject of subjects().filter((_, index) => index % of === part)) {
  const { findings: _findings, rootCause: _rootCause, ...trial } = await tryChange(contract, plan, subject);
  trials.push(trial);
}
parentPort?.postMessage(trials);
