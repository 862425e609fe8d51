import type { Contract, Credential, Requirement } from '../model/contract.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Finding } from '../model/finding.ts';
import type { Classified } from './classify.ts';

/** A request of a client, and what it got. It holds no secret but in the values of `classified`, which are never shown. */
export interface ClientRequest {
  exchange: Exchange;
  classified: Classified;
  /** The n-th connection of the scenario, from 1. */
  connection: number;
  /** It went to an origin that is not the service's. */
  isForeign: boolean;
  /** Where its key belongs. */
  credential: Credential;
  /** Where the key is besides: `URL`, `body`, or the name of a header. */
  keyPlaces: readonly string[];
  /** Why the body was not judged, such as `longer than 1 MiB`. */
  unreadBody?: string | undefined;
}

/** What ended a client: it by itself, a signal, or petspec (`stopped`). */
export interface ClientEnd {
  kind: 'ended' | 'failed' | 'stopped';
  /** In words, such as `exit status 1`. */
  words: string;
  /** The last line of a failed client's standard error, without the key. */
  lastLine?: string;
}

/** What a client did in one scenario. */
export interface ScenarioTraffic {
  scenario: string;
  /** In the order in which they arrived. */
  requests: readonly ClientRequest[];
  /** Requests that are not judged because of a bug of petspec, and the bug. */
  unjudged?: { count: number; bug: unknown } | undefined;
  end: ClientEnd;
}

/** Everything that a check of clients may look at. */
export interface ClientTraffic {
  contract: Contract;
  scenarios: readonly ScenarioTraffic[];
}

/** Judges one requirement of clients. `judge` is pure: it neither throws nor sends. */
export interface ClientCheck {
  requirement: Requirement;
  judge: (traffic: ClientTraffic) => Finding;
}

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
