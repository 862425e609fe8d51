import type { Exchange, HeaderLine } from '../model/exchange.ts';
import type { Finding } from '../model/finding.ts';
import type { Reproduction } from '../model/report/report.ts';
import { clip, cutAt } from '../model/visible.ts';

/** Characters of a body, of any other text, and of a command; headers of a message. The ledger has all of it, whole. */
const MAX_BODY = 8_000;
const MAX_TEXT = 2_000;
const MAX_CURL = 16_000;
const MAX_HEADERS = 100;

/** A finding with its texts bounded, without what only a script is made from. */
export function boundedFinding({ repetition: _, ...finding }: Finding): Omit<Finding, 'repetition'> {
  const { reason, expected, received, pointer, observed } = finding;
  return {
    ...finding,
    reason: clip(reason, MAX_TEXT),
    ...(expected === undefined ? {} : { expected: clip(expected, MAX_TEXT) }),
    ...(received === undefined ? {} : { received: clip(received, MAX_TEXT) }),
    ...(pointer === undefined ? {} : { pointer: clip(pointer, MAX_TEXT) }),
    ...(observed === undefined ? {} : { observed: clip(observed, MAX_TEXT) }),
  };
}

/** A command is worth nothing once it is cut: too long a one is left out. */
export function boundedCurl(curl: string | undefined): string | undefined {
  return curl === undefined || curl.length > MAX_CURL ? undefined : curl;
}

/** So with a script. */
export function boundedReproduction(reproduction: Reproduction | undefined): Reproduction | undefined {
  return reproduction === undefined || reproduction.script.length > MAX_CURL ? undefined : reproduction;
}

/** An exchange as a report keeps it: its body cut, and whatever else a target can make long. */
export function bounded(exchange: Exchange): Exchange {
  const { response, failure } = exchange;
  return {
    ...exchange,
    url: clip(exchange.url, MAX_TEXT),
    requestHeaders: boundedHeaders(exchange.requestHeaders),
    ...(response
      ? {
          response: {
            ...response,
            headers: boundedHeaders(response.headers),
            ...(response.body.length > MAX_BODY
              ? { body: cutAt(response.body, MAX_BODY), cut: response.body.length }
              : {}),
          },
        }
      : {}),
    ...(failure ? { failure: { ...failure, message: clip(failure.message, MAX_TEXT) } } : {}),
  };
}

function boundedHeaders(headers: readonly HeaderLine[]): HeaderLine[] {
  return headers
    .slice(0, MAX_HEADERS)
    .map(([name, value]) => [clip(name, MAX_TEXT), clip(value, MAX_TEXT)] as const);
}
