/** Values in their order, and how many of them are taken for each value of a list with share 1. */
export interface WeightedValues<Value> {
  share: number;
  values: readonly Value[];
}

/** Merges lists by their shares, so that the result begins with the first values of each. */
export function merged<Value>(lists: readonly WeightedValues<Value>[]): Value[] {
  const placed = lists.flatMap(({ share, values }, list) =>
    values.map((value, index) => ({ value, place: (index + 1) / share, list })),
  );
  return placed.sort((a, b) => a.place - b.place || a.list - b.list).map(({ value }) => value);
}

/** The first value of each list, then the second of each, and so on. */
export function alternated<Value>(lists: readonly (readonly Value[])[]): Value[] {
  return merged(lists.map((values) => ({ share: 1, values })));
}
