import type { Contract, DocumentedResponse, Operation, RatePlan } from '../model/contract.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Deviation } from '../model/finding.ts';
import type { Json } from '../model/json.ts';
import type { Probe } from '../model/probe.ts';

/** What judging needs to know besides the exchanges. All of it is plain data. */
export interface Circumstances {
  contract: Contract;
  probes: readonly Probe[];
  /** Today, ms since the epoch, by the run's clock. */
  today: number;
  /** Whether the references that bodies carried were learnt from the target or given, not guessed. */
  referencesKnown: boolean;
  /** Every operation refused the key: that is the user's to mend, and held against no operation. */
  isKeyRefused?: boolean;
  /**
   * Of a service that is gone: when the last request that was answered was sent, ms since the epoch. What failed later
   * than that may have failed because the service went.
   */
  goneSince?: number;
  /** The plan's figures, stated or told by the headers. */
  limits?: RatePlan;
}

/** An exchange, judged by what holds for every response of its operation. */
export interface Judged {
  exchange: Exchange;
  probe: Probe;
  operation: Operation;
  /** The documented response that its status stands for. */
  documented?: DocumentedResponse;
  /** The body, once it was seen to be JSON. */
  value?: Json;
  /** Requirements that this exchange fulfilled. */
  met: readonly string[];
  /** What is wrong with it, by the requirement that owns it. */
  deviations: readonly Deviation[];
  /**
   * What else is wrong with it: a consequence of what owns it, or of what its controls got. It is no finding of its own,
   * but what it contradicts is not met.
   */
  hidden: readonly Deviation[];
  /** The status is one that the interface asks for here. */
  answered: boolean;
  /** Nothing is wrong with the body: its meaning can be judged. */
  sound: boolean;
  /** The operation is gone, as it may be from the day of its removal on. */
  removed: boolean;
  /** Why this exchange says nothing about what its probe was for, without anything being wrong with it. */
  inconclusive?: Inconclusive;
  /** It is looked at as if nothing that is wrong with it hid the rest. */
  isRevealed?: true;
}

export interface Inconclusive {
  reason: string;
  /** The requirement that is to blame. */
  cause?: string;
  /** The exchange that it is compared with, and that was not answered as it should be. */
  control?: number;
}
