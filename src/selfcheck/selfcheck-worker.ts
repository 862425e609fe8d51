import { parentPort, workerData } from 'node:worker_threads';
import { loadContract } from '../contract/load.ts';
import { tryNext } from './check-self.ts';

// A thread of the self-check: tries the subjects that no other thread has taken, and sends back the results.
const { next, seed } = workerData as { next: Int32Array<SharedArrayBuffer>; seed: number };
parentPort?.postMessage(await tryNext(loadContract(), next, seed));
