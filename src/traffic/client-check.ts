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

/** A request of a client and its response. Only the values of `classified` may be secret, and these are never shown. */
export interface ClientRequest {
  exchange: Exchange;
  classified: Classified;
  /** The number of its connection in the scenario, from 1. */
  connection: number;
  /** It was sent to an origin other than the service. */
  isForeign: boolean;
  /** Where its key belongs. */
  credential: Credential;
  /** Further places of the key: `URL`, `body`, or the name of a header. */
  keyPlaces: readonly string[];
  /** Why the body was not judged, such as `longer than 1 MiB`. */
  unreadBody?: string | undefined;
}

/** How a client ended: by itself, by a signal, or by petspec (`stopped`). */
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

/** What a repeated request has in common with the first one: method, URL and body. */
export function contentOf({ method, url, requestBody }: Exchange): string {
  return JSON.stringify([method, url, requestBody]);
}

/**
 * The same for the attempts of a request, without query parameters that the interface does not have: some clients send another
 * value there each time, to bypass caches.
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

/** A deviation, `held` if the request exercised the requirement, or nothing. */
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

/** The finding of a requirement from the requests that deviate and those that hold. */
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

/** The finding of a requirement that the client did not exercise. */
function notDone(untested: string): Finding {
  return notTested('no-traffic', `the client did not ${untested}`);
}

/** A check that records behavior which the interface leaves open. */
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
