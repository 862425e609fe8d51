import { describe, expect, test } from 'vitest';
import {
  ahead,
  type Branch,
  explains,
  FIGURES,
  isRefuted,
  isUndecided,
  LAST,
  misfits,
  modelOf,
  NEVER_BACK,
  observed,
  one,
  risen,
  two,
  type Ways,
} from '../../../../../test/limiters/branching-models.ts';
import { fixedWindow } from '../models/fixed-window.ts';
import type { Model, Observation } from '../models/model.ts';
import { MAX_IN_FLIGHT } from './order.ts';
import { attempt, type Effort } from './search.ts';

const EFFORTS: readonly Effort[] = ['glance', 'quick', 'thorough'];

/** Ways that count how often a search follows a request. */
function counted(ways: Ways): { ways: Ways; steps: () => number } {
  let steps = 0;
  return {
    ways: (id, branch) => {
      steps += 1;
      return ways(id, branch);
    },
    steps: () => steps,
  };
}

/** Eight branches after each request: more than a search tries in all, however few the requests. */
const eight: Ways = (_id, branch) => [...'abcdefgh'].map((way) => ahead(way)(branch));

describe('how much a search tries', () => {
  test.each<[effort: Effort, steps: number]>([
    // It gets to the last request, and from then on no further.
    ['glance', LAST + 2 * LAST],
    ['quick', 2_000 + 40 * LAST],
    ['thorough', 20_000 + 400 * LAST],
  ])('%s: %i steps, and then it gives up', (effort, most) => {
    const { ways, steps } = counted(two);
    const tried = attempt(modelOf('a', { until: LAST }, ways), FIGURES, observed(), effort);
    expect([steps(), tried.isPresumed, tried.misfit, tried.doubt?.observation.exchange.id]).toEqual([
      most,
      true,
      undefined,
      LAST,
    ]);
    expect([tried.explained, tried.course.length]).toEqual([LAST - 1, LAST - 1]);
  });

  test('searches share the steps that they are given', () => {
    const budget = { steps: 3 * LAST + 5 };
    const of = (effort: Effort) => attempt(explains('a'), FIGURES, observed(), effort, budget);
    expect([of('quick').explained, budget.steps]).toEqual([LAST, 2 * LAST + 5]);
    expect([of('glance').explained, budget.steps]).toEqual([LAST, LAST + 5]);
    expect([of('thorough').isPresumed, budget.steps]).toEqual([undefined, 5]);
    expect([of('thorough').isPresumed, budget.steps]).toEqual([true, 0]);
    const { ways, steps } = counted(one);
    expect(attempt(modelOf('a', {}, ways), FIGURES, observed(), 'thorough', budget)).toMatchObject({
      explained: 0,
      isPresumed: true,
      course: [],
    });
    expect(steps()).toBe(0);
  });

  test('no more than a glance, if Remaining shows that the model cannot explain all', () => {
    const { ways, steps } = counted(eight);
    const model: Model = { ...modelOf('a', { until: 6 }, ways), bounds: NEVER_BACK };
    expect(attempt(model, FIGURES, risen())).toMatchObject({ explained: 5, isPresumed: true });
    expect(steps()).toBe(50 + 5 * LAST);
  });

  test('no more than is needed to get as far as Remaining allows, after it could have explained all', () => {
    const { ways, steps } = counted(two);
    // Remaining rises by the eleventh request.
    const model: Model = { ...modelOf('a', { until: 11 }, ways), bounds: NEVER_BACK };
    const { misfit, isPresumed, explained } = attempt(model, FIGURES, risen());
    expect([misfit?.observation.exchange.id, isPresumed, explained]).toEqual([11, undefined, 10]);
    expect(steps()).toBe(LAST + 1);
  });

  test('nothing in a thorough search, if Remaining shows that the model cannot explain all', () => {
    const { ways, steps } = counted(one);
    const model: Model = { ...modelOf('a', {}, ways), bounds: NEVER_BACK };
    const { misfit, explained, course } = attempt(model, FIGURES, risen(), 'thorough');
    expect(misfit).toMatchObject({ kind: 'remaining', expected: { lo: 0, hi: 0 } });
    expect([misfit?.observation.exchange.id, explained, course, steps()]).toEqual([1, 0, [], 0]);
  });

  test('in a thorough search, no order of more requests at a time than it can try', () => {
    const together = (most: number) =>
      observed().map((each, index): Observation => {
        return index === 9 ? { ...each, exchange: { ...each.exchange, inFlight: most } } : each;
      });
    const tried = (inFlight: number, effort: Effort) =>
      attempt(explains('a'), FIGURES, together(inFlight), effort);
    expect(tried(MAX_IN_FLIGHT + 1, 'thorough')).toMatchObject({
      explained: 0,
      isPresumed: true,
      course: [],
    });
    expect(tried(MAX_IN_FLIGHT, 'thorough')).toMatchObject({ explained: LAST });
    expect(tried(MAX_IN_FLIGHT + 1, 'quick')).toMatchObject({ explained: LAST });
  });

  test.each(EFFORTS)('no branch twice: %s', (effort) => {
    // All branches are the same, and end at the last request.
    const { ways, steps } = counted((_id, branch) => [ahead('a')(branch), ahead('a')(branch)]);
    const model = modelOf('a', { until: LAST, isAlike: true }, ways);
    expect(attempt(model, FIGURES, observed(), effort).misfit?.observation.exchange.id).toBe(LAST);
    expect(steps()).toBe(LAST);
  });
});

