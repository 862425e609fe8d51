import type { Probe } from '../model/probe.ts';
import type { Chain } from '../probes/chains.ts';
import type { Parts } from './parts/parts.ts';

/** After the end of a run, requests that remove what it created get this long (ms). */
const LAST_TIMEOUT = 5_000;

/**
 * Removes in the order of the plan, one after the other. A service may refuse to remove what has parts, so the parts that
 * nothing else removes go before it.
 */
export async function removeInTurn(
  chains: readonly Chain[],
  parts: Pick<Parts, 'learnt' | 'end' | 'sender'>,
  send: (chain: Chain) => Promise<void>,
): Promise<void> {
  for (const chain of chains)
    if (chain.some(({ cleansUp }) => cleansUp !== undefined)) await cleanUp(chain, parts);
    else await send(chain);
}

/**
 * Removes what the run created and did not remove. Called once more at the end: what a user interrupts leaves nothing behind,
 * either.
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
