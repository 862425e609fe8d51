import type { ExplainedWindow } from '../../limiter/explain-track.ts';
import { fixedWindow, twoNodes } from '../../limiter/models/fixed-window.ts';
import type { Model, Observation } from '../../limiter/models/model.ts';
import { type Finding, violated } from '../../model/finding.ts';
import type { Evidence } from '../evidence/check.ts';
import { exclusionOf } from './explanation/exclusion.ts';
import { explain } from './explanation/explain.ts';
import { judgeResetTime } from './seen/headers.ts';

/** Reset is the time at which the window ends: a possible one, and that of an honest limiter. */
export function judgeReset(evidence: Evidence): Finding {
  const excluded = exclusionOf(evidence, 'reset');
  if (excluded) return excluded;
  const byTime = judgeResetTime(evidence);
  return byTime.status === 'met' ? (judgeResetNow(evidence) ?? byTime) : byTime;
}

/** The limiters that give back all requests when the window ends. */
const WINDOWS: readonly Model[] = [fixedWindow, twoNodes];

/** A time may be rounded up to whole seconds (ms): a second more than that is left of a window of a few seconds. */
const ROUNDED_MS = 1_000;

/** Retry-After may be rounded, or longer by a little (ms). */
const LONGER_MS = 5_000;

/**
 * The violation of a Reset that is always the time of the response. A run of less than a second shows it only by the wait: Retry-After
 * says that the window lasts longer, and the next window would end too soon after it. A window that is merely shorter than its name
 * says is not judged, as services have such windows in tests; nor is a Retry-After that is longer than needed.
 */
function judgeResetNow(evidence: Evidence): Finding | undefined {
  for (const account of explain(evidence).accounts) {
    const { attempt, track } = account;
    if (!WINDOWS.includes(attempt.model) || attempt.misfit || attempt.isPresumed) continue;
    if (!track.observations.every(isTimeOfResponse)) continue;
    for (const refused of track.observations.filter(waitsPastReset)) {
      const next = nextTooSoon(account, refused);
      if (next) return alwaysTimeOfResponse(refused, next);
    }
  }
  return undefined;
}

/** Whether Reset may be the time of the response. */
function isTimeOfResponse({ at, reset }: Observation): boolean {
  return reset === undefined || reset.lo + ROUNDED_MS <= at.hi;
}

/** Whether a refusal says to wait longer than until its Reset. */
function waitsPastReset({ at, outcome, reset, exchange: { rate } }: Observation): boolean {
  if (outcome !== 'refused' || reset === undefined || rate.retryAfter === undefined) return false;
  return at.lo + rate.retryAfter * 1_000 > reset.hi + LONGER_MS;
}

/** A later response whose window has begun, and ends too soon after the window of the refusal. */
function nextTooSoon(
  { track: { observations }, figures: { limit, windowMs } }: ExplainedWindow,
  { reset: ended, exchange: refused }: Observation,
): Observation | undefined {
  if (!ended) return undefined;
  return observations.find(
    ({ reset, remaining = limit, exchange }) =>
      exchange.sentAt >= refused.receivedAt &&
      remaining < limit &&
      reset !== undefined &&
      reset.lo > ended.hi &&
      reset.hi < ended.lo + windowMs,
  );
}

function alwaysTimeOfResponse({ exchange: refused }: Observation, { exchange: next }: Observation): Finding {
  const { reset, retryAfter } = refused.rate;
  return violated(
    {
      headers: ['X-RateLimit-Reset'],
      kind: 'sequence',
      reason: 'Reset is always the time of the response, not the end of the window',
      expected: `the end of the window, which Retry-After says is ${retryAfter} s away`,
      received: `X-RateLimit-Reset: ${reset}, and ${next.rate.reset} after the wait`,
      repetition: { kind: 'after-refusal' },
    },
    [refused.id, next.id],
  );
}
