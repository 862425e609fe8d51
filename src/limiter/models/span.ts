/** The bounds of an unknown number: at least `lo`, at most `hi`. */
export interface Span {
  lo: number;
  hi: number;
}

/** Fractions of a request below this are rounding errors of floating-point numbers. */
export const FLOAT_ERROR = 1e-3;

/** What is left after up to `used` requests. */
export function without(span: Span, used: number): Span {
  return { lo: Math.max(0, span.lo - used), hi: span.hi };
}

export function keyOf(...spans: readonly Span[]): string {
  let key = '';
  for (const { lo, hi } of spans) key += `${lo}-${hi},`;
  return key;
}

/** The intersection of two spans; undefined if it is empty. */
export function common(a: Span, b: Span): Span | undefined {
  const lo = Math.max(a.lo, b.lo);
  const hi = Math.min(a.hi, b.hi);
  return lo <= hi ? { lo, hi } : undefined;
}

export function plus(span: Span, by: number): Span {
  return { lo: span.lo + by, hi: span.hi + by };
}

/** The length of one of several equal parts of a window, in whole ms. */
export function partOf(windowMs: number, parts: number): number {
  return Math.ceil(windowMs / parts);
}
