import type { Contract, RatePlan } from '../model/contract.ts';
import type { Probe } from '../model/probe.ts';
import type { Most, RequestCounts } from '../model/request-counts.ts';
import { BEYOND_LIMIT, highestListed, mostToExhaust } from '../session/budget.ts';
import { MAX_CREATED } from '../session/creations.ts';
import { type RunOptions, statedLimits } from './options.ts';

/** What a run costs its target, known before the first request. */
export interface Cost {
  /** The requests of the plan, before the limit is used up. */
  planned: RequestCounts;
  /** Animals at the most. */
  animals: number;
  exhausts: boolean;
  /** Requests that the window which is used up allows, where the user stated its plan or its figure. */
  limit?: number;
  /** Requests with the key at the base address of a conformant target, where that is known. */
  expected?: number;
  /** Seconds that a conformant target makes the run wait for its limit, where that is known. */
  wait?: number;
  most: Most;
}

/** Requests of each kind that a run sends again at the most: refused by the limit, or on a connection that was closed. */
const MAX_AGAIN = 10;

const MINUTE_S = 60;

/** What a plan costs: what is sent once, the limit where it is used up, and what may be sent again. */
export function costOf(contract: Contract, probes: readonly Probe[], options: RunOptions): Cost {
  const functional = probes.filter(({ stage }) => stage !== 'exhaust' && stage !== 'recover');
  const atBase = functional.filter(({ stage }) => stage !== 'messages');
  const creating = atBase.filter((each) => each.creates && each.stage === 'create').length;
  const exhausts = probes.some(({ stage }) => stage === 'exhaust');
  const planned = {
    withKey: atBase.filter(({ key, onlyIf }) => key === 'valid' && !onlyIf).length,
    wrongKeys: atBase.filter(({ key }) => key !== 'valid').length,
    messages: functional.length - atBase.length,
  };
  const limit = exhausts ? statedLimits(contract.ratePlans, options)?.[windowOf(options)] : undefined;
  const known = limit === undefined ? {} : { limit };
  return {
    planned,
    animals: creating === 0 ? 0 : Math.min(MAX_CREATED, atBase.filter(({ creates }) => creates).length),
    exhausts,
    ...known,
    ...expectedOf(planned, exhausts, limit, options, statedLimits(contract.ratePlans, options)),
    most: mostOf(contract, planned, exhausts, limit, options),
  };
}

function windowOf({ exhaust }: RunOptions): 'minute' | 'day' {
  return exhaust === 'day' ? 'day' : 'minute';
}

function expectedOf(
  planned: RequestCounts,
  exhausts: boolean,
  limit: number | undefined,
  options: RunOptions,
  limits: RatePlan | undefined,
): Pick<Cost, 'expected' | 'wait'> {
  if (!exhausts) return { expected: planned.withKey, wait: MINUTE_S * minutesOf(planned.withKey, limits) };
  if (limit === undefined) return {};
  const expected = Math.max(planned.withKey, limit + BEYOND_LIMIT);
  const minutes =
    options.exhaust === 'day' ? minutesOf(expected, limits) : minutesOf(planned.withKey, limits) + 1;
  return { expected, wait: MINUTE_S * minutes };
}

/** Minutes to wait until so many requests are let through. */
function minutesOf(requests: number, limits: RatePlan | undefined): number {
  return limits?.minute === undefined ? 0 : Math.max(0, Math.ceil(requests / limits.minute) - 1);
}

/**
 * What the run never exceeds. A run whose headers say what its limit is uses up no more than the largest listed plan
 * allows, unless its user states a larger limit.
 */
function mostOf(
  contract: Contract,
  planned: RequestCounts,
  exhausts: boolean,
  limit: number | undefined,
  options: RunOptions,
): Most {
  const { concurrency, timeout, maxWait, maxTime, exhaust } = options;
  const highest = limit ?? highestListed(contract.ratePlans, windowOf(options));
  const counts = {
    withKey: Math.max(planned.withKey + MAX_AGAIN, exhausts ? mostToExhaust(planned.withKey, highest) : 0),
    wrongKeys: planned.wrongKeys === 0 ? 0 : planned.wrongKeys + MAX_AGAIN,
    messages: planned.messages === 0 ? 0 : planned.messages + MAX_AGAIN,
  };
  const answering = (Math.ceil(sumOf(counts) / concurrency) * timeout) / 1000;
  const minute =
    statedLimits(contract.ratePlans, options)?.minute ?? highestListed(contract.ratePlans, 'minute');
  const inOneMinute = exhausts && exhaust === 'day' ? counts.withKey : planned.withKey;
  // Wrong keys and messages may count as well, and a sliding window lets fewer through at a time.
  const all = Math.max(inOneMinute, sumOf(planned));
  const minutes = inOneMinute <= minute ? 0 : 2 * Math.ceil(all / minute);
  return { ...counts, seconds: maxTime ?? Math.ceil(answering + 2 * maxWait + MINUTE_S * minutes) };
}

function sumOf({ withKey, wrongKeys, messages }: RequestCounts): number {
  return withKey + wrongKeys + messages;
}
