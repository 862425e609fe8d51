import type { Exchange, HeaderLine } from '../../model/exchange.ts';
import type { Finding } from '../../model/finding.ts';
import type { LimiterResult } from '../../model/report/limiter.ts';
import type { ReproductionScript } from '../../model/report/report.ts';
import { clip, cutAt } from '../../model/visible.ts';

/** Bounds of a report, in characters and in headers per message. The ledger keeps everything. */
const MAX_BODY = 8_000;
const MAX_TEXT = 2_000;
const MAX_CURL = 16_000;
const MAX_HEADERS = 100;
/** Operations of a finding: a thousand operations of a document may share a schema. */
const MAX_OCCURRENCES = 100;
/** A target may state another limit in every response. */
const MAX_LIMITERS = 10;

/** A finding with bounded texts, and without the fields that only judging and reproductions need. */
export function boundedFinding({
  repetition: _,
  deviating: __,
  ...finding
}: Finding): Omit<Finding, 'repetition' | 'deviating'> {
  const { reason, expected, received, pointer, observed, occurrences } = finding;
  return {
    ...finding,
    reason: clip(reason, MAX_TEXT),
    expected: expected && clip(expected, MAX_TEXT),
    received: received && clip(received, MAX_TEXT),
    pointer: pointer && clip(pointer, MAX_TEXT),
    observed: observed && clip(observed, MAX_TEXT),
    occurrences: occurrences?.slice(0, MAX_OCCURRENCES),
  };
}

/** The command, or undefined if it is too long: a truncated command is useless. */
export function boundedCurl(curl: string | undefined): string | undefined {
  return curl === undefined || curl.length > MAX_CURL ? undefined : curl;
}

export function boundedReproduction(reproduction: ReproductionScript): ReproductionScript | undefined {
  return reproduction.script.length > MAX_CURL ? undefined : reproduction;
}

/** The limiters of a report, with what they expect of the exchanges that the report keeps. */
export function boundedLimiters(
  limiters: readonly LimiterResult[],
  kept: readonly Exchange[],
): LimiterResult[] {
  const ids = new Set(kept.map(({ id }) => id));
  return limiters.slice(0, MAX_LIMITERS).map((limiter) => ({
    ...limiter,
    expected: limiter.expected.filter(({ exchange }) => ids.has(exchange)),
  }));
}

/** An exchange as a report keeps it: every part that a target can make long is cut. */
export function bounded(exchange: Exchange): Exchange {
  const { response, failure } = exchange;
  return {
    ...exchange,
    url: clip(exchange.url, MAX_TEXT),
    requestHeaders: boundedHeaders(exchange.requestHeaders),
    response: response
      ? {
          ...response,
          headers: boundedHeaders(response.headers),
          ...(response.body.length > MAX_BODY
            ? { body: beginningOf(response.body), cut: response.body.length }
            : {}),
        }
      : undefined,
    failure: failure && { ...failure, message: clip(failure.message, MAX_TEXT) },
  };
}

/** The beginning of a long body, as a copy: a slice would keep the whole body in memory as long as the report. */
function beginningOf(body: string): string {
  return structuredClone(cutAt(body, MAX_BODY));
}

function boundedHeaders(headers: readonly HeaderLine[]): HeaderLine[] {
  return headers
    .slice(0, MAX_HEADERS)
    .map(([name, value]) => [clip(name, MAX_TEXT), clip(value, MAX_TEXT)] as const);
}
