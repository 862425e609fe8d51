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