describe('what a search finds', () => {
  test.each(EFFORTS)('every request in its order, with what was left after it: %s', (effort) => {
    const all = observed();
    const { course, explained, ...rest } = attempt(modelOf('a', {}, two), FIGURES, all, effort);
    expect([explained, Object.keys(rest)]).toEqual([LAST, ['model', 'weights']]);
    expect(course.map(({ observation }) => observation)).toEqual(all);
    // The likeliest way is the first.
    expect(course.map(({ state }) => state.key)).toEqual(all.map((_, index) => 'a'.repeat(index + 1)));
  });

  test.each(EFFORTS)('nothing without requests: %s', (effort) => {
    const none = { model: fixedWindow, explained: 0, weights: {}, course: [] };
    expect(attempt(fixedWindow, FIGURES, [], effort)).toEqual(none);
  });

  test.each(EFFORTS)('the first request, if that is not explained: %s', (effort) => {
    const { misfit, explained } = attempt(misfits('a', 1), FIGURES, observed(), effort);
    expect([misfit?.observation.exchange.id, explained]).toEqual([1, 0]);
  });

  test.each<[what: string, ends: readonly number[], furthest: string]>([
    ['is the furthest, if it comes last', [3, 4, 6], 'c'],
    ['is the furthest, if it comes first', [6, 4, 3], 'a'],
    ['is the first of those that are as far', [4, 6, 6], 'b'],
  ])('the misfit %s', (_what, ends, furthest) => {
    const branches = (_id: number, branch: Branch) =>
      [...'abc'].map((way, index) => ({ ...ahead(way)(branch), until: ends[index] ?? 0 }));
    const ways: Ways = (id, branch) => (id === 1 ? branches(id, branch) : one(id, branch));
    const { misfit, course, explained } = attempt(modelOf('a', {}, ways), FIGURES, observed());
    expect([misfit?.observation.exchange.id, explained]).toEqual([6, 5]);
    expect(course[0]?.state.key).toBe(furthest);
  });

  test('what the likeliest way says is not explained', () => {
    const { misfit } = attempt(modelOf('a', { until: 3 }, two), FIGURES, observed());
    // No way went to b before.
    expect(misfit).toMatchObject({ kind: 'remaining', expected: { lo: 0, hi: 0 } });
  });
});

describe('what is known of an earlier search', () => {
  test('nothing, if all steps were taken before it ended', () => {
    const [model, observations] = [isRefuted('a'), observed()];
    expect(attempt(model, FIGURES, observations, 'thorough', { steps: 1 }).isPresumed).toBe(true);
    expect(attempt(model, FIGURES, observations, 'thorough').misfit?.observation.exchange.id).toBe(LAST);
    expect(attempt(model, FIGURES, observations, 'thorough', { steps: 1 }).isPresumed).toBeUndefined();
  });

  test('at least what a glance would show, after a quick one', () => {
    const [model, observations] = [isUndecided('a'), observed()];
    const quick = attempt(model, FIGURES, observations);
    expect(attempt(model, FIGURES, observations, 'glance')).toBe(quick);
  });

  test('no more than a quick search shows, after a glance; and no more than a thorough one, after a quick one', () => {
    const [model, observations] = [isRefuted('a'), observed()];
    const glance = attempt(model, FIGURES, observations, 'glance');
    const quick = attempt(model, FIGURES, observations, 'quick');
    expect([glance.isPresumed, quick === glance]).toEqual([true, false]);
    expect(attempt(model, FIGURES, observations, 'thorough').misfit).toBeDefined();
  });

  test.each(EFFORTS)('everything, with the same model and the same requests: %s', (effort) => {
    const { ways, steps } = counted(one);
    const [model, observations] = [modelOf('a', {}, ways), observed()];
    const first = attempt(model, FIGURES, observations, effort);
    expect(attempt(model, FIGURES, observations, effort)).toBe(first);
    expect(attempt(explains('b'), FIGURES, observations, effort).model.name).toBe('b');
    expect(steps()).toBe(LAST);
  });
});
