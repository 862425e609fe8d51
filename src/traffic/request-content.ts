import type { Exchange } from '../model/exchange.ts';

/** What two requests have in common if one repeats the other: method, URL and body. */
export function contentOf({ method, url, requestBody }: Exchange): string {
  return JSON.stringify([method, url, requestBody]);
}
