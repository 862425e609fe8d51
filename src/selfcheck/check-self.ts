import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Contract } from '../model/contract.ts';
import { ownModule } from '../model/package-root.ts';
import { seedOf } from '../run/plan/probes.ts';
import { planOfTrial, subjects, type Trial, tryChange } from './selfcheck.ts';

/** The result of trying the whole catalogue. */
export interface SelfCheck {
  ok: boolean;
  trials: readonly Trial[];
  /** Requirements of level `must` that no fault violates. */
  uncovered: readonly string[];
  durationMs: number;
}

/** The index of the next subject that no thread has taken. */
type SubjectCounter = Int32Array<SharedArrayBuffer>;

/** The trials of a thread, by subject index. */
type TrialsByNumber = ReadonlyMap<number, Trial>;

/**
 * Tries every fault and every variant, with requests that vary by a seed, in one thread for each core. Threads take subjects
 * one at a time, as some take a hundred times as long as others.
 */
export async function checkSelf(contract: Contract, seed = seedOf(contract)): Promise<SelfCheck> {
  const begun = performance.now();
  const threads = Math.min(availableParallelism(), subjects().length);
  const next: SubjectCounter = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const otherThreads = Array.from({ length: threads - 1 }, () => inThread(next, seed));
  const parts = await Promise.all([tryNext(contract, next, seed), ...otherThreads]);
  const trials = parts
    .flatMap((part) => [...part])
    .sort(([left], [right]) => left - right)
    .map(([, trial]) => trial);
  const covered = new Set(
    trials
      .filter(({ kind }) => kind === 'fault')
      .flatMap(({ names, violated }) => names.filter((id) => violated.includes(id))),
  );
  const uncovered = contract.requirements
    .filter(({ id, level }) => level === 'must' && !covered.has(id))
    .map(({ id }) => id);
  const ok = uncovered.length === 0 && trials.every(({ problems }) => problems.length === 0);
  return { ok, trials, uncovered, durationMs: performance.now() - begun };
}

/** Tries subjects until all of them are taken. */
export async function tryNext(
  contract: Contract,
  next: SubjectCounter,
  seed: number,
): Promise<TrialsByNumber> {
  const tried = new Map<number, Trial>();
  const catalogue = subjects();
  for (;;) {
    const number = Atomics.add(next, 0, 1);
    const subject = catalogue[number];
    if (!subject) return tried;
    const plan = planOfTrial(contract, subject, seed);
    const { findings: _findings, rootCause: _rootCause, ...trial } = await tryChange(contract, plan, subject);
    tried.set(number, trial);
  }
}

function inThread(next: SubjectCounter, seed: number): Promise<TrialsByNumber> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(ownModule('src/selfcheck/selfcheck-worker'), {
      workerData: { next, seed },
    });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}
