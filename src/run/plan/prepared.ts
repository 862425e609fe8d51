import type { Interface } from '../contract-of.ts';
import type { RunPlan } from '../plan.ts';

/** What a run judges by, and what it sends. */
export interface Prepared extends Interface {
  plan: RunPlan;
}

const known = new Map<string, Prepared>();

/**
 * Keeps what a run has loaded and planned for its tests, which run in this thread: a large document is read once.
 * @returns forgets it
 */
export function prepare(run: string, prepared: Prepared): () => void {
  known.set(run, prepared);
  return () => void known.delete(run);
}

/** What the run with this name has loaded and planned in this thread; undefined elsewhere. */
export function preparedFor(run: string | undefined): Prepared | undefined {
  return run === undefined ? undefined : known.get(run);
}
