/**
 * A value of a document that should be a text, such as a version, which YAML may take for a number. An object is only named:
 * its own `toString` may be no function, and it may refer to itself.
 */
export function written(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'a mapping' : String(value);
}
