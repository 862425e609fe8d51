import { isSuccess, type Variation } from '../model/exchange.ts';
import { rememberingEach } from '../model/remembering.ts';
import type { CountedWindow } from './counts.ts';
import { fixedWindow } from './models/fixed-window.ts';
import { inLotsOf } from './models/index.ts';
import type { Figures, Misfit, Model, Observation } from './models/model.ts';
import type { Track } from './observations.ts';
import { sincePause } from './others.ts';
import { overrun } from './overrun.ts';
import { type Attempt, attempt, type SearchBudget } from './search/search.ts';

/** What was observed of one window of a count, and the honest limiter that explains it or comes nearest. */
export interface ExplainedWindow extends CountedWindow {
  attempt: Attempt;
}

/** The first observation that no honest limiter explains, and the limiter that explains the most before it. */
export interface Exclusion extends Misfit {
  nearest: Model;
  observation: Observation;
  /** Which figure shows it; a different one may be to blame (`kind`). */
  shownBy: Misfit['kind'];
  /** Without this figure, everything is explained. */
  isAlone?: true;
  /** More requests were let through than the limit, whatever their order. */
  isCounted?: true;
  /** How the request was varied; no honest limiter counts varied requests apart. */
  variation?: Variation;
}

/**
 * Explains what was observed of one window of a count.
 * @param isMore whether an exclusion leaves more explained than the best explanation so far
 */
export function explainTrack(
  track: Track,
  models: readonly Model[],
  figures: Figures,
  isMore: (excluded: Exclusion) => boolean,
): { account: ExplainedWindow; excluded?: Exclusion } {
  const attempt = nearestOf(models, figures, track.observations);
  const { misfit, model: nearest } = attempt;
  const account = { track, figures, attempt };
  const variation = misfit && evading(misfit, track.observations);
  if (variation)
    return {
      account,
      excluded: { ...misfit, kind: 'let-through', shownBy: misfit.kind, nearest, variation },
    };
  // Too many requests were let through, whatever Remaining says.
  const observation = overrun(figures, track.observations);
  if (observation) {
    const [kind, expected] = ['let-through' as const, { lo: 0, hi: 0 }];
    return { account, excluded: { kind, shownBy: kind, expected, nearest, observation, isCounted: true } };
  }
  if (!misfit) return { account };
  const excluded: Exclusion = { ...misfit, kind: kindOf(misfit, track), shownBy: misfit.kind, nearest };
  // Checking Reset takes two searches, so skip it if another explanation explains more anyway.
  const mayBeAlone = isMore({ ...excluded, isAlone: true });
  const reset = mayBeAlone ? excludedByReset(figures, track.observations) : undefined;
  if (reset?.misfit)
    return {
      account: { track, figures, attempt: reset },
      excluded: { ...reset.misfit, shownBy: 'reset', nearest: reset.model, isAlone: true },
    };
  return { account, excluded };
}

/** The attempt with a fixed window if Reset alone excludes it: it explains everything else. */
function excludedByReset(figures: Figures, observations: readonly Observation[]): Attempt | undefined {
  const wrong = attempt(fixedWindow, figures, observations);
  if (wrong.misfit?.kind !== 'reset') return undefined;
  const { misfit, isPresumed } = attempt(fixedWindow, figures, withoutReset(observations));
  return misfit || isPresumed ? undefined : wrong;
}

/** Returns the same list each time, as attempts are cached by list. */
const withoutReset = rememberingEach((observations: readonly Observation[]): readonly Observation[] =>
  observations.map(({ reset: _, ...observation }) => observation),
);

