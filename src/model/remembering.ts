/** What an entry takes up besides its text, in characters. */
const ENTRY = 50;

/** A text that takes up more than this share of what is kept is not worth it: it would displace many others. */
const LARGEST = 1 / 10;

/**
 * A pure function of a text that keeps its results for the last texts: most responses of a run, and of many runs, are the same.
 * @param characters of the texts that are kept; at times it keeps twice as many
 */
export function remembering<Value>(of: (text: string) => Value, characters: number): (text: string) => Value {
  let recent = new Map<string, Value>();
  let before = recent;
  let left = characters;
  return (text) => {
    const known = recent.get(text);
    if (known !== undefined) return known;
    const size = text.length + ENTRY;
    const value = before.get(text) ?? of(text);
    if (size > characters * LARGEST) return value;
    if (left < size) [before, recent, left] = [recent, new Map(), characters];
    recent.set(text, value);
    left -= size;
    return value;
  };
}

/** A pure function of an object and one more argument that keeps, for each object, the result of its last call. */
export function rememberingLast<Subject extends object, Other, Value>(
  of: (subject: Subject, other: Other) => Value,
): (subject: Subject, other: Other) => Value {
  const last = new WeakMap<Subject, { other: Other; value: Value }>();
  return (subject, other) => {
    const known = last.get(subject);
    if (known && known.other === other) return known.value;
    const value = of(subject, other);
    last.set(subject, { other, value });
    return value;
  };
}

/** A pure function of an object that keeps each result for as long as the object lives. */
export function rememberingEach<Subject extends object, Value>(
  of: (subject: Subject) => Value,
): (subject: Subject) => Value {
  const known = new WeakMap<Subject, { value: Value }>();
  return (subject) => {
    const found = known.get(subject) ?? { value: of(subject) };
    known.set(subject, found);
    return found.value;
  };
}
