/** The size of a cache entry besides its text, in characters. */
const ENTRY = 50;

/** A text larger than this share of the cache is not kept: it would displace many others. */
const LARGEST = 1 / 10;

/**
 * Caches the results of a pure function for the last texts: most responses of a run, and of many runs, are the same.
 * @param characters size of the cache; at times it keeps twice as many
 */
export function remembering<Value>(
  compute: (text: string) => Value,
  characters: number,
): (text: string) => Value {
  let recent = new Map<string, Value>();
  let older = recent;
  let free = characters;
  return (text) => {
    const cached = recent.get(text);
    if (cached !== undefined) return cached;
    const size = text.length + ENTRY;
    const value = older.get(text) ?? compute(text);
    if (size > characters * LARGEST) return value;
    if (free < size) [older, recent, free] = [recent, new Map(), characters];
    recent.set(text, value);
    free -= size;
    return value;
  };
}

/** Caches, for each subject, the result of the last call of a pure function. */
export function rememberingLast<Subject extends object, Argument, Value>(
  compute: (subject: Subject, argument: Argument) => Value,
): (subject: Subject, argument: Argument) => Value {
  const calls = new WeakMap<Subject, { argument: Argument; value: Value }>();
  return (subject, argument) => {
    const last = calls.get(subject);
    if (last && last.argument === argument) return last.value;
    const value = compute(subject, argument);
    calls.set(subject, { argument, value });
    return value;
  };
}

/** Caches each result of a pure function for as long as its subject lives. */
export function rememberingEach<Subject extends object, Value>(
  compute: (subject: Subject) => Value,
): (subject: Subject) => Value {
  const results = new WeakMap<Subject, { value: Value }>();
  return (subject) => {
    const result = results.get(subject);
    if (result) return result.value;
    const value = compute(subject);
    results.set(subject, { value });
    return value;
  };
}
