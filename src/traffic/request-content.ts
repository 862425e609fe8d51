import type { Exchange } from '../model/exchange.ts';
import type { ClientRequest } from './client-traffic.ts';

/** What two requests have in common if one repeats the other: method, URL and body. */
export function contentOf({ method, url, requestBody }: Exchange): string {
  return JSON.stringify([method, url, requestBody]);
}

/**
 * What the attempts of one request have in common: as above, without the parameters of the query that the interface does not
 * have. Some clients send another value there each time, so that no cache answers.
 */
export function attemptOf({ exchange, classified: { operation } }: ClientRequest): string {
  const url = new URL(exchange.url);
  for (const name of new Set(url.searchParams.keys()))
    if (!operation?.parameters.some((each) => each.in === 'query' && each.name === name))
      url.searchParams.delete(name);
  url.searchParams.sort();
  return contentOf({ ...exchange, url: url.href });
}
