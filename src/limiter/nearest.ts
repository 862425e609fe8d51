import { inLotsOf } from './models/index.ts';
import type { Figures, Model, Observation } from './models/model.ts';
import { type Attempt, attempt, type SearchBudget } from './search/search.ts';

/**
 * The first model that explains all observations, else the one that explains the most of them for what it asks to
 * believe.
 */
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

/** The models that a run with these observations may show. */
function possible(models: readonly Model[], observations: readonly Observation[]): Model[] {
  return models.filter(({ isPossible }) => isPossible?.(observations) ?? true);
}

/** What explains the most for what it asks to believe first, and of those, what is presumed to. */
function nearestFirst(attempts: readonly Attempt[]): Attempt[] {
  const worth = ({ explained, model }: Attempt) => explained - model.surprise;
  const rank = ({ isPresumed }: Attempt) => Number(isPresumed ?? false);
  return attempts.toSorted((one, other) => worth(other) - worth(one) || rank(other) - rank(one));
}

/**
 * The first of these models that explains all observations.
 * @param budget steps that this may take, together with others
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
 * The first limiter that gives back requests in lots and explains all observations if nobody else uses the key: otherwise a
 * figure that is wrong once would look like somebody's requests, and then a lot.
 * @param isPossible whether a model may explain it at all
 * @param counting `every`: each request with the key takes one off
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

/** Kept for each list, as attempts are. */
const known = new WeakMap<readonly Observation[], readonly Observation[]>();

/** The observations if nobody else uses the key. */
export function withoutOthers(observations: readonly Observation[]): readonly Observation[] {
  if (observations.every(({ others }) => others === 0)) return observations;
  const alone = known.get(observations) ?? observations.map((each) => ({ ...each, others: 0 }));
  known.set(observations, alone);
  return alone;
}
