/** A value of a document as text. An object of a document may have a `toString` of its own, which is no function. */
export function written(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}
