import { notTested } from '../../src/model/finding.ts';
import {
  type ClientCheck,
  type ClientRequest,
  type DeviatingRequest,
  judged,
  listed,
  type ScenarioTraffic,
} from '../../src/traffic/client-check.ts';
import { type Round, refusalsOf, roundsOf } from '../../src/traffic/refusals.ts';

const waits = listed(
  'retry-after',
  'must',
  'Errors',
  'After a 429, no request with the key is sent before the time in Retry-After.',
);
const retries = listed(
  'retry',
  'should',
  'Errors',
  'After a 429, the client retries when the time in Retry-After has passed.',
);
const backsOff = listed(
  'backoff',
  'should',
  'Rate limit headers',
  'Clients use exponential backoff: when they are refused again, they pause longer than before.',
);

/** The least ratio of the last to the first of three pauses that is due to the client, not to a busy machine. */
const GROWTH = 1.5;

/** By how many ms each pause has to exceed the one before to count as longer. Timers of a busy machine may be as far off. */
const LONGER_MS = 100;

/** A scenario, with the rounds in which the client was refused. */
interface RefusedScenario extends ScenarioTraffic {
  rounds: readonly Round[];
}

/** What the interface says about clients that get 429. */
export const rateLimitChecks: readonly ClientCheck[] = [
  {
    requirement: waits,
    judge({ scenarios }) {
      const withRefusals = scenarios.map((traffic) => ({ ...traffic, ...refusalsOf(traffic) }));
      const wrong = withRefusals.flatMap(({ scenario, early }) =>
        early.map(
          ({ request, refusal }): DeviatingRequest => ({
            scenario,
            request,
            deviation: {
              kind: 'sequence',
              reason: 'a request with the key was sent before the time in Retry-After',
              expected: `no request with the key for ${seconds(refusal.until - refusal.at)} after the ${statusOf(refusal.request)}`,
              received: `${request.exchange.method} ${request.exchange.url} after ${seconds(request.exchange.sentAt - refusal.at)}`,
            },
          }),
        ),
      );
      const held = withRefusals.flatMap(({ refusals }) => refusals.map(({ request }) => request));
      return judged(waits, wrong, held, 'send a request that got 429');
    },
  },
  afterWaiting(retries, 'send a request that got 429', ({ scenario, rounds, end }) => {
    const [first] = rounds;
    const refused = first?.refusals[0]?.request;
    if (!first || !refused) return undefined;
    if (first.next) return { held: first.next };
    return {
      scenario,
      request: refused,
      deviation: {
        kind: 'sequence',
        reason: `the client gave up after a ${statusOf(refused)}`,
        expected: 'another request after the time in Retry-After',
        received: `no further request; ${end.words}`,
      },
    };
  }),
  afterWaiting(backsOff, 'send a request again that was refused twice', ({ scenario, rounds, requests }) => {
    // Concurrent requests may each wait by themselves, so nothing shows which pause follows which.
    if (requests.some(({ exchange }) => exchange.inFlight > 1)) return undefined;
    const tested = seriesOf(rounds).filter(({ length }) => length > 2);
    const wrong = tested.find((series) => !areGrowing(series));
    const last = (wrong ?? tested.at(-1))?.at(-1)?.next;
    if (!last) return undefined;
    if (!wrong) return { held: last };
    const pauses = wrong.map(({ pause }) => pause);
    return {
      scenario,
      request: last,
      deviation: {
        kind: 'sequence',
        reason: 'the pauses did not grow when the request was refused again',
        expected: 'longer pauses',
        received: `pauses of ${pauses.map(seconds).join(', ')}`,
      },
    };
  }),
];

type Pause = Required<Round>;

/** Series of pauses before attempts of the same operation, as another operation may have separate pauses. */
function seriesOf(rounds: readonly Round[]): Pause[][] {
  const series: Pause[][] = [];
  let operation: string | undefined;
  for (const { refusals, next, pause } of rounds) {
    const names = new Set([...refusals.map(({ request }) => request), next].map(operationOf));
    const [name] = names;
    const isRepeated = next !== undefined && pause !== undefined && names.size === 1;
    if (isRepeated && name === operation) series.at(-1)?.push({ refusals, next, pause });
    else if (isRepeated) series.push([{ refusals, next, pause }]);
    operation = isRepeated ? name : undefined;
  }
  return series;
}

function operationOf(request: ClientRequest | undefined): string {
  return request ? `${request.exchange.method} ${request.exchange.operation}` : '';
}

/** Whether pauses grew, each time or in total. */
function areGrowing(series: readonly Pause[]): boolean {
  const pauses = series.map(({ pause }) => pause);
  const [first = 0, ...later] = pauses;
  if (later.every((pause, index) => pause > (pauses[index] ?? 0) + LONGER_MS)) return true;
  // A busy machine lengthens pauses, so the first one is taken for as short as the client may have intended.
  const [refusal] = series[0]?.refusals ?? [];
  const shortest = refusal ? Math.min(first, refusal.until - refusal.at) : first;
  return (later.at(-1) ?? 0) > shortest * GROWTH;
}

/** A check of what clients do after the time in Retry-After. It is not tested with clients that do not wait for that time. */
function afterWaiting(
  requirement: ClientCheck['requirement'],
  untested: string,
  examine: (refused: RefusedScenario) => DeviatingRequest | { held: ClientRequest } | undefined,
): ClientCheck {
  return {
    requirement,
    judge({ scenarios }) {
      const withRefusals = scenarios.map((traffic) => ({ traffic, ...refusalsOf(traffic) }));
      const isHasty = withRefusals.some(({ early }) => early.length > 0);
      if (isHasty)
        return notTested('blocked', 'the client did not wait for the time in Retry-After', waits.id);
      const results = withRefusals
        .filter(({ traffic }) => traffic.end.kind !== 'stopped')
        .flatMap(
          ({ traffic, refusals }) => examine({ ...traffic, rounds: roundsOf(traffic, refusals) }) ?? [],
        );
      const wrong = results.filter((result) => 'deviation' in result);
      const held = results.flatMap((result) => ('held' in result ? [result.held] : []));
      return judged(requirement, wrong, held, untested);
    },
  };
}

/** The status of the refusal: 429, or also 503 for documents other than the animal store's. */
function statusOf({ exchange: { response } }: ClientRequest): number {
  return response?.status ?? 429;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}
