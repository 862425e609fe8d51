import type { Level, Requirement } from '../model/contract.ts';
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
import type { ClientCheck, ClientRequest, ClientTraffic, ScenarioTraffic } from './client-traffic.ts';

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
