import { Worker } from 'node:worker_threads';
import type { RatePlan } from '../../model/contract.ts';
import { ownModule } from '../../model/package-root.ts';
import type { Coverage } from '../../model/report/coverage.ts';
import type { JudgedRecording } from '../../recording/judgment.ts';
import type { OmissionKind } from '../../recording/recorded.ts';
import type { RecordingCounts } from '../../report/assemble/assemble-recording.ts';
import type { NamedInterface } from '../../run/contract-of.ts';
import type { Servers } from '../../traffic/match-operation.ts';
import { admit, bodyBytesIn, type Passed, type SharedMemory } from '../http/passed.ts';
import type { LiveState } from './live-judge.ts';
import type { NewFinding } from './new-findings.ts';

/** The thread that judges, as the proxy sees it. */
export interface JudgeThread {
  add(passed: Passed): void;
  omit(kind: OmissionKind): void;
  /** Counts a request that no operation is for. */
  unlisted(name: string): void;
  /** Judges the rest. @throws the error that ended the thread: a bug of petspec */
  close(): Promise<Closed>;
}

/** What the thread reports. */
interface ThreadEvents {
  onLook(look: Extract<FromThread, { kind: 'looked' }>): void;
  /** The thread has ended with an error: nothing is judged from then on. */
  onBug(error: Error): void;
}

/** ms for which exchanges are collected before they are sent to the thread. */
const BATCH_MS = 100;

/** Exchanges that may wait to be judged. */
const MAX_WAITING = 5_000;

/** Names of unlisted requests in one batch, at most. */
const MAX_UNLISTED = 100;

/** Collects exchanges that passed, and sends those of BATCH_MS together. */
class PassedBatch {
  readonly #send: (message: ToThread) => void;
  #passed: Passed[] = [];
  #omitted: Partial<Record<OmissionKind, number>> = {};
  #unlisted: Record<string, number> = {};
  #timer: NodeJS.Timeout | undefined;

  constructor(send: (message: ToThread) => void) {
    this.#send = send;
  }

  add(passed: Passed): void {
    this.#passed.push(passed);
    this.#sendSoon();
  }

  omit(kind: OmissionKind): void {
    this.#omitted[kind] = (this.#omitted[kind] ?? 0) + 1;
    this.#sendSoon();
  }

  unlisted(name: string): void {
    if (Object.keys(this.#unlisted).length < MAX_UNLISTED || Object.hasOwn(this.#unlisted, name))
      this.#unlisted[name] = (this.#unlisted[name] ?? 0) + 1;
    this.#sendSoon();
  }

  send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#send({
      kind: 'batch',
      passed: this.#passed,
      omitted: this.#omitted,
      unlisted: this.#unlisted,
    });
    this.#passed = [];
    this.#omitted = {};
    this.#unlisted = {};
  }

  #sendSoon(): void {
    this.#timer ??= setTimeout(() => this.send(), BATCH_MS);
  }
}

/**
 * Starts the thread.
 * @param room the memory that exchanges share until they are judged
 * @throws the error that ended it at its start, such as an error of the file system
 */
export async function judgeThread(
  options: ThreadOptions,
  room: SharedMemory,
  events: ThreadEvents,
): Promise<JudgeThread> {
  const worker = new Worker(ownModule('src/proxy/judging/judge-worker'), {
    workerData: options,
    // An exchange lives for a few seconds.
    resourceLimits: { maxYoungGenerationSizeMb: 48 },
  });
  const thread = new StartedThread(worker, room, events);
  await thread.ready;
  return thread;
}

class StartedThread implements JudgeThread {
  /** Rejected with the error that ended the thread at its start. */
  readonly ready: Promise<void>;
  readonly #worker: Worker;
  readonly #room: SharedMemory;
  readonly #batch: PassedBatch;
  #bug: Error | undefined;
  /** Exchanges that the thread has not taken yet. */
  #waiting = 0;
  #onClosed = (_closed: Closed) => {};
  #onFailed = (_error: Error) => {};

  constructor(worker: Worker, room: SharedMemory, { onLook, onBug }: ThreadEvents) {
    this.#worker = worker;
    this.#room = room;
    this.#batch = new PassedBatch((message) => {
      if (this.#bug === undefined) worker.postMessage(message);
    });
    let onReady = () => {};
    this.ready = new Promise((resolve, reject) => {
      onReady = resolve;
      this.#onFailed = reject;
    });
    worker.on('error', (error) => {
      this.#bug = error;
      this.#onFailed(error);
      onBug(error);
    });
    worker.on('message', (message: FromThread) => {
      if (message.kind === 'ready') onReady();
      else if (message.kind === 'looked') onLook(message);
      else if (message.kind === 'closed') this.#onClosed(message.closed);
      else {
        this.#waiting -= message.exchanges;
        room.release(message.bytes);
      }
    });
  }

  add(passed: Passed): void {
    if (this.#bug !== undefined || this.#waiting >= MAX_WAITING) {
      this.#room.release(bodyBytesIn(passed));
      this.omit('overload');
      return;
    }
    if (!admit(passed, this.#room)) {
      this.omit('overload');
      return;
    }
    this.#waiting += 1;
    this.#batch.add(passed);
  }

  omit(kind: OmissionKind): void {
    this.#batch.omit(kind);
  }

  unlisted(name: string): void {
    this.#batch.unlisted(name);
  }

  close(): Promise<Closed> {
    if (this.#bug !== undefined) return Promise.reject(this.#bug);
    return new Promise((resolve, reject) => {
      this.#onClosed = resolve;
      this.#onFailed = reject;
      this.#batch.send();
      this.#worker.postMessage({ kind: 'close' } satisfies ToThread);
    });
  }
}

/** How the thread that judges is started. */
export interface ThreadOptions {
  servers: Servers;
  /** The interface to judge by, as the user named it. */
  named: Pick<NamedInterface, 'interface' | 'set' | 'asOf'>;
  /** The requirements to judge; if it is empty, all of them. */
  only: readonly string[];
  plan?: string | undefined;
  limits?: RatePlan | undefined;
  redact: readonly string[];
  ledger?: { path: string; most: number; keepsBodies: boolean };
}

/** Messages to the thread. */
export type ToThread =
  | {
      kind: 'batch';
      passed: readonly Passed[];
      omitted: Partial<Record<OmissionKind, number>>;
      /** Requests that no operation is for, counted by name. */
      unlisted: Readonly<Record<string, number>>;
    }
  | { kind: 'close' };

/** Messages from the thread. */
export type FromThread =
  | { kind: 'ready' }
  | { kind: 'taken'; exchanges: number; bytes: number }
  | { kind: 'looked'; state: LiveState; coverage: Coverage; newFindings: readonly NewFinding[] }
  | { kind: 'closed'; closed: Closed };

/** The result of judging all traffic. */
export interface Closed {
  judged: JudgedRecording;
  counts: ReturnType<RecordingCounts['result']>;
  state: LiveState;
}
