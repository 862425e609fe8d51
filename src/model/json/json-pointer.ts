/** A JSON Pointer (RFC 6901) of its segments. */
export function pointerOf(segments: readonly (string | number)[]): string {
  return segments.map((each) => `/${String(each).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The segments of a JSON Pointer; none for the empty one, which names the whole. */
export function segmentsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((each) => each.replaceAll('~1', '/').replaceAll('~0', '~'));
}
