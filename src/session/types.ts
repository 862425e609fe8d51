import type { Clock } from '../model/clock.ts';
import type { RatePlan } from '../model/contract.ts';
import type { Exchange, Stopped, Unsent } from '../model/exchange.ts';
import type { Most } from '../model/request-counts.ts';
import type { Network } from './http/connect.ts';

export interface SessionOptions {
  baseUrl: string;
  /** Where POST /messages lives; without it nothing is sent there. */
  apiUrl?: string;
  apiKey: string;
  /** Where the user finds the key, in words. */
  keyFrom?: string;
  clock: Clock;
  /** ms for one request. */
  timeout: number;
  /** Seconds: a longer wait is not waited. */
  maxWait: number;
  concurrency: number;
  /** What the run never exceeds. */
  most: Most;
  /** Requests with the key at the base address before the limit is used up. */
  planned: number;
  /** Headers that the user adds to every request. */
  headers: readonly (readonly [name: string, value: string])[];
  /** How connections are made; directly without it. */
  network?: Network;
  /** The figures of the plan, where the user stated it. */
  limits?: RatePlan;
  ratePlans: Readonly<Record<string, RatePlan>>;
  /** Which window is used up; the day's takes as many requests as a day allows. */
  exhaust: 'minute' | 'day';
  /** Whether an exchange of a long exhaustion is out of the ordinary: only those are kept then. */
  isNotable: (exchange: Exchange) => boolean;
  /** A category that exists. */
  categoryId?: bigint;
  /** Exchanges of this run that took place before: what they asked is not asked again, and their windows still count. */
  restored?: readonly Exchange[];
  /** A random id. */
  random: () => bigint;
  /** Ends the run: what is under way is abandoned, nothing more is sent. */
  signal?: AbortSignal;
  /** Told of every exchange. */
  onExchange?: (exchange: Exchange) => void;
  /** Told of the exchanges that are kept: of a long exhaustion not all are. */
  onKept?: (exchange: Exchange) => void;
  onProgress?: (progress: Progress) => void;
}

export type Progress = (
  | { kind: 'sent'; done: number; total: number; stage: string }
  | { kind: 'waiting'; seconds: number; why: string }
  | { kind: 'exhausting'; remaining: number | undefined }
) & {
  /** Until the run ends at the latest. */
  secondsLeft?: number;
};

/** What an exhaustion used up: the limit, with what may have been refilled meanwhile, and what was let through. */
export interface Used {
  window: 'minute' | 'day';
  limit: number;
  letThrough: number;
}

/** What a session brings back. */
export interface Execution {
  exchanges: readonly Exchange[];
  unsent: readonly Unsent[];
  stopped?: Stopped;
  /** Whether references such as category ids were learnt or given, not guessed. */
  referencesKnown: boolean;
  /** The window that was used up, and the requests of it that were let through. */
  used?: Used;
  /** The figures that the run went by. */
  limits?: RatePlan;
}
