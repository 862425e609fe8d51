import { MINUTE_MS } from '../../../limiter/counts.ts';
import type { ExplainedWindow } from '../../../limiter/explain-track.ts';
import { fixedWindow } from '../../../limiter/models/fixed-window.ts';
import type { Evidence } from '../../evidence/check.ts';
import { explain } from './explain.ts';

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

/** By how much (ms) two Resets of whole windows may differ less, as each is rounded and a service may be late. */
const ROUNDED_MS = 3_000;

/** The window of a count in words. That it lasts less or more than its name says is not judged: services have such while they are tested. */
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
 * How much later (ms) each Reset of a new window is than the one before: the window lasts no longer, and less if it begins with its
 * first request. A window that nothing has used may not have begun.
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
