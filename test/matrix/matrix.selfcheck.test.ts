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

/** What was accused once, by its place in the second array. */
const HARD = [
  ['no search finds it in time', 8, { algorithm: 'sliding-counter', counted: 'one operation apart' }],
  [
    'it covers messages, which come back at once',
    2,
    { algorithm: 'token-bucket', counted: 'messages alone' },
  ],
  ['only one operation shows how fast it refills', 4, { algorithm: 'gcra', counted: 'one operation apart' }],
] as const;

test.each(HARD)(
  'an honest limiter is not accused where %s',
  async (_, index, what) => {
    const cell = cellsOf(2)[index];
    if (!cell) return expect.fail('the matrix has fewer cells');
    expect(cell).toMatchObject(what);
    expect((await runCell(cell)).violated).toEqual({});
  },
  120_000,
);
