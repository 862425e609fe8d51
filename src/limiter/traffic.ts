import type { Contract, RatePlan } from '../model/contract.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Probe } from '../model/probe.ts';

/** What a limiter is explained by: requests and what their responses say of it. */
export interface Traffic {
  /** In the order in which they were sent. */
  judged: readonly { exchange: Exchange; probe: Pick<Probe, 'spelling'> }[];
  contract: Pick<Contract, 'operations' | 'ratePlans'>;
  /** The plan's figures, stated or told by the headers. */
  limits?: RatePlan | undefined;
  /** Whether others use the key as well. */
  sharedKey: boolean;
}
