import type { Contract, RatePlan } from '../model/contract.ts';
import { MINUTE_S } from '../model/limits/rate-plan.ts';
import { BEYOND_LIMIT, type Most, type RequestCounts } from '../model/limits/request-counts.ts';
import type { Probe } from '../model/probe.ts';
import { MOST_AGAIN } from '../session/again/confirm.ts';
import { MAX_CREATED } from '../session/learnt/created.ts';
import {
  highestListed,
  keptAfterRecovery,
  mostAfterRecovery,
  mostToExhaust,
} from '../session/terms/budget.ts';
import { LIMITS, type RunOptions, statedLimits } from './options.ts';
import { type StatedName, stated, usageError } from './settings/stated-name.ts';

/** The cost of a run for its target, known before the first request. */
export interface Cost {
  /** The requests of the plan, before the exhaustion. */
  planned: RequestCounts;
  /** How many things the run creates at most. */
  creations: number;
  /** The noun for such a thing. */
  noun: string;
  /** Set if no operation removes the things that the run creates. */
  leaves?: true;
  /** Set if no operation takes a key. */
  isKeyless?: boolean;
  /** On a disposable target: requests to things that the run did not create, and how many of them remove something. */
  unguarded?: { requests: number; removals: number };
  exhausts: boolean;
  /** Requests that the exhausted window allows, if the user stated the rate plan or the limit. */
  limit?: number | undefined;
  /** Requests of the budget that go on testing in further windows. */
  further: number;
  /** The most requests in the window after the recovery, including those that see findings again. */
  afterRecovery: number;
  /** The most requests with wrong keys in that window. */
  wrongKeysAfterRecovery: number;
  /** The limits of the key, if the user stated them. */
  limits?: RatePlan | undefined;
  /** Requests with the key that a conformant target gets at the base address, if known. */
  expected?: number;
  /** Seconds that the run waits for the limit of a conformant target, if known. */
  wait?: number;
  most: Most;
  /** The requests of `most` that only seeing findings again may use. */
  confirming: RequestCounts;
}

/** The most requests of each kind that see findings again. */
const MOST_CONFIRMING: RequestCounts = { withKey: MOST_AGAIN, wrongKeys: 3, messages: 1 };

/** Requests with wrong keys after the recovery, at most. */
const MOST_FURTHER_WRONG_KEYS = 25;

/** A run repeats at most this many requests of each kind: refused by the limit, or sent over a closed connection. */
const MAX_REPEATED = 10;

/** The figures of a plan from which its cost is derived. */
interface Planned {
  /** Before the exhaustion, without requests that clean up. */
  requests: RequestCounts;
  /** Requests that clean up. */
  cleaning: number;
  exhausts: boolean;
  /** The limits of the key, if the user stated them. */
  limits?: RatePlan | undefined;
  /** The limit of the window that is used up, if the user stated it. */
  limit?: number | undefined;
}

/**
 * The cost of a plan: its requests, those that use up the limit, and those that may be repeated.
 * @param following the probes that the plan has for the window after the recovery
 * @throws UsageError if the budget cannot be kept
 */
export function costOf(
  contract: Contract,
  probes: readonly Probe[],
  following: readonly Probe[],
  options: RunOptions,
): Cost {
  const planned = plannedOf(contract, probes, options);
  const { requests, exhausts, limits, limit } = planned;
  const further = furtherOf(planned, options);
  const confirming = confirmingOf(requests);
  const window = limit ?? highestListed(contract.ratePlans, 'minute');
  const withKey = following.filter(({ key }) => key === 'valid').length;
  const afterRecovery = Math.min(withKey, mostAfterRecovery(window));
  const wrongKeysAfterRecovery = Math.min(following.length - withKey, MOST_FURTHER_WRONG_KEYS);
  const kept = keptAfterRecovery(confirming, { withKey: afterRecovery, wrongKeys: wrongKeysAfterRecovery });
  return {
    further,
    afterRecovery,
    wrongKeysAfterRecovery,
    confirming,
    limits,
    planned: requests,
    ...leavingOf(probes),
    ...unguardedOf(contract, probes),
    noun: contract.noun,
    isKeyless: !contract.operations.some((operation) => operation.secured || operation.isKeyOptional),
    creations: mostCreated(probes),
    exhausts,
    limit,
    ...expectedOf(planned, further, options),
    most: mostOf(planned, further, kept, contract, options),
  };
}

