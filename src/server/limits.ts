import type { Contract } from '../model/contract.ts';
import { DAY_S } from '../model/rate-plan.ts';
import type { HeaderField } from '../reference/http/answer.ts';
import type { LimiterVerdict } from '../reference/limiter/verdict.ts';
import { isOfLimit } from './answers.ts';

/** How responses tell the limit: in the old headers, in those of the drafts, in the single one of the latest, or not at all. */
export const DIALECTS = ['x-ratelimit', 'ratelimit-fields', 'ratelimit', 'none'] as const;
export type RateLimitDialect = (typeof DIALECTS)[number];

/** The dialect of the headers that the document lists; `none` if it lists none. */
export function dialectOf({ operations }: Pick<Contract, 'operations'>): RateLimitDialect {
  const names = operations
    .flatMap(({ responses }) =>
      responses.flatMap(({ headers }) => headers.map(({ name }) => name.toLowerCase())),
    )
    .filter(isOfLimit);
  if (names.some((each) => each.startsWith('x-'))) return 'x-ratelimit';
  if (names.includes('ratelimit')) return 'ratelimit';
  return names.length > 0 ? 'ratelimit-fields' : 'none';
}

/** The headers of a limit. @param minute length of its shorter window in ms @param now ms since the epoch */
export function limitHeaders(
  dialect: RateLimitDialect,
  { limit, remaining, resetAt, isOfDay }: LimiterVerdict,
  now: number,
  minute: number,
): HeaderField[] {
  const seconds = Math.max(0, Math.ceil((resetAt - now) / 1000));
  switch (dialect) {
    case 'x-ratelimit':
      return [
        ['X-RateLimit-Limit', String(limit)],
        ['X-RateLimit-Remaining', String(remaining)],
        ['X-RateLimit-Reset', String(Math.ceil(resetAt / 1000))],
      ];
    case 'ratelimit-fields':
      return [
        ['RateLimit-Limit', String(limit)],
        ['RateLimit-Remaining', String(remaining)],
        ['RateLimit-Reset', String(seconds)],
      ];
    case 'ratelimit':
      return [
        ['RateLimit', `"default";r=${remaining};t=${seconds}`],
        ['RateLimit-Policy', `"default";q=${limit};w=${isOfDay ? DAY_S : Math.ceil(minute / 1000)}`],
      ];
    case 'none':
      return [];
  }
}
