import { availableParallelism } from 'node:os';
import { parentPort, Worker, workerData } from 'node:worker_threads';

/** What the threads of a script have: its data, and a counter of the parts of the work that they have taken. */
interface ThreadData<Data> {
  data: Data;
  next: Int32Array<SharedArrayBuffer>;
}

/**
 * Runs a script in a thread for each core, until all have ended: some parts of the work take a hundred times as long as others.
 * @param script its `import.meta.url`
 * @param received gets what the threads send
 */
export async function inThreads<Data, Sent>(
  script: string,
  data: Data,
  received: (sent: Sent) => void,
): Promise<void> {
  const shared: ThreadData<Data> = {
    data,
    next: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
  };
  const threads = Array.from({ length: availableParallelism() }, () => {
    const thread = new Worker(new URL(script), { workerData: shared });
    thread.on('message', received);
    return new Promise((resolve, reject) => {
      thread.once('exit', resolve);
      thread.once('error', reject);
    });
  });
  await Promise.all(threads);
}

/**
 * In such a thread: does the parts of the work that no other thread has taken, and sends back what comes of them.
 * @param countOf how many parts there are
 * @param part what comes of a part; undefined if nothing is to be sent
 */
export async function takeParts<Data, Sent>(
  countOf: (data: Data) => number,
  part: (index: number, data: Data) => Promise<Sent | undefined>,
): Promise<void> {
  const { data, next } = workerData as ThreadData<Data>;
  const count = countOf(data);
  for (let index = Atomics.add(next, 0, 1); index < count; index = Atomics.add(next, 0, 1)) {
    const sent = await part(index, data);
    if (sent !== undefined) parentPort?.postMessage(sent);
  }
}
