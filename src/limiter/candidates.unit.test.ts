import { expect, test } from 'vitest';
import { downTo, exhausting, falling, NOON, shown } from '../../test/limiters/limited-runs.ts';
import { candidatesOf } from './candidates.ts';
import { byAddress } from './counts.ts';

const FAMILIES = ['fixed window', 'sliding log', 'token bucket', 'sliding counter'];
const change = { ...exhausting, reset: NOON + 30 };

test('where more than the limit are let through while Reset stays, the last of them rules out every family', () => {
  const answers = [...downTo(0, change), ...falling([0, 0, 0, 0], change)];
  expect(candidatesOf(shown(answers), byAddress)).toEqual(
    FAMILIES.map((family) => ({
      family,
      explainsWith: [],
      ruledOutBy: {
        kind: 'let-through',
        expected: { lo: 0, hi: 0 },
        observation: expect.objectContaining({ exchange: expect.objectContaining({ id: answers.length }) }),
      },
    })),
  );
});

test('where no more are, a fixed window of a minute explains it', () => {
  const [window] = candidatesOf(shown(downTo(0, change)), byAddress);
  expect(window?.family).toBe('fixed window');
  expect(window?.explainsWith).toContain(60_000);
  expect(window).not.toHaveProperty('ruledOutBy');
});