function plannedOf({ ratePlans }: Contract, probes: readonly Probe[], options: RunOptions): Planned {
  const functional = probes.filter(({ stage }) => stage !== 'exhaust' && stage !== 'recover');
  const atBase = functional.filter(({ stage }) => stage !== 'messages');
  const exhausts = probes.some(({ stage }) => stage === 'exhaust');
  const limits = statedLimits(ratePlans, options);
  const limit = exhausts ? limits?.[exhaustedWindow(options)] : undefined;
  return {
    requests: {
      withKey: atBase.filter(({ key, onlyIf, cleansUp }) => key === 'valid' && !onlyIf && !cleansUp).length,
      wrongKeys: atBase.filter(({ key }) => key !== 'valid').length,
      messages: functional.length - atBase.length,
    },
    cleaning: atBase.filter(({ cleansUp }) => cleansUp !== undefined).length,
    exhausts,
    limits,
    limit,
  };
}

/** How many things the probes create at most. */
function mostCreated(probes: readonly Probe[]): number {
  const creating = probes.filter(({ creates, stage }) => creates && stage !== 'messages');
  const isPlanned = creating.some(({ stage }) => stage === 'create');
  return isPlanned ? Math.min(MAX_CREATED, creating.length) : 0;
}

function unguardedOf({ operations }: Contract, probes: readonly Probe[]): Pick<Cost, 'unguarded'> {
  const methods = new Map(operations.map(({ id, method }) => [id, method]));
  const unguarded = probes.filter(({ isUnguarded }) => isUnguarded);
  const removals = unguarded.filter(({ operation }) => methods.get(operation) === 'DELETE');
  return unguarded.length === 0
    ? {}
    : { unguarded: { requests: unguarded.length, removals: removals.length } };
}

/** Whether the run creates a thing that no probe removes. */
function leavingOf(probes: readonly Probe[]): Pick<Cost, 'leaves'> {
  const cleaned = new Set(probes.map(({ cleansUp }) => cleansUp));
  const isLeft = probes.some(({ id, creates }) => creates && !cleaned.has(id));
  return isLeft ? { leaves: true } : {};
}

function exhaustedWindow({ exhaust }: RunOptions): 'minute' | 'day' {
  return exhaust === 'day' ? 'day' : 'minute';
}

function expectedOf(
  { requests, exhausts, limits, limit }: Planned,
  further: number,
  { exhaust }: RunOptions,
): Pick<Cost, 'expected' | 'wait'> {
  const before = requests.withKey + further;
  if (!exhausts) return { expected: before, wait: MINUTE_S * minutesOf(before, limits) };
  if (limit === undefined) return {};
  const expected = Math.max(requests.withKey, limit + BEYOND_LIMIT) + further;
  const minutes = exhaust === 'day' ? minutesOf(expected, limits) : minutesOf(before, limits) + 1;
  return { expected, wait: MINUTE_S * minutes };
}

const NO_EXHAUST: StatedName = { option: '--no-exhaust', setting: "'exhaust: none'" };

/**
 * The requests of a budget beyond those that the run needs.
 * @throws UsageError if the budget is less than that, more than a day allows, or cannot be compared with the limit
 */
