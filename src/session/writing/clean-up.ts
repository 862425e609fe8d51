import type { Probe } from '../../model/probe.ts';
import type { Sender } from '../sender.ts';

/** After the end of a run, requests that remove what it created get this long (ms). */
const LAST_TIMEOUT = 5_000;

/**
 * Removes what the run created and did not remove. Called before the limit is used up, and once more at the end: what a user
 * interrupts leaves nothing behind, either.
 */
export async function cleanUp(plan: readonly Probe[], sender: Sender): Promise<void> {
  for (const probe of plan) {
    if (probe.cleansUp === undefined || !sender.created.isLeft(probe.cleansUp)) continue;
    if (sender.end.reason === undefined) await sender.send(probe);
    else await sender.sendAfterEnd(probe, LAST_TIMEOUT);
  }
}
