import { describe, expect, test } from 'vitest';
import { exchange } from '../../../../test/exchange.ts';
import type { Figures, Misfit, Model, Observation, State } from './models/model.ts';
import { firstExplaining, firstNotRefuted, nearestOf } from './nearest.ts';
import { attempt } from './search/search.ts';

const FIGURES: Figures = { limit: 60, windowMs: 60_000, burst: 0 };
const LAST = 20;
const WRONG: Misfit = { kind: 'remaining', expected: { lo: 1, hi: 2 } };

/** Twenty requests, one after the other. A search knows its observations again, so each test has its own. */
const observed = (): Observation[] =>
  Array.from({ length: LAST }, (_, index) => {
    const sentAt = 1_000 * index;
    return {
      exchange: exchange({ id: index + 1, sentAt, receivedAt: sentAt + 1 }),
      at: { lo: sentAt, hi: sentAt + 2 },
      kind: 'listPets, 200',
      outcome: 'let-through',
      others: 0,
      held: 0,
    };
  });

/** A state after so many requests. Two on different branches are alike only if `isAlike`. */
interface Branch {
  path: string;
  isAlike: boolean;
  until: number;
}

/** Explains all requests before `until`. With two ways to go on after each, a quick search gives up. */
function stateOf(branch: Branch, ways: (id: number, branch: Branch) => readonly Branch[]): State {
  return {
    left: { lo: 1, hi: 60 },
    key: branch.path,
    ...branch,
    covers: (other) => {
      const { path, until } = other as unknown as Branch;
      return branch.isAlike && branch.until === until && path.length === branch.path.length;
    },
    follow: ({ exchange: { id } }) =>
      id === branch.until ? WRONG : ways(id, branch).map((each) => stateOf(each, ways)),
  };
}

const ahead =
  (way: string) =>
  (branch: Branch): Branch => ({ ...branch, path: `${branch.path}${way}` });
const one = (_id: number, branch: Branch) => [ahead('a')(branch)];
const two = (_id: number, branch: Branch) => [ahead('a')(branch), ahead('b')(branch)];

function modelOf(name: string, start: Branch, ways: typeof one, surprise = 0): Model {
  return { name, surprise, counting: 'every', start: () => [stateOf(start, ways)] };
}

const NEVER = LAST + 1;
const explains = (name: string) => modelOf(name, { path: '', isAlike: false, until: NEVER }, one);
const misfits = (name: string, until: number, surprise = 0) =>
  modelOf(name, { path: '', isAlike: false, until }, one, surprise);
/** A quick search gives up; a thorough one sees that the branches are alike, and that none explains the last request. */
const isRefuted = (name: string) => modelOf(name, { path: '', isAlike: true, until: LAST }, two);
/** Every search gives up. */
const isUndecided = (name: string) => modelOf(name, { path: '', isAlike: false, until: LAST }, two);
/** As many branches, which all end at the request `until`; and one more, which gets further and which a thorough search finds. */
const found = (name: string, until: number, further: number) =>
  modelOf(name, { path: '', isAlike: true, until }, (id, branch) => {
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

/** Remaining rises after the tenth request, and nothing comes back. */
const risen = (): Observation[] =>
  observed().map((each, index) => ({ ...each, ...(index < 9 ? {} : { remaining: index === 9 ? 5 : 50 }) }));
const NEVER_BACK: Model['bounds'] = {
  leftIf: (_figures, remaining) => ({ lo: remaining, hi: remaining }),
  ways: () => [{ returned: 0 }],
};

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
});

test('the first that a quick search shows to explain everything', () => {
  const first = (...models: Model[]) => firstExplaining(models, FIGURES, observed())?.model.name;
  expect(
    first(misfits('a', 3), isUndecided('b'), found('c', LAST, NEVER), explains('d'), explains('e')),
  ).toBe('d');
  expect(first(misfits('a', 3), isUndecided('b'))).toBeUndefined();
  expect(first()).toBeUndefined();
});

test('no model is looked for if Remaining or a wider model shows that it does not explain everything', () => {
  const models = [isLeftOut({ bounds: NEVER_BACK }), isLeftOut({ wider: isRefuted('wider') }), explains('b')];
  expect(firstExplaining(models, FIGURES, risen())?.model.name).toBe('b');
});

test('the first that no thorough search refutes', () => {
  const first = (...models: Model[]) => firstNotRefuted(models, FIGURES, observed(), UNBOUNDED)?.model.name;
  const impossible: Model = { ...explains('impossible'), isPossible: () => false };
  const refuted = [misfits('a', 3), isRefuted('b'), impossible, isLeftOut({ wider: misfits('wider', 3) })];
  expect(first(...refuted, found('c', LAST, NEVER), isUndecided('d'))).toBe('c');
  expect(first(...refuted, isUndecided('d'), explains('e'))).toBe('d');
  expect(first(...refuted)).toBeUndefined();
});
