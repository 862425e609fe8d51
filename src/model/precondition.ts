/** The request headers that make a request depend on the state of what it is for (RFC 9110 section 13.1). */
const PRECONDITIONS: ReadonlySet<string> = new Set([
  ...['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since', 'if-range'],
]);

/** Whether a header is a precondition. */
export function isPrecondition(header: string): boolean {
  return PRECONDITIONS.has(header.toLowerCase());
}

/** The headers of a response that tell the version of what it shows. */
export type Validator = 'ETag' | 'Last-Modified';

/** The header of an earlier response whose value a precondition repeats; undefined if another value does as well. */
export function validatorFor(precondition: string): Validator | undefined {
  const name = precondition.toLowerCase();
  if (name === 'if-match') return 'ETag';
  return name === 'if-unmodified-since' ? 'Last-Modified' : undefined;
}

/** Statuses that say that a precondition does not hold, or is missing (RFC 9110 section 13.2, RFC 6585 section 3). */
export function isPreconditionStatus(status: number): boolean {
  return status === 304 || status === 412 || status === 428;
}
