import { type Html, verbatim } from '../markup/markup.ts';

/** A coordinate, rounded to a tenth. */
export function px(value: number): number {
  return Number.isFinite(value) ? Number(value.toFixed(1)) : 0;
}

/** A path of d3-shape, reduced to commands and numbers. It may be longer than a text. */
export function pathData(path: string | null): Html {
  return verbatim((path ?? '').replace(/[^MLHVZ\d.,\-\s]/gi, ''));
}
