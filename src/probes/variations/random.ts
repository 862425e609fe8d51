/** Draws an integer from 0 up to, but not including, a bound. */
export type Draw = (below: number) => number;

/** A generator of random numbers (mulberry32) that draws the same numbers for the same seed. */
export function drawFrom(seed: number): Draw {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** The values in a random order (Fisher-Yates). */
export function shuffled<Value>(values: readonly Value[], draw: Draw): Value[] {
  const drawn = [...values];
  for (let last = drawn.length - 1; last > 0; last -= 1) {
    const place = draw(last + 1);
    [drawn[last], drawn[place]] = [drawn[place] as Value, drawn[last] as Value];
  }
  return drawn;
}
