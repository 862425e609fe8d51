import { parentPort, workerData } from 'node:worker_threads';
import { loadContract } from '../contract/load.ts';
import { tryPart } from './check-self.ts';

// A thread of the self-check: tries its share of the catalogue and sends back the results.
const { part, of, seed } = workerData as { part: number; of: number; seed: number };
parentPort?.postMessage(await tryPart(loadContract(), part, of, seed));
