import { describe, expect, test } from 'vitest';
import { type Answer, falling, NOON, type Run, shown } from '../../../../test/limited-runs.ts';
import { explain } from './explain.ts';

/** The limiters that explain a run, and the first exchange that they do not explain. */
function explained(answers: readonly Answer[], run?: Run): { models: string[]; until: number | undefined } {
  const { accounts, excluded } = explain(shown(answers, run));
  return {
    models: accounts.map(({ attempt }) => attempt.model.name),
    until: excluded?.observation.exchange.id,
  };
}

describe('what has a limit of its own', () => {
  const untold: Run = { plan: '', limits: {} };
  const reset = NOON + 60;
  const messages = falling([29, 28], { operation: 'sendMessage', status: 200, limit: 30, reset });
  const additions = falling([19, 18, 17], { operation: 'createPet', status: 201, limit: 20, reset });
  const lists = (...remaining: number[]) => falling(remaining, { limit: 60, reset });

  test.each<[what: string, others: Answer[], run: Run, limiters: number]>([
    ['the other address, which contradicts the plan', messages, {}, 1],
    ['the other address', messages, untold, 2],
    ['an operation', additions, untold, 2],
  ])('%s: the rest is explained, or not, all the same', (_what, others, run, limiters) => {
    const right = explained([...lists(59, 58, 57), ...others], run);
    expect(right).toEqual({ models: Array(limiters).fill('fixed window'), until: undefined });
    expect(explained([...lists(59, 58, 20, 57, 3, 56), ...others], run).until).toBeGreaterThan(2);
  });

  test('a mistake of the one with its own is found, too', () => {
    const wrong = falling([19, 3, 18], { operation: 'createPet', status: 201, limit: 20, reset });
    expect(explained([...lists(59, 58, 57), ...wrong], untold).until).toBeGreaterThan(3);
  });
});
