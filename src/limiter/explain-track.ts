import { isSuccess, type Variation } from '../model/exchange.ts';
import type { CountedWindow } from './counts.ts';
import { fixedWindow } from './models/fixed-window.ts';
import type { Figures, Misfit, Model, Observation } from './models/model.ts';
import { nearestOf } from './nearest.ts';
import type { Track } from './observations.ts';
import { sincePause } from './others.ts';
import { overrun } from './overrun.ts';
import { type Attempt, attempt } from './search/search.ts';

/** What was observed of one window of one count, and the honest limiter that explains it, or comes nearest. */
export interface ExplainedWindow extends CountedWindow {
  attempt: Attempt;
}

/** An observation that no honest limiter explains, and the one that explains the most before it. */
export interface Exclusion extends Misfit {
  nearest: Model;
  observation: Observation;
  /** Which figure shows it: another one may be to blame. */
  shownBy: Misfit['kind'];
  /** Without this figure, everything is explained. */
  isAlone?: true;
  /** The number of requests that were let through shows it by itself, in whichever order they were counted. */
  isCounted?: true;
  /** How the request was varied that no honest limiter counts apart. */
  variation?: Variation;
}

/**
 * Explains what was observed of one window of one count.
 * @param isMore whether an exclusion leaves more explained than what is known already
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
  // By the number of requests that were let through alone, whatever Remaining says.
  const last = overrun(figures, track.observations);
  if (last) {
    const expected = { lo: 0, hi: 0 };
    return {
      account,
      excluded: {
        kind: 'let-through',
        shownBy: 'let-through',
        expected,
        nearest,
        observation: last,
        isCounted: true,
      },
    };
  }
  if (!misfit) return { account };
  const excluded: Exclusion = { ...misfit, kind: kindOf(misfit, track), shownBy: misfit.kind, nearest };
  // To look at Reset takes two searches, and is in vain if even then another explanation explains more.
  const mayBeAlone = isMore({ ...excluded, isAlone: true });
  const reset = mayBeAlone ? excludedByReset(figures, track.observations) : undefined;
  if (reset?.misfit)
    return {
      account: { track, figures, attempt: reset },
      excluded: { ...reset.misfit, shownBy: 'reset', nearest: reset.model, isAlone: true },
    };
  return { account, excluded };
}

/** The attempt of a fixed window if Reset alone excludes it: without Reset, it explains everything. */
function excludedByReset(figures: Figures, observations: readonly Observation[]): Attempt | undefined {
  const wrong = attempt(fixedWindow, figures, observations);
  if (wrong.misfit?.kind !== 'reset') return undefined;
  const { misfit, isPresumed } = attempt(fixedWindow, figures, withoutReset(observations));
  return misfit || isPresumed ? undefined : wrong;
}

/** Kept for each list, as attempts are. */
const known = new WeakMap<readonly Observation[], readonly Observation[]>();

function withoutReset(observations: readonly Observation[]): readonly Observation[] {
  const without = known.get(observations) ?? observations.map(({ reset: _, ...each }) => each);
  known.set(observations, without);
  return without;
}

/** Which of the figures of an observation is wrong. */
function kindOf(
  { kind, observation, expected }: Misfit & { observation: Observation },
  { limit, observations }: Track,
): Misfit['kind'] {
  const { outcome, remaining = 0, exchange } = observation;
  // A refusal that says that more requests remain comes too early, whatever should remain instead.
  if (kind === 'remaining' && outcome === 'refused' && remaining > 0) return 'refused';
  // After a wait for Retry-After, the window has ended: then it did not wait for its Reset.
  const isWhole = kind === 'remaining' && remaining > expected.hi && remaining === limit - 1;
  if (exchange.stage === 'recover' && ((kind === 'let-through' && remaining > 0) || isWhole)) return 'reset';
  // As long as no more than the limit are let through, the limit holds, and what Remaining said before was wrong.
  const before = observations.filter(
    (each) =>
      (each.exchange.key === 'valid' || isSuccess(each.exchange)) &&
      each.exchange.id <= exchange.id &&
      each.outcome !== 'refused',
  );
  const letThrough = sincePause(before.map((each) => each.exchange));
  return kind === 'let-through' && letThrough.length <= limit ? 'remaining' : kind;
}

/**
 * How a request was varied that is counted apart: more remain after it than an honest limiter leaves. One more may have
 * another reason, and then the number of requests that were let through shows it.
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
