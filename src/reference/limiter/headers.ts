import type { HeaderField } from '../http/answer.ts';
import type { LimiterSettings } from '../settings.ts';
import type { LimiterVerdict } from './verdict.ts';

/** The three headers of every response (interface: Rate limit headers); Reset in Unix seconds. */
export function rateLimitHeaders(verdict: LimiterVerdict, { rounding }: LimiterSettings): HeaderField[] {
  return [
    ['X-RateLimit-Limit', String(verdict.limit)],
    ['X-RateLimit-Remaining', String(verdict.remaining)],
    ['X-RateLimit-Reset', String(wholeSeconds(verdict.resetAt, rounding))],
  ];
}

/** The `Retry-After` of a 429 (RFC 9110 §10.2.3): seconds from `now`, at least one, or a date. */
export function retryAfter({ retryAt }: LimiterVerdict, now: number, settings: LimiterSettings): HeaderField {
  const { rounding } = settings;
  if (settings.retryAfter === 'seconds')
    return ['Retry-After', String(Math.max(1, wholeSeconds(retryAt - now, rounding)))];
  return ['Retry-After', new Date(wholeSeconds(retryAt, rounding) * 1000).toUTCString()];
}

function wholeSeconds(ms: number, rounding: LimiterSettings['rounding']): number {
  if (rounding === 'down') return Math.max(0, Math.floor(ms / 1000));
  return Math.max(0, Math.ceil(ms / 1000)) + (rounding === 'second-longer' ? 1 : 0);
}
