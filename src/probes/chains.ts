import type { Probe } from '../model/probe.ts';

/** Requests that follow each other over one connection. */
export type Chain = readonly Probe[];

/** Chains as a part of a plan. */
export function linked(chains: readonly Chain[]): Probe[] {
  return chains.flatMap((chain) =>
    chain.map((each, index): Probe => (index === 0 ? each : { ...each, follows: true })),
  );
}

/** The chains of a part of a plan. */
export function chainsOf(probes: readonly Probe[]): Chain[] {
  const chains: Probe[][] = [];
  for (const each of probes) {
    const last = chains.at(-1);
    if (each.follows && last) last.push(each);
    else chains.push([each]);
  }
  return chains;
}
