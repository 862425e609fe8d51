import type { Contract, RatePlan } from '../model/contract.ts';
import type { Probe } from '../model/probe.ts';
import { MINUTE_S } from '../model/rate-plan.ts';
import type { Most, RequestCounts } from '../model/request-counts.ts';
import { BEYOND_LIMIT, highestListed, mostToExhaust } from '../session/budget.ts';
import { MAX_CREATED } from '../session/creations.ts';
import { type RunOptions, statedLimits, UsageError } from './options.ts';

/** What a run costs its target, known before the first request. */
export interface Cost {
  /** The requests of the plan, before the exhaustion. */
  planned: RequestCounts;
  /** Animals that the run creates at most. */
  animals: number;
  /** Requests that may remove what the run created, beyond those that test the removal. */
  cleaning?: number;
  /** Set if nothing of the interface removes what the run creates. */
  leaves?: true;
  exhausts: boolean;
  /** Requests that the exhausted window allows, if the user stated the rate plan or the limit. */
  limit?: number;
  /** Requests of the budget that go on testing in further windows. */
  further: number;
  /** The limits of the key, if the user stated them. */
  limits?: RatePlan;
  /** Requests with the key that a conformant target gets at the base address, if known. */
  expected?: number;
  /** Seconds that the run waits for the limit of a conformant target, if known. */
  wait?: number;
  most: Most;
}

/** A run repeats at most this many requests of each kind: refused by the limit, or sent over a closed connection. */
const MAX_REPEATED = 10;

/**
 * The cost of a plan: its requests, those that use up the limit, and those that may be repeated.
 * @throws UsageError if the budget cannot be kept
 */
export function costOf(contract: Contract, probes: readonly Probe[], options: RunOptions): Cost {
  const functional = probes.filter(({ stage }) => stage !== 'exhaust' && stage !== 'recover');
  const atBase = functional.filter(({ stage }) => stage !== 'messages');
  const creating = atBase.filter((each) => each.creates && each.stage === 'create').length;
  const exhausts = probes.some(({ stage }) => stage === 'exhaust');
  const cleaning = atBase.filter(({ cleansUp }) => cleansUp !== undefined).length;
  const planned = {
    withKey: atBase.filter(({ key, onlyIf, cleansUp }) => key === 'valid' && !onlyIf && !cleansUp).length,
    wrongKeys: atBase.filter(({ key }) => key !== 'valid').length,
    messages: functional.length - atBase.length,
  };
  const limit = exhausts ? statedLimits(contract.ratePlans, options)?.[exhaustedWindow(options)] : undefined;
  const known = limit === undefined ? {} : { limit };
  const limits = statedLimits(contract.ratePlans, options);
  if (options.budget !== undefined && contract.file !== undefined)
    throw new UsageError(
      '--budget: petspec has no further requests for an interface of your own; leave it out',
    );
  const further = furtherOf(planned, exhausts, limit, options, limits);
  return {
    further,
    ...(limits ? { limits } : {}),
    planned,
    ...(cleaning > 0 ? { cleaning } : {}),
    ...leavingOf(atBase),
    animals: creating === 0 ? 0 : Math.min(MAX_CREATED, atBase.filter(({ creates }) => creates).length),
    exhausts,
    ...known,
    ...expectedOf(planned, exhausts, limit, options, limits, further),
    most: mostOf(contract, planned, exhausts, limit, options, { further, cleaning }),
  };
}

/** Whether the run creates something that nothing removes. */
function leavingOf(probes: readonly Probe[]): Pick<Cost, 'leaves'> {
  const cleaned = new Set(probes.map(({ cleansUp }) => cleansUp));
  const isLeft = probes.some(({ id, creates, isWriting }) => creates && isWriting && !cleaned.has(id));
  return isLeft ? { leaves: true } : {};
}

function exhaustedWindow({ exhaust }: RunOptions): 'minute' | 'day' {
  return exhaust === 'day' ? 'day' : 'minute';
}

