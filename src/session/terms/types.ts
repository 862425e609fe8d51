import type { Clock } from '../../model/clock.ts';
import type { RatePlan } from '../../model/contract.ts';
import type { Exchange, Stopped, TakenApart, Unsent, Variation } from '../../model/exchange.ts';
import type { Probe, RequestVariation } from '../../model/probe.ts';
import type { AttemptForm, NotSent } from '../../model/report/confirmation.ts';
import type { Most, NoRoom, RequestCounts } from '../../model/request-counts.ts';
import type { TargetAccess } from '../../requests/request.ts';
import type { Dial, Network } from '../http/connect.ts';

/** The methods that change nothing (RFC 9110 section 9.2.1) and that petspec sends. */
export const SAFE_METHODS: readonly string[] = ['GET', 'HEAD'];

/** Draws a request: by its place, and by the steps that make it smaller. */
export type Generate = (path: readonly number[]) => Probe | undefined;

export interface SessionOptions extends TargetAccess {
  /** A shell command that makes another key where the service no longer accepts the one that it had. */
  apiKeyCommand?: string | undefined;
  /** Called for a key that takes the place of another one, before it is sent. */
  onNewKey?: (key: string) => void;
  /** Name of the environment variable or of the option that the key came from. */
  keyFrom?: string | undefined;
  clock: Clock;
  /** ms for one request. */
  timeout: number;
  /** petspec does not wait longer than this (s). */
  maxWait: number;
  concurrency: number;
  /** When the time of the run began, in ms since the epoch; by default now. */
  begunAt?: number | undefined;
  /** What the run never exceeds. */
  most: Most;
  /** Requests with the key at the base address before the exhaustion. */
  planned: number;
  /** Send nothing that may change something, whatever the plan holds. */
  safeOnly?: boolean | undefined;
  /** Change and remove what the run created, and nothing else. */
  writes?: boolean | undefined;
  /** What is sent in place of repeating one read while the limit is used up, in this order. Default: nothing. */
  surplus?: readonly Probe[];
  /** Draws more of them, where these end. */
  generate?: Generate;
  /** So many of those that are left then are sent in further windows. Default: none. */
  further?: number;
  /** What is sent in the window after the recovery, in this order, and how much of the window that uses at most. Default: nothing. */
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
  /** Whether an exchange shows something by itself: of a long exhaustion only those are kept. */
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
  /** What stands in place of the service, if the first reads show it: in words, and when to come back (s). By default nothing does. */
  setUpProblem?: (exchanges: readonly Exchange[]) => { message: string; retryAfter?: number } | undefined;
  /** Whether a response shows the service. Nothing is written before one did; by default the first one does. */
  showsService?: ((exchange: Exchange) => boolean) | undefined;
  /** Requests that may be sent to find out which variation fails. */
  isolation?: number;
  /** Sends what shows the findings again, when all else is sent. By default nothing is. */
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

/** What uses the window after the recovery. */
export interface AfterRecovery {
  probes: readonly Probe[];
  /** Requests with the key, those that see findings again included. */
  most: number;
  /** Requests with wrong keys, if they are seen to cost nothing. */
  mostWrongKeys: number;
}

/** How findings are seen again. */
export interface Confirming {
  /** How many requests it may take, out of those that the run announced. */
  most: RequestCounts;
  /** What shows the findings of a run again, the most important ones first. */
  reproductionsOf: (execution: Execution) => Promise<ToConfirm>;
  /** Whether exchanges show a finding, by themselves. */
  isShown: (finding: string, exchanges: readonly Exchange[]) => boolean;
}

/** What shows findings again, and why other findings are not looked for. */
export interface ToConfirm {
  reproductions: readonly FindingsAgain[];
  notSent: Readonly<Record<string, NotSent>>;
}

/** Findings that the same requests show. */
export interface FindingsAgain {
  /** Their requirements. */
  findings: readonly string[];
  /** The next one is tried where those before it do not show all of the findings. */
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
  /** The id of its exchange. */
  repeats: number;
  /** It goes over the connection of the one before it. */
  isJoined?: boolean;
}

export type Progress =
  /** A stage begins, or a request of it is done: so many of all before the limit is used up. */
  (
    | { kind: 'sent'; done: number; total: number; stage: string }
    | { kind: 'waiting'; seconds: number; why: string }
    /** Something that the user should know, once. */
    | { kind: 'note'; text: string }
    | { kind: 'exhausting'; limit: number; window: 'minute' | 'day'; remaining: number | undefined }
  ) & {
    /** Seconds until the run ends at the latest. */
    secondsLeft?: number;
  };

/** What an exhaustion used up: the limit, with what may have been refilled meanwhile, and the requests that were let through. */
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
  /** What was announced for the window after the recovery, and found no room there. */
  noRoom?: NoRoom | undefined;
}
