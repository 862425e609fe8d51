import { type CountedWindow, countsIn, MINUTE_MS, type Partition } from './counts.ts';
import { MODELS } from './models/index.ts';
import type { Model } from './models/model.ts';
import { wholeTokens } from './models/token-bucket.ts';
import { withoutOthers } from './nearest.ts';
import type { Traffic } from './observations.ts';
import { overrun } from './overrun.ts';
import type { ObservedMisfit } from './search/branches.ts';
import { attempt } from './search/search.ts';
import { ROUND, windowLengths } from './window-lengths.ts';

/** The kinds of limiters that a profile tells apart. A leaky bucket as a meter (GCRA) lets through what a token bucket does. */
const FAMILIES = ['fixed window', 'sliding log', 'token bucket', 'sliding counter'] as const;
type Family = (typeof FAMILIES)[number];

/** The limiters of one family: with which lengths of the window (ms) they explain everything, or what rules them all out. */
export interface CandidateFamily {
  family: Family;
  explainsWith: readonly number[];
  /** The observation that the nearest of them does not explain, if none explains everything. */
  ruledOutBy?: ObservedMisfit;
}

/**
 * Tries each family of limiters with each length that the window may have, and not only until the first explains everything: a
 * profile names what remains possible. Nobody else is taken to use the key: others could explain much of what a pause shows.
 * @param partition how the requests are counted together
 */
export function candidatesOf(traffic: Traffic, partition: Partition): CandidateFamily[] {
  const byLength = lengthsOf(traffic).map((windowMs) => {
    const counts = countsIn(traffic, { windowMs })(partition);
    return { windowMs, counts: counts.filter(({ track }) => track.window === 'minute') };
  });
  return FAMILIES.map((family) => {
    const tried = byLength.map((each) => ({ ...each, ...triedFor(family, each.counts) }));
    const explainsWith = tried.flatMap(({ windowMs, furthest }) => (furthest ? [] : [windowMs]));
    if (explainsWith.length > 0) return { family, explainsWith };
    const misfits = tried.flatMap(({ furthest }) => furthest ?? []);
    const ruledOutBy = misfits.reduce<ObservedMisfit | undefined>(later, undefined);
    return { family, explainsWith, ...(ruledOutBy ? { ruledOutBy } : {}) };
  });
}

/** What no model of a family explains of these counts, by the model that comes furthest; undefined if all is explained. */
function triedFor(family: Family, counts: readonly CountedWindow[]): { furthest?: ObservedMisfit } {
  const models = [...MODELS, wholeTokens].filter(
    ({ name, counting }) => name.startsWith(family) && counting === 'any',
  );
  for (const count of counts) {
    const furthest = unexplained(count, models);
    if (furthest) return { furthest };
  }
  return {};
}

function unexplained(
  { figures, track }: CountedWindow,
  models: readonly Model[],
): ObservedMisfit | undefined {
  const observations = withoutOthers(track.observations);
  const over = overrun(figures, observations);
  if (over) return { kind: 'let-through', expected: { lo: 0, hi: 0 }, observation: over };
  let furthest: ObservedMisfit | undefined;
  const isTold = observations.some(({ remaining }) => remaining !== undefined);
  for (const each of models.filter(({ isPossible }) => isPossible?.(observations) ?? true)) {
    // Where no Remaining shows what a request takes, that most of them take nothing would explain everything.
    const model: Model = isTold ? each : { ...each, counting: 'every' };
    const { misfit } = attempt(model, figures, observations);
    if (!misfit) return undefined;
    furthest = later(furthest, misfit);
  }
  return furthest;
}

function later(one: ObservedMisfit | undefined, other: ObservedMisfit): ObservedMisfit {
  return one && one.observation.exchange.id >= other.observation.exchange.id ? one : other;
}

/** The lengths that are tried: those that the responses show, a second less and more, and those that windows mostly have. */
function lengthsOf(traffic: Traffic): number[] {
  const waits = traffic.judged.flatMap(({ exchange: { rate } }) => (rate.retryAfter ?? 0) * 1_000);
  const near = [...windowLengths(traffic), ...waits].flatMap((each) => [each - 1_000, each, each + 1_000]);
  const all = [MINUTE_MS, ...near, ...ROUND.map((each) => each * 1_000)].filter((each) => each >= 1_000);
  return [...new Set(all)].sort((one, other) => one - other);
}
