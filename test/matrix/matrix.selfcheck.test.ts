import { expect, test } from 'vitest';
import { cellsOf } from './cells.ts';
import { fits, runCell } from './run-cell.ts';

/** `npm run matrix` tries all, of several seeds. */
const CELLS = 30;

test.each(
  cellsOf(1)
    .slice(0, CELLS)
    .map((cell) => [Object.values(cell).join(', '), cell] as const),
)('an honest limiter is not accused, and is seen to hold where there is room for it: %s', async (_, cell) => {
  const { violated, enforced } = await runCell(cell);
  expect(violated).toEqual({});
  if (fits(cell)) expect(enforced?.status).toBe('met');
});

test('an honest limiter is not accused where no search finds it in time: a sliding counter with an operation apart', async () => {
  const cell = cellsOf(2)[8];
  if (!cell) return expect.fail('the matrix has fewer cells');
  expect(cell).toMatchObject({ algorithm: 'sliding-counter', counted: 'one operation apart' });
  expect((await runCell(cell)).violated).toEqual({});
}, 120_000);
