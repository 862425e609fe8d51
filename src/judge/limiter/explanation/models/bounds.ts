import type { Bounds, Figures, Observation, Told } from './model.ts';
import { leftIf, ROUNDINGS, type Rounding } from './rounding.ts';
import { common, type Span } from './span.ts';

/** All come back at once, when the window of a response ends. Reset says when, unless the window has not begun. */
export const atOnce: Bounds = {
  leftIf: exactly,
  ways({ limit }, before, after) {
    const isBegun = ({ remaining = limit }: Observation) => remaining < limit;
    const end = isBegun(before) ? before.reset : undefined;
    const isOther = end && after.reset && isBegun(after) && !common(end, after.reset);
    const isEnded = end && end.hi < after.at.lo;
    const isOpen = end && after.at.hi < end.lo;
    return [
      ...(isOther || isEnded ? [] : [{ returned: 0 }]),
      ...(isOpen ? [] : [{ returned: Number.POSITIVE_INFINITY, isRenewed: true as const }]),
    ];
  },
};

/** Each comes back after the length of a window: until then, only what was used before. */
export const oneWindowLater: Bounds = {
  leftIf: exactly,
  ways(figures, _, after, first) {
    const isWithin = after.at.hi < first.at.lo + figures.windowMs;
    const least = exactly(figures, { remaining: first.remaining ?? 0 }).lo;
    return [{ returned: isWithin ? figures.limit + figures.burst - least : Number.POSITIVE_INFINITY }];
  },
};

/** They come back bit by bit, no faster than the limit in one window. */
export const bitByBit: Readonly<Record<Rounding, Bounds>> = Object.fromEntries(
  ROUNDINGS.map((rounding): [Rounding, Bounds] => [
    rounding,
    {
      leftIf(figures, told) {
        const { lo, hi } = leftIf(told, rounding, figures);
        return { lo, hi: hi + figures.burst };
      },
      ways: ({ limit, windowMs }, before, after) => [
        { returned: (limit * Math.max(0, after.at.hi - before.at.lo)) / windowMs },
      ],
    },
  ]),
) as Record<Rounding, Bounds>;

function exactly({ burst }: Figures, { remaining }: Pick<Told, 'remaining'>): Span {
  return remaining > 0 ? { lo: remaining + burst, hi: remaining + burst } : { lo: 0, hi: burst };
}
