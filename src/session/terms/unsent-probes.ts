import type { Reason, Unsent } from '../../model/exchange.ts';
import type { Probe } from '../../model/probe.ts';

/** The probes that a run does not send, and why. */
export class UnsentProbes {
  readonly all: Unsent[] = [];

  skip(probe: Probe, reason: Reason): undefined {
    this.all.push({ probe: probe.id, ...reason });
  }

  skipAll(probes: readonly Probe[], reason: Reason): undefined {
    for (const each of probes) this.skip(each, reason);
  }
}
