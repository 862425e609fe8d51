import type { Contract, DocumentedResponse, Level, Operation, RatePlan } from '../../model/contract.ts';
import { areTogether, type Exchange } from '../../model/exchange.ts';
import type { Deviation } from '../../model/finding.ts';
import type { Json } from '../../model/json.ts';
import { type Probe, STAGES } from '../../model/probe.ts';
import { rememberingEach } from '../../model/remembering.ts';

/** What judging needs to know besides the exchanges. All of it is plain data. */
export interface Circumstances {
  contract: Contract;
  probes: readonly Probe[];
  /** Today, ms since the epoch, by the run's clock. */
  today: number;
  /** Whether the references that bodies carried were learnt from the target or given, not guessed. */
  referencesKnown: boolean;
  /** The option by which the user names a reference, for words to the user. */
  referenceOption?: string;
  /** Every operation refused the key. The user has to fix that; it is held against no operation. */
  isKeyRefused?: boolean;
  /** Whether the service accepted any request. */
  isAnyLetIn?: boolean;
  /**
   * Set when the service went away: the time (ms since the epoch) at which the last request that got a response was
   * sent. Requests that failed after it may have failed because the service was gone.
   */
  goneSince?: number | undefined;
  /** The plan's figures, stated or told by the headers. */
  limits?: RatePlan | undefined;
}

/** An exchange and the requirements that it fulfills or violates by itself. */
export type Judged = JudgedExchange & ResponseOutcome;

/** What every judged exchange has, whatever its outcome. */
export interface JudgedExchange {
  exchange: Exchange;
  probe: Probe;
  operation: Operation;
  /** The documented response for its status. */
  documented?: DocumentedResponse | undefined;
  /** The body, if it is JSON. */
  value?: Json | undefined;
  /** Requirements that this exchange fulfilled. */
  met: readonly string[];
  /** What is wrong with it; each deviation belongs to one requirement. */
  deviations: readonly Deviation[];
  /**
   * What else is wrong with it: a consequence of its deviations, or of what its controls got. These are no findings of
   * their own, but the requirements that they contradict are not met.
   */
  hidden: readonly Deviation[];
  /** A second look at the exchange, in which no deviation hides another. */
  isRevealed?: true;
}

/** What a part of a response, such as its body, fulfills and violates. */
export interface JudgedPart {
  met: string[];
  deviations: Deviation[];
  /** What else is wrong with it; the deviations hide this. */
  hidden: Deviation[];
}

/** What kind of response came back, and what it says about the probe. */
export type ResponseOutcome =
  /** The status is one that the interface asks for. If the response is sound, nothing is wrong with its body. */
  | { outcome: 'answered'; isSound: boolean; inconclusive?: Inconclusive }
  /** The status is wrong, or no complete response came back. */
  | { outcome: 'deviant' }
  /** The response says nothing about what the probe is for, but it is not wrong. */
  | { outcome: 'inconclusive'; inconclusive: Inconclusive }
  /** The operation is gone, which is allowed from the day of its removal. */
  | { outcome: 'removed' };

/** Why an exchange says nothing about what its probe is for. */
export interface Inconclusive {
  reason: string;
  /** The requirement whose violation explains it. */
  cause?: string | undefined;
  /** The control that did not get the response it should. */
  control?: number;
}

/** An exchange as inconclusive: its deviations say nothing about what its probe is for. */
export function tellsNothing(
  { exchange, probe, operation }: JudgedExchange,
  inconclusive: Inconclusive,
  hidden: readonly Deviation[] = [],
): Judged {
  return {
    exchange,
    probe,
    operation,
    met: [],
    deviations: [],
    hidden,
    outcome: 'inconclusive',
    inconclusive,
  };
}

/** An exchange whose wrong status belongs to another requirement that it contradicts. */
export function ownedBy(judged: Judged, requirement: string): Judged {
  const deviations = [...judged.deviations, ...judged.hidden];
  const owner = deviations.find((deviation) => deviation.requirement === requirement);
  if (!owner) return judged;
  return { ...judged, deviations: [owner], hidden: deviations.filter((deviation) => deviation !== owner) };
}

/** Whether the status is one that the interface asks for. */
export function isAnswered(judged: Judged): boolean {
  return judged.outcome === 'answered';
}

/** Whether nothing is wrong with the status and the body, so that the body's meaning can be judged. */
export function isSound(judged: Judged): boolean {
  return judged.outcome === 'answered' && judged.isSound;
}

/** Why an exchange is inconclusive; undefined if it is not. */
export function inconclusiveOf(judged: Judged): Inconclusive | undefined {
  return judged.outcome === 'answered' || judged.outcome === 'inconclusive' ? judged.inconclusive : undefined;
}

/** The level of each requirement of a contract. */
export const levelsOf = rememberingEach(
  ({ requirements }: Contract): ReadonlyMap<string, Level> =>
    new Map(requirements.map(({ id, level }) => [id, level])),
);

/** Whether a request reads with the right key. */
export function isReadWithKey({ exchange }: Pick<Judged, 'exchange'>): boolean {
  return exchange.method === 'GET' && exchange.key === 'valid';
}

/** Whether two exchanges overlapped in time. */
export function isTogether({ exchange: left }: Judged, { exchange: right }: Judged): boolean {
  return areTogether(left, right);
}

/**
 * Whether an exchange began after an earlier one had ended. Requests within a stage of a run overlap, which the times of a virtual
 * clock do not show. Requests of other clients have no stages, but real times.
 */
export function isLater(later: Judged, earlier: Judged): boolean {
  const isInOrder =
    later.exchange.id > earlier.exchange.id && later.exchange.sentAt >= earlier.exchange.receivedAt;
  if (isOfOthers(later) && isOfOthers(earlier))
    return isInOrder && later.exchange.sentAt > earlier.exchange.receivedAt;
  return STAGES.indexOf(later.exchange.stage) > STAGES.indexOf(earlier.exchange.stage) && isInOrder;
}

/**
 * Whether another client sent the request. Nobody knows what that client, or the service, changed between two such requests.
 */
export function isOfOthers({ exchange }: Judged): boolean {
  return exchange.recorded === 'traffic';
}

/**
 * Whether an exchange had ended before a later one began, also within a stage: no more requests were in flight than were sent in
 * between.
 */
export function hasEndedBefore({ exchange: earlier }: Judged, { exchange: later }: Judged): boolean {
  return later.id - earlier.id >= later.inFlight && later.sentAt >= earlier.receivedAt;
}
