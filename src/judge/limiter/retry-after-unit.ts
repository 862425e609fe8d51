import { headerValue } from '../../model/exchange.ts';
import { type Finding, violated } from '../../model/finding.ts';
import { secondsToReset, windowOf } from '../../model/rate-plan.ts';
import { type Evidence, idsOf } from '../evidence/check.ts';
import type { Judged } from '../evidence/judged.ts';
import { ROUNDING_S, refusals } from './seen/evidence.ts';

/**
 * The violation of a Retry-After in milliseconds: as seconds it is far beyond Reset, and as milliseconds it is the time until Reset.
 * A service with two windows may say when the longer one ends beside the headers of the shorter one. Then it refuses while the
 * shorter one has some left, or both ended with the same request, and only by chance are the times a thousandfold.
 */
export function millisecondsToReset(evidence: Evidence): Finding | undefined {
  const wrong = refusals(evidence).filter((each) => isInMilliseconds(each, evidence));
  const [first] = wrong;
  if (!first) return undefined;
  const { retryAfter = 0 } = first.exchange.rate;
  return violated(
    {
      headers: ['Retry-After'],
      kind: 'sequence',
      reason: 'Retry-After is not in seconds; it looks like milliseconds',
      expected: `Retry-After: ${Math.ceil(retryAfter / 1_000)}, as Reset says`,
      received: `Retry-After: ${retryAfter}`,
      repetition: { kind: 'after-refusal' },
    },
    idsOf(wrong),
  );
}

function isInMilliseconds({ exchange }: Judged, { limits }: Evidence): boolean {
  const { rate, response } = exchange;
  const { retryAfter = 0, remaining } = rate;
  const isNumber = /^\d+$/.test(headerValue(response?.headers ?? [], 'Retry-After') ?? '');
  const away = secondsToReset(exchange) ?? 0;
  return (
    isNumber &&
    remaining === 0 &&
    windowOf(exchange, limits) === 'minute' &&
    away > 0 &&
    // Less is not the milliseconds of a second.
    retryAfter >= 1_000 &&
    retryAfter > away + ROUNDING_S &&
    Math.abs(retryAfter / 1_000 - away) <= ROUNDING_S - 1
  );
}
