import type { Probe } from '../../model/probe.ts';
import type { Parts } from '../parts.ts';

/** After the end of a run, requests that remove what it created get this long (ms). */
const LAST_TIMEOUT = 5_000;

/**
 * Removes what the run created and did not remove. Called before the limit is used up, and once more at the end: what a user
 * interrupts leaves nothing behind, either.
 */
export async function cleanUp(
  plan: readonly Probe[],
  { learnt, end, sender }: Pick<Parts, 'learnt' | 'end' | 'sender'>,
): Promise<void> {
  for (const probe of plan) {
    if (probe.cleansUp === undefined || !learnt.created.isLeft(probe.cleansUp)) continue;
    if (end.reason === undefined) await sender.send(probe);
    else await sender.sendAfterEnd(probe, LAST_TIMEOUT);
  }
}
