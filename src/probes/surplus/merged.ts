/** Values in their order, and how many of them come for each one of a list with share 1. */
export interface WeightedValues<Value> {
  share: number;
  values: readonly Value[];
}

/** Lists merged by their shares, so that the beginning of the whole has the beginning of each. */
export function merged<Value>(lists: readonly WeightedValues<Value>[]): Value[] {
  const placed = lists.flatMap(({ share, values }, list) =>
    values.map((value, index) => ({ value, place: (index + 1) / share, list })),
  );
  return placed
    .sort((one, other) => one.place - other.place || one.list - other.list)
    .map(({ value }) => value);
}

/** The first of each list, then the second of each, and so on. */
export function alternated<Value>(lists: readonly (readonly Value[])[]): Value[] {
  return merged(lists.map((values) => ({ share: 1, values })));
}
