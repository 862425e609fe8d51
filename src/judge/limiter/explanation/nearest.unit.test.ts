import { describe, expect, test } from 'vitest';
import {
  explains,
  FIGURES,
  isRefuted,
  isUndecided,
  LAST,
  misfits,
  modelOf,
  NEVER,
  NEVER_BACK,
  observed,
  one,
  risen,
  two,
} from '../../../../test/limiters/branching-models.ts';
import type { Model } from './models/model.ts';
import { firstExplaining, firstNotRefuted, isAnyLeftByGlance, nearestOf } from './nearest.ts';
import { attempt } from './search/search.ts';

/** As many branches, which all end at the request `until`; and one more, which gets further and which a thorough search finds. */
const found = (name: string, until: number, further: number) =>
  modelOf(name, { isAlike: true, until }, (id, branch) => {
    if (branch.until === further) return one(id, branch);
    const others = two(id, branch);
    return id === 1 ? [...others, { path: 'c', isAlike: false, until: further }] : others;
  });

/** No search may look at it. */
const isLeftOut = (change: Partial<Model>): Model => ({
  ...explains('left out'),
  ...change,
  start: () => {
    throw new Error('A search looked at a model that is left out.');
  },
});

const UNBOUNDED = { steps: Number.POSITIVE_INFINITY };
const nearest = (...models: Model[]) => nearestOf(models, FIGURES, observed(), UNBOUNDED);

describe('the nearest model', () => {
  test('is the first that explains everything', () => {
    const { model, misfit, explained } = nearest(misfits('a', 3), explains('b'), explains('c'));
    expect([model.name, misfit, explained]).toEqual(['b', undefined, LAST]);
  });

  test('is else the one that explains the most for what it asks to believe', () => {
    const { model, misfit } = nearest(misfits('a', 3), misfits('b', 9), misfits('c', 10, 2));
    expect([model.name, misfit?.observation.exchange.id]).toEqual(['b', 9]);
  });

  test('is one that explains everything, whatever it asks to believe', () => {
    const surprising = { ...explains('b'), surprise: 6 };
    expect(nearest(misfits('a', LAST), surprising).model.name).toBe('b');
  });

  test('is never one that is impossible', () => {
    const impossible: Model = { ...explains('b'), isPossible: () => false };
    expect(nearest(misfits('a', 3), impossible).model.name).toBe('a');
  });

  test.each<[wider: Model, surprise: number]>([
    [misfits('wider', 9), 0],
    [misfits('wider', 10), 1],
  ])('is not looked for where a wider model gets no further', (wider, surprise) => {
    expect(nearest(misfits('a', 9), isLeftOut({ wider, surprise })).model.name).toBe('a');
  });

  test.each<[what: string, known: number, wider: Model, model: Model]>([
    ['gets further', 9, misfits('wider', 11), misfits('b', 10)],
    ['may explain everything', LAST, isUndecided('wider'), explains('b')],
  ])('is looked for where a wider model %s', (_what, known, wider, model) => {
    expect(nearest(misfits('a', known), { ...model, wider }).model.name).toBe('b');
  });

  test.each<[surprise: number, known: number]>([
    [0, 11],
    [1, 10],
  ])('is not looked for where Remaining shows that it is no nearer', (surprise, known) => {
    const models = [misfits('a', known), isLeftOut({ bounds: NEVER_BACK, surprise })];
    expect(nearestOf(models, FIGURES, risen(), UNBOUNDED).model.name).toBe('a');
  });

  test('is one that a thorough search shows to explain everything', () => {
    const { model, misfit, isPresumed, explained } = nearest(isRefuted('a'), found('b', LAST, NEVER));
    expect([model.name, misfit, isPresumed, explained]).toEqual(['b', undefined, undefined, LAST]);
  });

  test('is one that no search decides, if others are refuted', () => {
    const { model, misfit, isPresumed } = nearest(isRefuted('a'), isUndecided('b'), misfits('c', LAST));
    expect([model.name, misfit, isPresumed]).toEqual(['b', undefined, true]);
  });

  test('has what a quick search left unexplained, if a thorough one refutes it', () => {
    const { misfit, isPresumed, explained, course } = nearest(isRefuted('a'));
    expect([misfit?.observation.exchange.id, misfit?.kind, isPresumed]).toEqual([
      LAST,
      'remaining',
      undefined,
    ]);
    expect([explained, course.length]).toEqual([LAST - 1, LAST - 1]);
  });

  test('is as far as the quick search got, even if the thorough one gets further', () => {
    const { misfit, explained } = nearest(found('a', LAST - 1, LAST));
    expect([misfit?.observation.exchange.id, explained]).toEqual([LAST - 1, LAST - 2]);
  });

  test('is looked for with searches that give up', () => {
    const quick = attempt(isUndecided('a'), FIGURES, observed());
    expect([quick.isPresumed, quick.doubt?.observation.exchange.id]).toEqual([true, LAST]);
  });
});

test('the first that a quick search shows to explain everything', () => {
  const first = (...models: Model[]) => firstExplaining(models, FIGURES, observed())?.model.name;
  expect(
    first(misfits('a', 3), isUndecided('b'), found('c', LAST, NEVER), explains('d'), explains('e')),
  ).toBe('d');
  expect(first(misfits('a', 3), isUndecided('b'))).toBeUndefined();
  expect(first()).toBeUndefined();
});

test('no model that a run may not show is looked for', () => {
  const models = [isLeftOut({ isPossible: () => false }), explains('b')];
  expect(firstExplaining(models, FIGURES, observed())?.model.name).toBe('b');
});

test('no model is looked for if Remaining or a wider model shows that it does not explain everything', () => {
  const models = [isLeftOut({ bounds: NEVER_BACK }), isLeftOut({ wider: isRefuted('wider') }), explains('b')];
  expect(firstExplaining(models, FIGURES, risen())?.model.name).toBe('b');
});

test('a glance leaves what explains everything, and what it does not decide', () => {
  const isAnyLeft = (...models: Model[]) => isAnyLeftByGlance(models, FIGURES, observed());
  const impossible: Model = { ...explains('impossible'), isPossible: () => false };
  const refuted = [misfits('a', 3), impossible];
  expect(isAnyLeft(...refuted, explains('b'), isLeftOut({}))).toBe(true);
  expect(isAnyLeft(...refuted, isUndecided('b'), isLeftOut({}))).toBe(true);
  expect(isAnyLeft(...refuted)).toBe(false);
  expect(isAnyLeft()).toBe(false);
  expect(isAnyLeftByGlance([isLeftOut({ bounds: NEVER_BACK })], FIGURES, risen())).toBe(false);
});

test('the first that no thorough search refutes', () => {
  const first = (...models: Model[]) => firstNotRefuted(models, FIGURES, observed(), UNBOUNDED)?.model.name;
  const impossible: Model = { ...explains('impossible'), isPossible: () => false };
  const refuted = [misfits('a', 3), isRefuted('b'), impossible, isLeftOut({ wider: misfits('wider', 3) })];
  expect(first(...refuted, found('c', LAST, NEVER), isUndecided('d'))).toBe('c');
  expect(first(...refuted, isUndecided('d'), explains('e'))).toBe('d');
  expect(first(...refuted)).toBeUndefined();
});
