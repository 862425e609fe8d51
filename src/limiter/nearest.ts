import { rememberingEach } from '../model/remembering.ts';
import { inLotsOf } from './models/index.ts';
import type { Figures, Model, Observation } from './models/model.ts';
import { type Attempt, attempt, type SearchBudget } from './search/search.ts';

/** The attempt of the first model that explains all observations; else of the one that explains the most, less its `surprise`. */
export function nearestOf(
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
