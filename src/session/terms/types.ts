import type { Clock } from '../../model/clock.ts';
import type { RatePlan } from '../../model/contract.ts';
import type { Exchange, Stopped, TakenApart, Unsent, Variation } from '../../model/exchange.ts';
import type { Most, NoRoom, RequestCounts } from '../../model/limits/request-counts.ts';
import type { Probe, RequestVariation } from '../../model/probe.ts';
import type { AttemptForm, NotSent } from '../../model/report/confirmation.ts';
import type { TargetAccess } from '../../requests/request.ts';
import type { Dial, Network } from '../http/connect.ts';

/** The methods that change nothing (RFC 9110 section 9.2.1) and that petspec sends. */
export const SAFE_METHODS: readonly string[] = ['GET', 'HEAD'];

/** Draws a request. The path is its place, and then the steps that make it smaller. */
export type Generate = (path: readonly number[]) => Probe | undefined;

export interface SessionOptions extends TargetAccess {
  /** A shell command that makes another key when the service no longer accepts the current one. */
  apiKeyCommand?: string | undefined;
  /** Called with a new key before it is sent. */
  onNewKey?: (key: string) => void;
  /** Name of the environment variable or of the option that the key came from. */
  keyFrom?: string | undefined;
  clock: Clock;
  /** ms for one request. */
  timeout: number;
  /** The longest wait (s). */
  maxWait: number;
  concurrency: number;
  /** When the time of the run began, in ms since the epoch; by default now. */
  begunAt?: number | undefined;
  /** The requests and the time that the run never exceeds. */
  most: Most;
  /** Requests with the key at the base address before the exhaustion. */
  planned: number;
  /** Sends only safe methods, whatever the plan holds. */
  safeOnly?: boolean | undefined;
  /** Changes and removes only what the run created. */
  writes?: boolean | undefined;
  /** Probes that replace repetitions of the same read while the limit is used up, in this order. Default: none. */
  surplus?: readonly Probe[];
  /** Draws more such probes after these. */
  generate?: Generate;
  /** How many of the remaining ones are sent in further windows. Default: none. */
  further?: number;
  /** What is sent in the window after the recovery, and how much of the window it uses at most. Default: nothing. */
  afterRecovery?: AfterRecovery | undefined;
  /** How connections are made; by default directly. */
  network?: Network;
  /** Opens connections in memory, in place of the network. */
  dial?: Dial;
  /** The limits of the key, if the user stated them. */
  limits?: RatePlan | undefined;
  ratePlans: Readonly<Record<string, RatePlan>>;
  /** Which window the run uses up; `day` takes a day's requests. */
  exhaust: 'minute' | 'day';
  /** Whether an exchange shows something by itself: a long exhaustion keeps only those. */
  isNotable: (exchange: Exchange) => boolean;
  /**
   * The requirements that an exchange violates by itself, or together with earlier exchanges that it depends on; empty if
   * nothing is wrong with it. By default a varied request is never taken apart.
   * @param earlier the exchanges of a probe
   */
  violatedBy?: (
    exchange: Exchange,
    earlier: (probe: string) => readonly Exchange[],
    referencesKnown: boolean,
  ) => readonly string[];
  /** The problem if the first reads show something else than the service, and when to try again (s). Default: none. */
  setUpProblem?: (exchanges: readonly Exchange[]) => { message: string; retryAfter?: number } | undefined;
  /** Whether a response is of the service: nothing is written before the first such response. Default: any response is. */
  showsService?: ((exchange: Exchange) => boolean) | undefined;
  /** Requests that may be sent to isolate the variation that fails. */
  isolation?: number;
  /** Confirms findings at the end of the run. Default: none are confirmed. */
  confirming?: Confirming;
  /** A category that exists. */
  categoryId?: bigint | undefined;
  /** Exchanges that an earlier part of this run completed: they are not sent again, and their windows still count. */
  restored?: readonly Exchange[] | undefined;
  /** Draws int64s. */
  random: () => bigint;
  /** Ends the run when it aborts: requests in flight are abandoned, and nothing more is sent. */
  signal?: AbortSignal | undefined;
  /** Called for each exchange. */
  onExchange?: ((exchange: Exchange) => void) | undefined;
  /** Called for each exchange that is kept; a long exhaustion does not keep all of them. */
  onKept?: ((exchange: Exchange) => void) | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** How the window after the recovery is used. */
export interface AfterRecovery {
  probes: readonly Probe[];
  /** Requests with the key, confirmations included. */
  most: number;
  /** Requests with wrong keys, if they are seen not to count against the limit. */
  mostWrongKeys: number;
}

/** How findings are confirmed. */
export interface Confirming {
  /** The most requests, out of those that the run announced. */
  most: RequestCounts;
  /** The requests that show the findings of a run again, the most important findings first. */
  reproductionsOf: (execution: Execution) => Promise<ToConfirm>;
  /** Whether exchanges show a finding, by themselves. */
  isShown: (finding: string, exchanges: readonly Exchange[]) => boolean;
}

/** The requests that show findings again, and why other findings are not confirmed. */
export interface ToConfirm {
  reproductions: readonly FindingsAgain[];
  notSent: Readonly<Record<string, NotSent>>;
}

/** Findings that the same requests show. */
export interface FindingsAgain {
  /** The requirements of the findings. */
  findings: readonly string[];
  /** In order; the next attempt is sent if the attempts before it do not show all of the findings. */
  attempts: readonly ConfirmationAttempt[];
}

/** Requests that show findings, in order. */
export interface ConfirmationAttempt {
  form: AttemptForm;
  requests: readonly RequestAgain[];
}

/** A request of the run that is sent again. */
export interface RequestAgain {
  probe: Probe;
  variations: readonly RequestVariation[];
  variation?: Variation | undefined;
  /** The id of the exchange that it repeats. */
  repeats: number;
  /** Sent over the connection of the request before it. */
  isJoined?: boolean;
}

export type Progress =
  /** A stage begins, or one of its requests is done; the total is without the exhaustion. */
  (
    | { kind: 'sent'; done: number; total: number; stage: string }
    | { kind: 'waiting'; seconds: number; why: string }
    /** Something that the user should know, once. */
    | { kind: 'note'; text: string }
    | { kind: 'exhausting'; limit: number; window: 'minute' | 'day'; remaining: number | undefined }
  ) & {
    /** Seconds until the latest end of the run. */
    secondsLeft?: number;
  };

/** The window that an exhaustion used up: the limit with possible refills, and the requests that were let through. */
export interface UsedWindow {
  window: 'minute' | 'day';
  limit: number;
  letThrough: number;
}

/** The result of a session. */
export interface Execution {
  exchanges: readonly Exchange[];
  unsent: readonly Unsent[];
  stopped?: Stopped | undefined;
  /** Whether references such as category ids were learnt or stated, not guessed. */
  referencesKnown: boolean;
  used?: UsedWindow | undefined;
  /** The varied requests that failed, if their plain forms did not fail in the same way. */
  takenApart?: readonly TakenApart[] | undefined;
  /** Why findings were not sent again. Absent if petspec did not get so far. */
  unconfirmed?: Readonly<Record<string, NotSent>> | undefined;
  /** The limits of the key, stated or inferred. */
  limits?: RatePlan | undefined;
  /** The announced probes for which the window after the recovery had no room. */
  noRoom?: NoRoom | undefined;
}
