/** What is known of a number: it is at least `lo` and at most `hi`. */
export interface Span {
  lo: number;
  hi: number;
}

/** Less than this of a request is lost in floating-point numbers. */
export const FLOAT_ERROR = 1e-3;

/** What is left of a span of requests after up to `used` of them. */
export function without(span: Span, used: number): Span {
  return { lo: Math.max(0, span.lo - used), hi: span.hi };
}

export function keyOf(...spans: readonly Span[]): string {
  let key = '';
  for (const { lo, hi } of spans) key += `${lo}-${hi},`;
  return key;
}

/** What two spans have in common; undefined if they have nothing. */
export function common(one: Span, other: Span): Span | undefined {
  const lo = Math.max(one.lo, other.lo);
  const hi = Math.min(one.hi, other.hi);
  return lo <= hi ? { lo, hi } : undefined;
}

/** A span that is moved by a number. */
export function plus(span: Span, by: number): Span {
  return { lo: span.lo + by, hi: span.hi + by };
}

/** How long one of so many equal parts of a window lasts, in whole ms. */
export function partOf(windowMs: number, parts: number): number {
  return Math.ceil(windowMs / parts);
}
