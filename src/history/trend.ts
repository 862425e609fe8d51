const BARS = '▁▂▃▄▅▆▇█';

/** Numbers as a row of bars, from zero to the largest. A missing number is a blank. */
export function trend(values: readonly (number | undefined)[]): string {
  const largest = Math.max(0, ...values.filter((each) => each !== undefined));
  return values
    .map((value) => {
      if (value === undefined) return ' ';
      const height = largest === 0 ? 0 : Math.round((value / largest) * (BARS.length - 1));
      return BARS[height] ?? ' ';
    })
    .join('');
}
