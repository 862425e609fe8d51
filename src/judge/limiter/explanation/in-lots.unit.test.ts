import { expect, test } from 'vitest';
import { observed } from '../../../../test/limiters/limiter-states.ts';
import { firstInLots } from './nearest.ts';

const FIGURES = { limit: 300, windowMs: 60_000, burst: 0 };

/** Five come back each second, and the responses to requests that come eight at a time overtake each other. */
function overtaking() {
  let [left, nextAt] = [200, 0.5];
  return Array.from({ length: 30 }, (_, index) => {
    const countedAt = index * 0.15;
    if (nextAt <= countedAt) [left, nextAt] = [left + 5, nextAt + 1];
    left -= 1;
    const eighths = (shift: number) => ((index * 5 + shift) % 8) / 8;
    const at = Math.max(0, countedAt - eighths(0) * 0.6);
    const until = countedAt + eighths(3) * 0.6;
    const exchange = { id: index + 1, operation: 'listPets' };
    return observed({ at, until, sentAt: at, remaining: left, inFlight: 8, exchange });
  });
}

test('a limiter that gives back in lots is searched for longer where a glance finds none', () => {
  const observations = overtaking();
  expect(firstInLots(FIGURES, observations)).toBeUndefined();
  const budget = { steps: 20_000 };
  expect(firstInLots(FIGURES, observations, { budget })?.misfit).toBeUndefined();
  expect(firstInLots(FIGURES, observations, { budget })?.explained).toBe(30);
  expect(budget.steps).toBeLessThan(20_000);
});
