import { MINUTE_MS } from '../../../limiter/counts.ts';
import type { ExplainedWindow } from '../../../limiter/explain-track.ts';
import { type Explanation, explanationOf } from '../../../limiter/explanation.ts';
import { fixedWindow } from '../../../limiter/models/fixed-window.ts';
import type { Misfit, Observation } from '../../../limiter/models/model.ts';
import type { Span } from '../../../limiter/models/span.ts';
import type { ExpectedRemaining, LimiterExclusion, LimiterResult } from '../../../model/report/limiter.ts';
import type { Evidence } from '../../evidence/check.ts';
import { judgeConstant } from '../seen/headers.ts';

const explanations = new WeakMap<Evidence['judged'], Explanation>();

/** A search sees only the exchanges, so it is the same whether their deviations are revealed or not. */
const searches = new WeakMap<Evidence['judged'], Explanation>();

/** Explains what a run shows of the limiter, once for each run. */
export function explain(evidence: Evidence): Explanation {
  const { judged } = evidence;
  const explanation = explanations.get(judged) ?? explanationFor(evidence);
  explanations.set(judged, explanation);
  return explanation;
}

function explanationFor(evidence: Evidence): Explanation {
  // A Limit that changes belongs to no limiter, and there would be one search for each figure.
  if (judgeConstant(evidence).status === 'violated') return { accounts: [] };
  const { judged } = evidence.unrevealed ?? evidence;
  const explanation = searches.get(judged) ?? explanationOf(evidence);
  searches.set(judged, explanation);
  return explanation;
}

/** The honest limiter that explains a run, such as `token bucket, 60 a minute`; undefined if none does. */
export function behaviorOf(evidence: Evidence): string | undefined {
  const { accounts, excluded } = explain(evidence);
  if (excluded || accounts.length === 0) return undefined;
  const names = accounts
    .filter(({ track }) => track.observations.some(({ remaining }) => remaining !== undefined))
    .filter(({ attempt }) => !attempt.isPresumed)
    .map((account) => `${account.attempt.model.name}, ${account.track.limit} ${perWindow(account)}`);
  return [...new Set(names)].join('; ') || undefined;
}

/** Two Resets may be closer than a window by so much (ms), as each is rounded and a service may be late. */
const ROUNDED_MS = 3_000;

/** The window in words. A window that is shorter or longer than its name says is not judged: services have such windows in tests. */
function perWindow({ attempt, figures, track }: ExplainedWindow): string {
  const { windowMs } = figures;
  if (track.window === 'minute' && windowMs !== MINUTE_MS)
    return `in about ${windowMs / 1_000} s, not a minute`;
  if (attempt.model !== fixedWindow) return `a ${track.window}`;
  const shortest = Math.min(...betweenResets(track, figures.limit));
  return shortest < figures.windowMs - ROUNDED_MS
    ? `in at most ${shortest / 1_000} s, not a ${track.window}`
    : `a ${track.window}`;
}

/**
 * The times (ms) between the Resets of successive windows: a window lasts no longer, and less if it begins with its first request. A
 * window that no request has used may not have begun.
 */
function betweenResets({ observations }: ExplainedWindow['track'], limit: number): number[] {
  const resets = observations.flatMap(({ reset, remaining = limit }) =>
    reset && remaining < limit ? [reset] : [],
  );
  return resets.flatMap((reset, index) => {
    const before = resets[index - 1];
    return before && reset.lo > before.hi ? [reset.lo - before.lo] : [];
  });
}

/** What excludes a limiter: the exclusion that is reported, or a later one of another account. */
type Excluded = Misfit & { observation: Observation };

/** For each account that states Remaining, the honest limiter that explains it, or comes nearest. */
export function limitersOf(evidence: Evidence): LimiterResult[] {
  const { accounts, excluded } = explain(evidence);
  return accounts
    .filter(({ track }) => track.observations.some(({ remaining }) => remaining !== undefined))
    .map((account) => {
      const isOfAccount = excluded && account.track.observations.includes(excluded.observation);
      // What the observation shows by itself, whichever requirement owns it.
      const misfit = isOfAccount ? { ...excluded, kind: excluded.shownBy } : account.attempt.misfit;
      return limiterOf(account, misfit);
    });
}

function limiterOf(
  { track, figures: { burst }, attempt }: ExplainedWindow,
  excluded: Excluded | undefined,
): LimiterResult {
  const { window, limit, observations } = track;
  const exchanges = observations.map(({ exchange }) => exchange);
  const address = onlyValue(exchanges.map((exchange) => exchange.address));
  const operation = onlyValue(exchanges.map((exchange) => exchange.operation));
  const end = attempt.course.findIndex(({ observation }) => observation === excluded?.observation);
  const course = end < 0 ? attempt.course : attempt.course.slice(0, end);
  return {
    window,
    limit,
    address,
    operation,
    model: attempt.model.name,
    explained: !excluded && !attempt.isPresumed,
    expected: course.map(({ observation, state }) =>
      expectedAfter(observation, { lo: state.left.lo - burst, hi: state.left.hi - burst }, limit),
    ),
    excludedBy: excluded && exclusionBy(excluded, limit),
  };
}

/** The Remaining of an explained response; without one, any rounding of what the model has left. */
function expectedAfter(
  { exchange: { id }, remaining }: Observation,
  { lo, hi }: Span,
  limit: number,
): ExpectedRemaining {
  const remainingSpan = remaining === undefined ? { lo, hi } : { lo: remaining, hi: remaining };
  return { exchange: id, ...wholeWithin(remainingSpan, limit) };
}

function exclusionBy({ kind, expected, observation }: Excluded, limit: number): LimiterExclusion {
  const { lo, hi } = expected;
  const range =
    kind === 'reset'
      ? wholeWithin({ lo: lo / 1_000, hi: hi / 1_000 }, Number.MAX_SAFE_INTEGER)
      : wholeWithin(expected, limit);
  return { exchange: observation.exchange.id, kind, ...range };
}

/** The whole numbers from 0 to `most` that a span may be rounded to. */
function wholeWithin({ lo, hi }: Span, max: number): { from: number; to: number } {
  const within = (value: number) => Math.min(max, Math.max(0, value));
  const from = within(Math.floor(Math.min(lo, hi)));
  return { from, to: within(Math.ceil(Math.max(lo, hi))) };
}

function onlyValue<T>(values: readonly T[]): T | undefined {
  return new Set(values).size === 1 ? values[0] : undefined;
}
