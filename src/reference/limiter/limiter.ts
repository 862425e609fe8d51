import type { Call } from '../http/call.ts';
import type { LimiterSettings, Plan } from '../settings.ts';
import { Accounts, countOne } from './accounts.ts';
import type { LimiterVerdict } from './verdict.ts';
import { verdictOf } from './verdict.ts';

export type Limiter = ReturnType<typeof createLimiter>;

/**
 * A limiter for a plan (interface: Limits). A request is allowed if every window allows it; then it counts in all of
 * them. A rejected request counts in none. There is an account per client name, so the caller's choice of names bounds the
 * memory.
 * @param start of the run, in ms since the epoch; `used` requests were sent before it
 */
export function createLimiter(plan: Plan, settings: LimiterSettings, start: number) {
  const accounts = new Accounts(plan, settings, start);
  const unused = accounts.emptyCounts();
  let latest = start;
  /** Requests of the other client that are due before the next of ours. */
  let others = 0;

  /** Counts need whole milliseconds that never go back, even if a stalled answer is counted late. */
  function forward(now: number): number {
    latest = Math.max(latest, Math.floor(now));
    return latest;
  }

  return {
    /** The time at which a request that arrives now is counted. */
    timeOf: forward,
    /** Counts a request of `client` if it is allowed, as `weight` requests if as many remain. */
    take: (client: string, at: number, weight = 1): LimiterVerdict => {
      const now = forward(at);
      const counts = accounts.countsOf(client, now);
      others += settings.background.perRequest;
      for (; others >= 1; others--) countOne(counts, now);
      const isCounted = countOne(counts, now);
      for (let n = 1; n < weight; n++) countOne(counts, now);
      return verdictOf(counts, now, isCounted, settings);
    },
    /** Makes requests available again that `take` counted then. */
    giveBack: (client: string, countedAt: number, requests: number): void => {
      for (const count of accounts.countsOf(client, latest))
        for (let n = 0; n < requests; n++) count.giveBack?.(countedAt);
    },
    /** What `take` would decide, without counting. */
    look: (client: string, at: number): LimiterVerdict => {
      const now = forward(at);
      return verdictOf(accounts.countsOf(client, now), now, false, settings);
    },
    /** The figures of a client that has sent nothing. */
    unused: (at: number): LimiterVerdict => verdictOf(unused, forward(at), true, settings),
  };
}

/** Whether the limiter covers this call. */
export function isCovered(call: Call, { covers }: LimiterSettings): boolean {
  return covers === 'all' || (call.operation !== undefined && covers.includes(call.operation));
}

/** How many requests this call counts as. */
export function weightOf(call: Call, { weights }: LimiterSettings): number {
  return (call.operation === undefined ? undefined : weights[call.operation]) ?? 1;
}

/** The account that this call counts toward. The service has only one key, so the key is not part of it. */
export function clientOf(call: Call, { scope, messages, apart }: LimiterSettings): string {
  const address = messages === 'separate' ? call.listener : '';
  if (call.operation !== undefined && apart.includes(call.operation)) return 'apart';
  if (scope === 'address') return `${address} ${call.address}`;
  if (scope === 'key-and-operation') return `${address} ${call.operation ?? ''}`;
  // Two operations share a path (interface: Endpoints); every animal has the path of the third.
  const isPets = call.operation === 'listPets' || call.operation === 'createPet';
  if (scope === 'key-and-path') return `${address} ${isPets ? 'pets' : (call.operation ?? '')}`;
  if (scope === 'key-and-method') return `${address} ${call.method}`;
  return address;
}
