import type { Contract, Credential, Level, Requirement } from '../model/contract.ts';
import type { Exchange } from '../model/exchange.ts';
import {
  type Deviation,
  type Finding,
  type Fingerprint,
  fingerprintOf,
  mergeFingerprints,
  met,
  notTested,
  observed,
  violated,
} from '../model/finding.ts';
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
    if (!operation?.parameters.some((parameter) => parameter.in === 'query' && parameter.name === name))
      url.searchParams.delete(name);
  url.searchParams.sort();
  return contentOf({ ...exchange, url: url.href });
}

/** The version of petspec that introduced the requirements of clients. */
export const FIRST_OF_CLIENTS = '0.3.0';

/** A requirement of clients that the OpenAPI document does not state. */
export function listed(id: string, level: Level, section: string, statement: string): Requirement {
  return { id: `client.${id}`, level, section, statement, source: 'listed', since: FIRST_OF_CLIENTS };
}

/** What is wrong with a request. */
export type RequestDeviation = Omit<Deviation, 'requirement'>;

/** What one request shows: a deviation, that the requirement was exercised and held, or nothing. */
export type ExaminedRequest = RequestDeviation | 'held' | undefined;

/** A request that deviates, in its scenario. */
export interface DeviatingRequest {
  scenario: string;
  request: ClientRequest;
  deviation: RequestDeviation;
}

/**
 * A check that examines each request by itself.
 * @param untested what the client did not do, if no request shows anything
 */
export function eachRequest(
  requirement: Requirement,
  untested: string,
  examine: (request: ClientRequest, scenario: ScenarioTraffic) => ExaminedRequest,
): ClientCheck {
  return {
    requirement,
    judge({ scenarios }) {
      const results = scenarios.flatMap((scenario) =>
        scenario.requests.map((request) => ({
          scenario: scenario.scenario,
          request,
          result: examine(request, scenario),
        })),
      );
      const wrong = results.flatMap(({ result, ...rest }) =>
        typeof result === 'object' ? [{ ...rest, deviation: result }] : [],
      );
      const held = results.filter(({ result }) => result === 'held').map(({ request }) => request);
      return judged(requirement, wrong, held, untested);
    },
  };
}

/** The finding of a requirement from the requests that deviate and those that could have. */
export function judged(
  { level }: Requirement,
  wrong: readonly DeviatingRequest[],
  held: readonly ClientRequest[],
  untested: string,
): Finding {
  const [first] = wrong;
  if (first) {
    const { reason } = first.deviation;
    const finding = violated(
      { ...first.deviation, reason: `${reason} (scenario ${first.scenario})` },
      idsOf(wrong.map(({ request }) => request)),
      fingerprintsOf(wrong),
    );
    return level === 'should' ? { ...finding, status: 'advisory' } : finding;
  }
  return held.length > 0 ? met(idsOf(held)) : notDone(untested);
}

/** The finding of a requirement that the client did not put to the test. */
function notDone(untested: string): Finding {
  return notTested('no-traffic', `the client did not ${untested}`);
}

/** A check that records what a client does where the interface leaves it open. */
export function observing(
  requirement: Requirement,
  describe: (traffic: ClientTraffic) => { words: string; evidence: readonly ClientRequest[] } | undefined,
): ClientCheck {
  return {
    requirement,
    judge(traffic) {
      const seen = describe(traffic);
      return observed(seen?.words ?? 'no request shows this', idsOf(seen?.evidence ?? []));
    },
  };
}

function idsOf(requests: readonly ClientRequest[]): number[] {
  return requests.map(({ exchange }) => exchange.id);
}

/** The fingerprints of deviations, with the scenarios and operations in which they occur. */
function fingerprintsOf(wrong: readonly DeviatingRequest[]): Fingerprint[] {
  return mergeFingerprints(
    wrong.map(({ scenario, request, deviation }) =>
      fingerprintOf(deviation, [`${scenario} ${request.exchange.operation}`]),
    ),
  );
}
