/** The request headers that make a request depend on the state of its resource (RFC 9110 section 13.1). */
const PRECONDITIONS: ReadonlySet<string> = new Set([
  ...['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since', 'if-range'],
]);

export function isPrecondition(header: string): boolean {
  return PRECONDITIONS.has(header.toLowerCase());
}

/** Whether a status says that a precondition failed or is missing (RFC 9110 section 13.2, RFC 6585 section 3). */
export function isPreconditionStatus(status: number): boolean {
  return status === 304 || status === 412 || status === 428;
}
