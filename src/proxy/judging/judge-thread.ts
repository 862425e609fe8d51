import { Worker } from 'node:worker_threads';
import type { OmissionKind } from '../../recording/recorded.ts';
import { bytesIn, type Passed, type Room } from '../http/passed.ts';
import type { Closed, FromThread, ThreadOptions, ToThread } from './messages.ts';

/** A thread that judges what it is told. */
export interface JudgeThread {
  add(passed: Passed): void;
  omit(kind: OmissionKind): void;
  /** Judges the rest. @throws the error that ended the thread: a bug of petspec */
  close(): Promise<Closed>;
}

/** What the thread notices. */
export interface ThreadEvents {
  onLook(look: Extract<FromThread, { kind: 'looked' }>): void;
  /** The thread has ended with an error: nothing is judged from then on. */
  onBug(error: Error): void;
}

/** ms that an exchange waits for others before the thread is told. */
const BATCH_MS = 100;

/** Exchanges that may wait to be judged. */
const MAX_WAITING = 5_000;

/**
 * Starts the thread.
 * @param room the memory that bodies share until they are judged
 * @throws the error that ended it at its start, such as one of the file system
 */
export async function judgeThread(
  options: ThreadOptions,
  room: Room,
  { onLook, onBug }: ThreadEvents,
): Promise<JudgeThread> {
  const worker = new Worker(new URL('./judge-worker.js', import.meta.url), {
    workerData: options,
    // What is judged lives for a few seconds.
    resourceLimits: { maxYoungGenerationSizeMb: 48 },
  });
  let bug: Error | undefined;
  let waiting = 0;
  let passed: Passed[] = [];
  let omitted: Partial<Record<OmissionKind, number>> = {};
  let timer: NodeJS.Timeout | undefined;
  let onClosed = (_closed: Closed) => {};
  let onFailed = (_error: Error) => {};
  let onReady = () => {};
  const ready = new Promise<void>((resolve, reject) => {
    onReady = resolve;
    onFailed = reject;
  });

  worker.on('error', (error) => {
    bug = error;
    onFailed(error);
    onBug(error);
  });
  worker.on('message', (message: FromThread) => {
    if (message.kind === 'ready') onReady();
    else if (message.kind === 'looked') onLook(message);
    else if (message.kind === 'closed') onClosed(message.closed);
    else {
      waiting -= message.exchanges;
      room.release(message.bytes);
    }
  });

  const post = (message: ToThread) => worker.postMessage(message);
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (bug === undefined) post({ kind: 'batch', passed, omitted });
    passed = [];
    omitted = {};
  };
  const soon = () => {
    timer ??= setTimeout(flush, BATCH_MS);
  };
  const omit = (kind: OmissionKind) => {
    omitted[kind] = (omitted[kind] ?? 0) + 1;
    soon();
  };
  await ready;
  onFailed = () => {};
  return {
    omit,
    add(each) {
      if (bug !== undefined || waiting >= MAX_WAITING) {
        room.release(bytesIn(each));
        return omit('overload');
      }
      waiting += 1;
      passed.push(each);
      soon();
    },
    close() {
      if (bug !== undefined) return Promise.reject(bug);
      return new Promise((resolve, reject) => {
        onClosed = resolve;
        onFailed = reject;
        flush();
        post({ kind: 'close' });
      });
    },
  };
}
