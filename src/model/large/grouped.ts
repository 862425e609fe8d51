/** Adds a value to the list of a name. */
export function addTo<Name, Value>(lists: Map<Name, Value[]>, name: Name, value: Value): void {
  const list = lists.get(name);
  if (list) list.push(value);
  else lists.set(name, [value]);
}

/** Values by name, in their order. */
export function groupedBy<Value>(
  values: readonly Value[],
  nameOf: (value: Value) => string,
): ReadonlyMap<string, readonly Value[]> {
  const groups = new Map<string, Value[]>();
  for (const value of values) addTo(groups, nameOf(value), value);
  return groups;
}