function furtherOf(
  { requests: { withKey }, exhausts, limits, limit }: Planned,
  { budget, exhaust, frugal }: RunOptions,
): number {
  if (budget === undefined) return 0;
  if (frugal)
    throw usageError`${stated('frugal')} cannot be used with ${stated('budget')} or ${{ option: '--deep', setting: "'deep'" }}, which use further windows; leave one out`;
  if (exhausts && exhaust === 'day')
    throw usageError`${stated('budget')} cannot be used with ${stated('exhaust', 'day')}, which uses all requests of the day; leave one out`;
  if (exhausts && limit === undefined)
    throw usageError`${stated('budget')}: the limit of the key is unknown; state it with ${stated('plan')} or ${LIMITS}`;
  if (limits?.day !== undefined && budget > limits.day)
    throw usageError`${stated('budget', budget)}: the key has ${limits.day} requests a day; name at most ${limits.day}`;
  const needed = exhausts && limit !== undefined ? Math.max(withKey, limit + BEYOND_LIMIT) : withKey;
  if (budget < needed)
    throw usageError`${stated('budget', budget)}: this run needs ${needed} requests with the key; name more${exhausts ? ', or use ' : ''}${exhausts ? NO_EXHAUST : ''}`;
  return budget - needed;
}

/** Minutes until so many requests are let through. */
function minutesOf(requests: number, limits: RatePlan | undefined): number {
  return limits?.minute === undefined ? 0 : Math.max(0, Math.ceil(requests / limits.minute) - 1);
}

/**
 * The bounds that the run never exceeds. If the limit is known from the headers alone, the run uses up no more than the largest
 * listed rate plan allows.
 */
function mostOf(
  { requests: planned, cleaning, exhausts, limits, limit }: Planned,
  further: number,
  kept: RequestCounts,
  { ratePlans }: Contract,
  options: RunOptions,
): Most {
  const { timeout, maxWait, maxTime, exhaust } = options;
  const highest = limit ?? highestListed(ratePlans, exhaustedWindow(options));
  const counts = {
    withKey:
      Math.max(planned.withKey + MAX_REPEATED, exhausts ? mostToExhaust(planned.withKey, highest) : 0) +
      further +
      cleaning +
      kept.withKey,
    wrongKeys: planned.wrongKeys === 0 ? 0 : planned.wrongKeys + MAX_REPEATED + kept.wrongKeys,
    messages: planned.messages === 0 ? 0 : planned.messages + MAX_REPEATED + kept.messages,
  };
  // Requests go one at a time if a limit may count them, and few take as long as they may.
  const share = Object.keys(ratePlans).length > 0 ? 1 / 2 : 1 / 4;
  const minute = limits?.minute ?? highestListed(ratePlans, 'minute');
  // Where a limit is known, further requests are sent while the run waits for its windows.
  const inTurn = sumOf(planned) + (minute === 0 ? further : 0);
  const answering = (Math.ceil(inTurn * share) * timeout) / 1000;
  const inOneMinute = exhausts && exhaust === 'day' ? counts.withKey : planned.withKey + further;
  // Wrong keys and messages may count too, and a sliding window lets fewer requests through at a time.
  const counted = Math.max(inOneMinute, sumOf(planned) + further);
  // Without a known limit nothing says how long the run waits for one, beyond the longest single wait.
  const minutes = minute === 0 || inOneMinute <= minute ? 0 : 2 * Math.ceil(counted / minute);
  return { ...counts, seconds: maxTime ?? Math.ceil(answering + 2 * maxWait + MINUTE_S * minutes) };
}

/** Only kinds of requests that the plan sends are sent again. */
function confirmingOf(planned: RequestCounts): RequestCounts {
  const { withKey, wrongKeys, messages } = MOST_CONFIRMING;
  return {
    withKey: planned.withKey === 0 ? 0 : withKey,
    wrongKeys: planned.wrongKeys === 0 ? 0 : wrongKeys,
    messages: planned.messages === 0 ? 0 : messages,
  };
}

function sumOf({ withKey, wrongKeys, messages }: RequestCounts): number {
  return withKey + wrongKeys + messages;
}
