import { type Html, verbatim } from '../markup/markup.ts';

/** A coordinate to a tenth: nobody sees more. */
export function px(value: number): number {
  return Number.isFinite(value) ? Number(value.toFixed(1)) : 0;
}

/** The path that d3-shape made: long, and nothing but commands and numbers. */
export function pathData(path: string | null): Html {
  return verbatim((path ?? '').replace(/[^MLHVZ\d.,\-\s]/gi, ''));
}
