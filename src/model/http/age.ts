import { type HeaderLine, headerValue } from '../exchange.ts';

/** How many seconds a cache has kept a response, as its Age says (RFC 9111 section 5.1); undefined if it has none. */
export function ageIn(headers: readonly HeaderLine[]): number | undefined {
  const age = headerValue(headers, 'Age');
  return age === undefined ? undefined : Number(age);
}
