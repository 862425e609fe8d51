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

/** How much longer the last of three pauses is than the first, if the client made it longer and not a busy machine. */
const GROWTH = 1.5;

/** How much longer each pause is than the one before if they grew, in ms. Timers of a busy machine may be as far off. */
const LONGER_MS = 100;

/** A scenario in which the client was refused. */
interface Refused extends ScenarioTraffic {
  rounds: readonly Round[];
}

/** What the interface asks of clients that get 429. */
export const rateLimitChecks: readonly ClientCheck[] = [
  {
    requirement: waits,
    judge({ scenarios }) {
      const found = scenarios.map((each) => ({ ...each, ...refusalsOf(each) }));
      const wrong = found.flatMap(({ scenario, early }) =>
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
      const held = found.flatMap(({ refusals }) => refusals.map(({ request }) => request));
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
    // Side by side, each request may wait for itself: nothing shows which pause follows which.
    if (requests.some(({ exchange }) => exchange.inFlight > 1)) return undefined;
    const tested = seriesOf(rounds).filter(({ length }) => length > 2);
    const wrong = tested.find((each) => !grew(each));
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

/** The pauses before attempts of the same operation, one after the other: another operation may have pauses of its own. */
function seriesOf(rounds: readonly Round[]): Pause[][] {
  const all: Pause[][] = [];
  let operation: string | undefined;
  for (const { refusals, next, pause } of rounds) {
    const names = new Set([...refusals.map(({ request }) => request), next].map(operationOf));
    const [own] = names;
    const isRepeated = next !== undefined && pause !== undefined && names.size === 1;
    if (isRepeated && own === operation) all.at(-1)?.push({ refusals, next, pause });
    else if (isRepeated) all.push([{ refusals, next, pause }]);
    operation = isRepeated ? own : undefined;
  }
  return all;
}

function operationOf(request: ClientRequest | undefined): string {
  return request ? `${request.exchange.method} ${request.exchange.operation}` : '';
}

/** Whether pauses grew: each time, or as a whole. */
function grew(series: readonly Pause[]): boolean {
  const pauses = series.map(({ pause }) => pause);
  const [first = 0, ...later] = pauses;
  if (later.every((pause, index) => pause > (pauses[index] ?? 0) + LONGER_MS)) return true;
  // A busy machine makes any pause longer: the first is taken for as short as it may have been.
  const [refusal] = series[0]?.refusals ?? [];
  const shortest = refusal ? Math.min(first, refusal.until - refusal.at) : first;
  return (later.at(-1) ?? 0) > shortest * GROWTH;
}

/** A check of what clients do after the time in Retry-After, which says nothing about clients that do not wait for it. */
function afterWaiting(
  requirement: ClientCheck['requirement'],
  untested: string,
  examine: (refused: Refused) => DeviatingRequest | { held: ClientRequest } | undefined,
): ClientCheck {
  return {
    requirement,
    judge({ scenarios }) {
      const found = scenarios.map((each) => ({ each, ...refusalsOf(each) }));
      const isHasty = found.some(({ early }) => early.length > 0);
      if (isHasty)
        return notTested('blocked', 'the client did not wait for the time in Retry-After', waits.id);
      const results = found
        .filter(({ each }) => each.end.kind !== 'stopped')
        .flatMap(({ each, refusals }) => examine({ ...each, rounds: roundsOf(each, refusals) }) ?? []);
      const wrong = results.filter((each) => 'deviation' in each);
      const held = results.flatMap((each) => ('held' in each ? [each.held] : []));
      return judged(requirement, wrong, held, untested);
    },
  };
}

/** 429, or of another document than the animal store's also 503. */
function statusOf({ exchange: { response } }: ClientRequest): number {
  return response?.status ?? 429;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}
