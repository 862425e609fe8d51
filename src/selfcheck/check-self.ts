import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Contract } from '../model/contract.ts';
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

/** Tries every fault and every variant, with requests that vary by a seed. This thread takes a share, and each further core a thread with another share. */
export async function checkSelf(contract: Contract, seed = seedOf(contract)): Promise<SelfCheck> {
  const begun = performance.now();
  const count = subjects().length;
  const threads = Math.min(availableParallelism(), count);
  const others = Array.from({ length: threads - 1 }, (_, index) => inThread(index + 1, threads, seed));
  const parts = await Promise.all([tryPart(contract, 0, threads, seed), ...others]);
  const trials = Array.from(
    { length: count },
    (_, index) => parts[index % threads]?.[Math.floor(index / threads)],
  ).filter((each) => each !== undefined);
  const found = new Set(
    trials
      .filter(({ kind }) => kind === 'fault')
      .flatMap(({ names, violated }) => names.filter((id) => violated.includes(id))),
  );
  const uncovered = contract.requirements
    .filter(({ id, level }) => level === 'must' && !found.has(id))
    .map(({ id }) => id);
  const ok = uncovered.length === 0 && trials.every(({ problems }) => problems.length === 0);
  return { ok, trials, uncovered, durationMs: performance.now() - begun };
}

/** Tries every `of`-th subject from `part` on. */
export async function tryPart(contract: Contract, part: number, of: number, seed: number): Promise<Trial[]> {
  const trials: Trial[] = [];
  for (const subject of subjects().filter((_, index) => index % of === part)) {
    const plan = planOfTrial(contract, subject, seed);
    const { findings: _findings, rootCause: _rootCause, ...trial } = await tryChange(contract, plan, subject);
    trials.push(trial);
  }
  return trials;
}

/** Tries a part in a thread of its own. */
function inThread(part: number, of: number, seed: number): Promise<Trial[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./selfcheck-worker.js', import.meta.url), {
      workerData: { part, of, seed },
    });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}
