/** Adds a value to the list of a name. */
export function addTo<Name, Value>(lists: Map<Name, Value[]>, name: Name, value: Value): void {
  const known = lists.get(name);
  if (known) known.push(value);
  else lists.set(name, [value]);
}

/** Values by the name of each, in their order. */
export function groupedBy<Value>(
  values: readonly Value[],
  nameOf: (value: Value) => string,
): ReadonlyMap<string, readonly Value[]> {
  const found = new Map<string, Value[]>();
  for (const each of values) addTo(found, nameOf(each), each);
  return found;
}
