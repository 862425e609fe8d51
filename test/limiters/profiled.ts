import { profileOf } from '../../src/judge/limiter/profile/profile.ts';
import type {
  ProfileExchange,
  ProfileRole,
  ProfileStatement,
} from '../../src/judge/limiter/profile/statement.ts';
import type { Probe } from '../../src/model/probe.ts';
import { exchange } from '../exchanges/exchange.ts';

const EPOCH_S = 1_795_000_000;

/** A read of a profile, and what came back. Times in seconds since the first. */
export interface Read {
  at: number;
  status?: number;
  remaining?: number;
  reset?: number;
  retryAfter?: number;
  operation?: string;
  role?: ProfileRole;
  /** What this response states, in place of the limit that all state. */
  limit?: number;
}

/** Reads that take ten milliseconds each. @param limit as the headers state it */
export function profiled(reads: readonly Read[], limit?: number): ProfileExchange[] {
  return reads.map(
    ({ at, status = 200, role = 'fill', operation = 'listItems', ...rate }, index): ProfileExchange => {
      const sentAt = (EPOCH_S + at) * 1_000;
      return {
        role,
        probe: { operation } as Probe,
        exchange: exchange({
          id: index + 1,
          operation,
          key: role === 'wrong-key' ? 'unknown' : 'valid',
          sentAt,
          receivedAt: sentAt + 10,
          response: { status, headers: [], body: '', bytes: 0 } as never,
          rate: {
            ...(limit === undefined || status === 429 ? {} : { limit }),
            ...rate,
            ...(rate.reset === undefined ? {} : { reset: EPOCH_S + rate.reset }),
          },
        }),
      };
    },
  );
}

/** What a profile says of such reads, by what it is about. */
export function statementsOf(reads: readonly Read[], limit?: number): Map<string, ProfileStatement> {
  const { statements } = profileOf(profiled(reads, limit), { operations: [], ratePlans: {} });
  return new Map(statements.map((each) => [each.about, each]));
}

/** Reads in a row, twenty milliseconds apart, of which each takes one. */
export function falling(from: number, to: number, at: number, reset: number): Read[] {
  return Array.from({ length: from - to + 1 }, (_, index) => ({
    at: at + index / 50,
    remaining: from - index,
    reset,
  }));
}

/** So many reads that tell nothing, twenty milliseconds apart. */
export function silent(count: number, at: number): Read[] {
  return Array.from({ length: count }, (_, index) => ({ at: at + index / 50 }));
}