/** Which of the figures of an observation is wrong. */
function kindOf(
  { kind, observation, expected }: Misfit & { observation: Observation },
  { limit, observations }: Track,
): Misfit['kind'] {
  const { outcome, remaining = 0, exchange } = observation;
  // A refusal with Remaining above 0 comes too early, whatever Remaining should be.
  if (kind === 'remaining' && outcome === 'refused' && remaining > 0) return 'refused';
  // After the wait for Retry-After, a new window has begun before Reset.
  const isWhole = kind === 'remaining' && remaining > expected.hi && remaining === limit - 1;
  if (exchange.stage === 'recover' && ((kind === 'let-through' && remaining > 0) || isWhole)) return 'reset';
  // If no more requests than the limit were let through, the limit holds, and an earlier Remaining was wrong.
  const accepted = observations
    .filter(({ outcome }) => outcome !== 'refused')
    .map((earlier) => earlier.exchange)
    .filter((earlier) => earlier.id <= exchange.id && (earlier.key === 'valid' || isSuccess(earlier)));
  const letThrough = sincePause(accepted);
  return kind === 'let-through' && letThrough.length <= limit ? 'remaining' : kind;
}

/**
 * How a request was varied, if it is counted apart: Remaining is higher than an honest limiter leaves. If it is higher by one only,
 * there may be another reason, and the number of requests that were let through decides.
 */
function evading(
  { kind, observation, expected }: Misfit & { observation: Observation },
  observations: readonly Observation[],
): Variation | undefined {
  const { outcome, remaining = 0, exchange } = observation;
  if (kind !== 'remaining' || outcome === 'refused' || remaining <= expected.hi + 1) return undefined;
  const before = observations[observations.indexOf(observation) - 1];
  return exchange.variation ?? before?.exchange.variation;
}

/** The attempt of the first model that explains all observations; else of the one that explains the most, less its `surprise`. */
function nearestOf(
  models: readonly Model[],
  figures: Figures,
  observations: readonly Observation[],
): Attempt {
  const attempts: Attempt[] = [];
  for (const model of possible(models, observations)) {
    const next = attempt(model, figures, observations);
    if (!next.misfit && !next.isPresumed) return next;
    attempts.push(next);
  }
  return nearestFirst(attempts)[0] as Attempt;
}

function possible(models: readonly Model[], observations: readonly Observation[]): Model[] {
  return models.filter(({ isPossible }) => isPossible?.(observations) ?? true);
}

/** Ties go to the attempts that are presumed to explain everything. */
function nearestFirst(attempts: readonly Attempt[]): Attempt[] {
  const worth = ({ explained, model }: Attempt) => explained - model.surprise;
  const rank = ({ isPresumed }: Attempt) => Number(isPresumed ?? false);
  return attempts.toSorted((a, b) => worth(b) - worth(a) || rank(b) - rank(a));
}

/**
 * The attempt of the first model that explains all observations.
 * @param budget shared with other searches
 */
export function firstExplaining(
  models: readonly Model[],
  figures: Figures,
  observations: readonly Observation[],
  budget?: SearchBudget,
): Attempt | undefined {
  for (const model of possible(models, observations)) {
    const next = attempt(model, figures, observations, budget);
    if (!next.misfit && !next.isPresumed) return next;
  }
  return undefined;
}

/**
 * The attempt of the first limiter that gives back requests in lots and explains all observations. Assumes that no other client uses
 * the key: otherwise a wrong figure would look like requests of another client, followed by a lot.
 * @param isPossible whether a model may explain the count at all
 * @param counting `every`: every request with the key takes one off
 */
export function firstInLots(
  figures: Figures,
  observations: readonly Observation[],
  budget: SearchBudget,
  isPossible: (model: Model) => boolean,
  counting: Model['counting'] = 'any',
): Attempt | undefined {
  const lots = inLotsOf(figures).filter(isPossible);
  const models = lots.map((model) => (counting === 'any' ? model : { ...model, counting }));
  return firstExplaining(models, figures, withoutOthers(observations), budget);
}

/** The observations if no other client uses the key. Returns the same list each time, as attempts are cached by list. */
export const withoutOthers = rememberingEach(
  (observations: readonly Observation[]): readonly Observation[] =>
    observations.every(({ others }) => others === 0)
      ? observations
      : observations.map((observation) => ({ ...observation, others: 0 })),
);
