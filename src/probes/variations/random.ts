/** Draws numbers from 0 up to, but not including, a bound. */
export type Draw = (below: number) => number;

/** The same seed draws the same numbers (mulberry32). */
export function drawFrom(seed: number): Draw {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** The values in another order (Fisher-Yates). */
export function shuffled<Value>(values: readonly Value[], draw: Draw): Value[] {
  const drawn = [...values];
  for (let last = drawn.length - 1; last > 0; last -= 1) {
    const other = draw(last + 1);
    [drawn[last], drawn[other]] = [drawn[other] as Value, drawn[last] as Value];
  }
  return drawn;
}
