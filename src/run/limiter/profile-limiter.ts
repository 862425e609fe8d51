import { randomBytes } from 'node:crypto';
import { type LimiterProfile, profileOf } from '../../judge/limiter/profile/profile.ts';
import { steady } from '../../model/clock.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { Most } from '../../model/limits/request-counts.ts';
import { unknownKeyFor } from '../../secrets/keys/unknown-key.ts';
import { secretsOfRun } from '../../secrets/secrets-of-run.ts';
import { openParts } from '../../session/parts/parts.ts';
import type { SessionOptions } from '../../session/terms/types.ts';
import type { RunningTarget } from '../conduct.ts';
import type { Interface } from '../contract-of.ts';
import type { RunOptions } from '../options.ts';
import { probesOf } from '../plan/probes.ts';
import { profileProbes } from './profile-probes.ts';
import { MOST_TRIES, ProfileSession, TIMES } from './send-profile.ts';

/** Requests of a profile, unless the user names another number. */
export const PROFILE_BUDGET = 200;

/** How many of them may have a wrong key. */
const MOST_WRONG_KEYS = TIMES * MOST_TRIES;

/** Waits for a window: at most so many for requests to measure with, and two after refusals. */
const WAITS_TO_MEASURE = 2;
const MOST_WAITS = WAITS_TO_MEASURE + 2;

/** A profile, and the exchanges that show it, without secrets. */
export interface Profiled {
  profile: LimiterProfile;
  exchanges: readonly Exchange[];
  /** Why it ended early. */
  endedBy?: string | undefined;
}

/** The most that a profile costs. @param budget requests in all */
export function costOfProfile(budget: number, { maxWait, maxTime, timeout }: RunOptions): Most {
  const wrongKeys = Math.min(MOST_WRONG_KEYS, Math.floor(budget / 4));
  const seconds = maxTime ?? Math.ceil(MOST_WAITS * maxWait + timeout / 1_000 + budget / 2);
  return { withKey: budget - wrongKeys, wrongKeys, messages: 0, seconds };
}

/** Sends the reads of a profile to a target, and finds out what they show of its limiter. */
export async function profileLimiter(
  { contract, checks }: Interface,
  options: RunOptions,
  target: RunningTarget,
  budget: number,
  { clock, signal, onProgress }: Pick<SessionOptions, 'clock' | 'signal' | 'onProgress'>,
): Promise<Profiled> {
  const probes = profileProbes(contract, probesOf(contract, checks));
  const session: SessionOptions = {
    ...target,
    unknownKey: unknownKeyFor(target.apiKey, 0),
    clock: steady(clock),
    timeout: options.timeout,
    maxWait: options.maxWait,
    concurrency: 1,
    most: costOfProfile(budget, options),
    planned: budget,
    headers: options.headers,
    safeOnly: true,
    network: { ...options.network, insecure: options.insecure },
    exhaust: 'minute',
    isNotable: () => true,
    ratePlans: {},
    random: () => randomBytes(8).readBigUInt64BE() >> 1n,
    signal,
    onProgress,
  };
  const parts = openParts(probes.contract, session);
  const sending = new ProfileSession(parts, probes, WAITS_TO_MEASURE);
  try {
    const endedBy = await sending.send();
    const { hide } = secretsOfRun(contract, session);
    const sent = sending.sent.map((sentRequest) => ({
      ...sentRequest,
      exchange: hide(sentRequest.exchange),
    }));
    return {
      profile: profileOf(sent, { operations: probes.contract.operations, ratePlans: {} }),
      exchanges: sent.map(({ exchange }) => exchange),
      endedBy,
    };
  } finally {
    parts.learnt.close();
    await parts.transports.close();
  }
}
