import type { Json } from '../../model/json.ts';

/** Gives equal JSON values the same number: numbers by value, members in any order. Each value is visited once. */
class Numbering {
  /** By content: a text, or the numbers of the values inside. */
  readonly #byContent = new Map<string, number>();
  readonly #known = new Map<object, number>();

  numberOf(value: Json): number {
    if (typeof value !== 'object' || value === null) return this.#numbered(scalar(value));
    const cached = this.#known.get(value);
    if (cached !== undefined) return cached;
    const number = this.#numbered(
      Array.isArray(value)
        ? `[${value.map((item) => this.numberOf(item)).join()}]`
        : `{${Object.keys(value)
            .sort()
            .map((name) => `${JSON.stringify(name)}:${this.numberOf(value[name] ?? null)}`)
            .join()}}`,
    );
    this.#known.set(value, number);
    return number;
  }

  #numbered(content: string): number {
    const number = this.#byContent.get(content) ?? this.#byContent.size;
    this.#byContent.set(content, number);
    return number;
  }
}

/** Equal numbers have the same text, also as bigints, and so does a negative zero. */
function scalar(value: Exclude<Json, object> | null): string {
  if (typeof value === 'string') return JSON.stringify(value);
  return Number.isInteger(value) ? String(BigInt(value as number)) : String(value);
}

let numbering = new Numbering();

/** Forgets the values of earlier judgments, which only take memory. */
export function forgetNumbers(): void {
  numbering = new Numbering();
}

/** Whether no two entries are equal. ajv compares each pair of objects, which takes minutes for some ten thousand. */
export function areUnique(entries: readonly Json[]): boolean {
  return (
    entries.length < 2 || new Set(entries.map((entry) => numbering.numberOf(entry))).size === entries.length
  );
}