function expectedOf(
  planned: RequestCounts,
  exhausts: boolean,
  limit: number | undefined,
  options: RunOptions,
  limits: RatePlan | undefined,
  further: number,
): Pick<Cost, 'expected' | 'wait'> {
  const before = planned.withKey + further;
  if (!exhausts) return { expected: before, wait: MINUTE_S * minutesOf(before, limits) };
  if (limit === undefined) return {};
  const expected = Math.max(planned.withKey, limit + BEYOND_LIMIT) + further;
  const minutes = options.exhaust === 'day' ? minutesOf(expected, limits) : minutesOf(before, limits) + 1;
  return { expected, wait: MINUTE_S * minutes };
}

/**
 * The requests of a budget beyond those that the run needs.
 * @throws UsageError if the budget is less than that, more than a day allows, or cannot be compared with the limit
 */
function furtherOf(
  { withKey }: RequestCounts,
  exhausts: boolean,
  limit: number | undefined,
  { budget, exhaust }: RunOptions,
  limits: RatePlan | undefined,
): number {
  if (budget === undefined) return 0;
  if (exhausts && exhaust === 'day')
    throw new UsageError(
      '--budget cannot be used with --exhaust day, which uses all requests of the day; leave one out',
    );
  if (exhausts && limit === undefined)
    throw new UsageError('--budget: the limit of the key is unknown; state it with --plan or --limit');
  if (limits?.day !== undefined && budget > limits.day)
    throw new UsageError(
      `--budget ${budget}: the key has ${limits.day} requests a day; name at most so many`,
    );
  const needed = exhausts && limit !== undefined ? Math.max(withKey, limit + BEYOND_LIMIT) : withKey;
  if (budget < needed)
    throw new UsageError(
      `--budget ${budget}: this run needs ${needed} requests with the key${exhausts ? '; name more, or use --no-exhaust' : '; name more'}`,
    );
  return budget - needed;
}

/** Minutes until so many requests are let through. */
function minutesOf(requests: number, limits: RatePlan | undefined): number {
  return limits?.minute === undefined ? 0 : Math.max(0, Math.ceil(requests / limits.minute) - 1);
}

/**
 * What the run never exceeds. If the limit is known from the headers alone, the run uses up no more than the largest
 * listed rate plan allows.
 */
function mostOf(
  contract: Contract,
  planned: RequestCounts,
  exhausts: boolean,
  limit: number | undefined,
  options: RunOptions,
  { further, cleaning }: { further: number; cleaning: number },
): Most {
  const { concurrency, timeout, maxWait, maxTime, exhaust } = options;
  const highest = limit ?? highestListed(contract.ratePlans, exhaustedWindow(options));
  const counts = {
    withKey:
      Math.max(planned.withKey + MAX_REPEATED, exhausts ? mostToExhaust(planned.withKey, highest) : 0) +
      further +
      cleaning,
    wrongKeys: planned.wrongKeys === 0 ? 0 : planned.wrongKeys + MAX_REPEATED,
    messages: planned.messages === 0 ? 0 : planned.messages + MAX_REPEATED,
  };
  const answering = (Math.ceil(sumOf(counts) / concurrency) * timeout) / 1000;
  const minute =
    statedLimits(contract.ratePlans, options)?.minute ?? highestListed(contract.ratePlans, 'minute');
  const inOneMinute = exhausts && exhaust === 'day' ? counts.withKey : planned.withKey + further;
  // Wrong keys and messages may count too, and a sliding window lets fewer through at a time.
  const all = Math.max(inOneMinute, sumOf(planned) + further);
  // Without a known limit nothing says how long the run waits for one, beyond what a single wait may take.
  const minutes = minute === 0 || inOneMinute <= minute ? 0 : 2 * Math.ceil(all / minute);
  return { ...counts, seconds: maxTime ?? Math.ceil(answering + 2 * maxWait + MINUTE_S * minutes) };
}

function sumOf({ withKey, wrongKeys, messages }: RequestCounts): number {
  return withKey + wrongKeys + messages;
}
