const BARS = '▁▂▃▄▅▆▇█';

/** Numbers as a row of bars, from zero to the largest. Only zero has the lowest one; a missing number is a blank. */
export function trend(values: readonly (number | undefined)[]): string {
  const largest = Math.max(0, ...values.filter((each) => each !== undefined));
  return values
    .map((value) => {
      if (value === undefined) return ' ';
      // A run with one violation must not look like one with none, beside another with a hundred.
      const height = value === 0 ? 0 : Math.max(1, Math.round((value / largest) * (BARS.length - 1)));
      return BARS[height] ?? ' ';
    })
    .join('');
}
