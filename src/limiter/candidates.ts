import { type CountedWindow, countsIn, MINUTE_MS, type Partition } from './counts.ts';
import { withoutOthers } from './explain-track.ts';
import { MODELS } from './models/index.ts';
import type { Model } from './models/model.ts';
import { wholeTokens } from './models/token-bucket.ts';
import type { Traffic } from './observations.ts';
import { overrun } from './overrun.ts';
import type { ObservedMisfit } from './search/branches.ts';
import { attempt } from './search/search.ts';
import { ROUND, windowLengths } from './window-lengths.ts';

/** The kinds of limiters that a profile distinguishes. A leaky bucket as a meter (GCRA) lets through what a token bucket does. */
const FAMILIES = ['fixed window', 'sliding log', 'token bucket', 'sliding counter'] as const;
type Family = (typeof FAMILIES)[number];

/** The window lengths (ms) with which a family of limiters explains all responses, or the response that rules it out. */
export interface CandidateFamily {
  family: Family;
  explainsWith: readonly number[];
  /** If no length works: the observation that the nearest limiter does not explain. */
  ruledOutBy?: ObservedMisfit;
}

/**
 * Tries every family of limiters with every window length: a profile names all that remain possible. Assumes that no other
 * client uses the key, as other clients could explain much of what a pause shows.
 * @param partition which requests are counted together
 */
export function candidatesOf(traffic: Traffic, partition: Partition): CandidateFamily[] {
  const byLength = lengthsOf(traffic).map((windowMs) => {
    const counts = countsIn(traffic, { windowMs })(partition);
    return { windowMs, counts: counts.filter(({ track }) => track.window === 'minute') };
  });
  return FAMILIES.map((family) => {
    const results = byLength.map(({ windowMs, counts }) => ({ windowMs, misfit: misfitOf(family, counts) }));
    const explainsWith = results.flatMap(({ windowMs, misfit }) => (misfit ? [] : [windowMs]));
    if (explainsWith.length > 0) return { family, explainsWith };
    const misfits = results.flatMap(({ misfit }) => misfit ?? []);
    const ruledOutBy = misfits.reduce<ObservedMisfit | undefined>(later, undefined);
    return { family, explainsWith, ...(ruledOutBy ? { ruledOutBy } : {}) };
  });
}

/** The misfit of the family's model that explains the most of the first unexplained count; undefined if all are explained. */
function misfitOf(family: Family, counts: readonly CountedWindow[]): ObservedMisfit | undefined {
  const models = [...MODELS, wholeTokens].filter(
    ({ name, counting }) => name.startsWith(family) && counting === 'any',
  );
  for (const count of counts) {
    const misfit = furthestMisfit(count, models);
    if (misfit) return misfit;
  }
  return undefined;
}

function furthestMisfit(
  { figures, track }: CountedWindow,
  models: readonly Model[],
): ObservedMisfit | undefined {
  const observations = withoutOthers(track.observations);
  const over = overrun(figures, observations);
  if (over) return { kind: 'let-through', expected: { lo: 0, hi: 0 }, observation: over };
  let furthest: ObservedMisfit | undefined;
  const hasRemaining = observations.some(({ remaining }) => remaining !== undefined);
  for (const model of models.filter(({ isPossible }) => isPossible?.(observations) ?? true)) {
    // Without Remaining, a model could explain everything by requests that take nothing off.
    const strictModel: Model = hasRemaining ? model : { ...model, counting: 'every' };
    const { misfit } = attempt(strictModel, figures, observations);
    if (!misfit) return undefined;
    furthest = later(furthest, misfit);
  }
  return furthest;
}

function later(left: ObservedMisfit | undefined, right: ObservedMisfit): ObservedMisfit {
  return left && left.observation.exchange.id >= right.observation.exchange.id ? left : right;
}

/** The window lengths (ms) to try: those that the responses show, a second less and more, and common ones. */
function lengthsOf(traffic: Traffic): number[] {
  const waits = traffic.judged.flatMap(({ exchange: { rate } }) => (rate.retryAfter ?? 0) * 1_000);
  const near = [...windowLengths(traffic), ...waits].flatMap((ms) => [ms - 1_000, ms, ms + 1_000]);
  const lengths = [MINUTE_MS, ...near, ...ROUND.map((seconds) => seconds * 1_000)];
  return [...new Set(lengths.filter((ms) => ms >= 1_000))].sort((a, b) => a - b);
}
