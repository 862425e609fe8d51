import type { Evidence } from '../../check.ts';
import { explain } from './explain.ts';

/** The honest limiter that explains a run, such as `token bucket, 60 a minute`; undefined if none does. */
export function behaviorOf(evidence: Evidence): string | undefined {
  const { accounts, excluded } = explain(evidence);
  if (excluded || accounts.length === 0) return undefined;
  const names = accounts
    .filter(({ track }) => track.observations.some(({ remaining }) => remaining !== undefined))
    .filter(({ attempt }) => !attempt.isPresumed)
    .map(({ track, attempt }) => `${attempt.model.name}, ${track.limit} a ${track.window}`);
  return [...new Set(names)].join('; ') || undefined;
}
