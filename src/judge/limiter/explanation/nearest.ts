import { inLotsOf } from './models/index.ts';
import type { Figures, Model, Observation } from './models/model.ts';
import { balanceOf } from './search/balance.ts';
import { type Attempt, attempt, type Budget, type Effort } from './search/search.ts';

/**
 * The first model that explains all observations, else the one that explains the most of them for what it asks to
 * believe. One for which every search gave up is presumed to explain them all.
 */
export function nearestOf(
  models: readonly Model[],
  figures: Figures,
  observations: readonly Observation[],
  budget: Budget,
): Attempt {
  const attempts: Attempt[] = [];
  for (const model of possible(models, observations)) {
    const nearest = nearestFirst(attempts.filter(({ isPresumed }) => !isPresumed))[0];
    if (nearest && isFurther(model, nearest, figures, observations, budget)) continue;
    const next = attempt(model, figures, observations);
    if (!next.misfit && !next.isPresumed) return next;
    attempts.push(next);
  }
  for (;;) {
    const [nearest] = nearestFirst(attempts) as [Attempt];
    if (!nearest.isPresumed) return nearest;
    const next = afterThoroughSearch(nearest, figures, observations, budget);
    if (!next.misfit) return next;
    attempts.splice(attempts.indexOf(nearest), 1, next);
  }
}

/** The models that a run with these observations may show. */
export function possible(models: readonly Model[], observations: readonly Observation[]): Model[] {
  return models.filter(({ isPossible }) => isPossible?.(observations) ?? true);
}

/** Whether a glance leaves one of these models possible. */
export function isAnyLeftByGlance(
  models: readonly Model[],
  figures: Figures,
  observations: readonly Observation[],
): boolean {
  return possible(models, observations).some((model) => {
    if (!balanceOf(model, figures, observations).isEver()) return false;
    const { misfit, isPresumed } = attempt(model, figures, observations, 'glance');
    return !misfit || isPresumed;
  });
}

/** What explains the most for what it asks to believe first, and of those, what is presumed to. */
function nearestFirst(attempts: readonly Attempt[]): Attempt[] {
  const rank = ({ isPresumed }: Attempt) => Number(isPresumed ?? false);
  return attempts.toSorted((one, other) => worth(other) - worth(one) || rank(other) - rank(one));
}

/** The first of these models that explains all observations, or for which a search gave up. */
export function firstNotRefuted(
  models: readonly Model[],
  figures: Figures,
  observations: readonly Observation[],
  budget: Budget,
): Attempt | undefined {
  for (const model of possible(models, observations)) {
    if (isRefuted(model.wider, figures, observations, budget)) continue;
    const next = attempt(model, figures, observations, 'thorough', budget);
    if (!next.misfit) return next;
  }
  return undefined;
}

/** How much a model explains, less what it asks to believe. */
function worth({ explained, model }: Attempt, { surprise }: Pick<Model, 'surprise'> = model): number {
  return explained - surprise;
}

/** Whether a model explains neither everything nor more than another one, as Remaining or a wider model shows. */
function isFurther(
  model: Model,
  nearest: Attempt,
  figures: Figures,
  observations: readonly Observation[],
  budget: Budget,
): boolean {
  const { wider, surprise } = model;
  if (balanceOf(model, figures, observations).most() - surprise <= worth(nearest)) return true;
  if (!wider || !isRefuted(wider, figures, observations, budget)) return false;
  return worth(attempt(wider, figures, observations, 'glance'), { surprise }) <= worth(nearest);
}

function isRefuted(
  model: Model | undefined,
  figures: Figures,
  observations: readonly Observation[],
  budget: Budget,
): boolean {
  return (
    model !== undefined && attempt(model, figures, observations, 'thorough', budget).misfit !== undefined
  );
}

/** What a thorough search says, after a quick one gave up. */
function afterThoroughSearch(
  quick: Attempt,
  figures: Figures,
  observations: readonly Observation[],
  budget: Budget,
): Attempt {
  const thorough = attempt(quick.model, figures, observations, 'thorough', budget);
  if (!thorough.misfit) return thorough.isPresumed ? quick : thorough;
  const { isPresumed: _, ...known } = quick;
  return { ...known, misfit: quick.doubt ?? thorough.misfit };
}

/** Steps that may be spent on ruling out the wider models, and with each of them all that explain no more. */
const STEPS_TO_REFUTE = 1_000;

/**
 * The first of these models that a search shows to explain all observations.
 * @param budget steps that these searches may take, together with others
 */
export function firstExplaining(
  models: readonly Model[],
  figures: Figures,
  observations: readonly Observation[],
  effort: Effort = 'quick',
  budget?: Budget,
): Attempt | undefined {
  const toRefute: Budget = { steps: Math.min(STEPS_TO_REFUTE, budget?.steps ?? STEPS_TO_REFUTE) };
  for (const model of possible(models, observations)) {
    if (!balanceOf(model, figures, observations).isEver()) continue;
    if (isRefuted(model.wider, figures, observations, toRefute)) continue;
    const next = attempt(model, figures, observations, effort, budget);
    if (!next.misfit && !next.isPresumed) return next;
  }
  return undefined;
}

/**
 * The first limiter that gives back requests in lots and explains all observations if nobody else uses the key: otherwise a
 * figure that is wrong once would look like somebody's requests, and then a lot.
 * @param counting `every`: each request with the key takes one off
 * @param budget steps that longer searches may take where a glance finds none; by default only a glance is taken
 */
export function firstInLots(
  figures: Figures,
  observations: readonly Observation[],
  { counting = 'any', budget }: { counting?: Model['counting']; budget?: Budget } = {},
): Attempt | undefined {
  const models = inLotsOf(figures).map((model) => (counting === 'any' ? model : { ...model, counting }));
  const alone = withoutOthers(observations);
  const atAGlance = firstExplaining(models, figures, alone, 'glance');
  return atAGlance ?? (budget && firstExplaining(models, figures, alone, 'quick', budget));
}

/** Kept for each list, as attempts are. */
const known = new WeakMap<readonly Observation[], readonly Observation[]>();

/** The observations if nobody else uses the key. */
function withoutOthers(observations: readonly Observation[]): readonly Observation[] {
  if (observations.every(({ others }) => others === 0)) return observations;
  const alone = known.get(observations) ?? observations.map((each) => ({ ...each, others: 0 }));
  known.set(observations, alone);
  return alone;
}
