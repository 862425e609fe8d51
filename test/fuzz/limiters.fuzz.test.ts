import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Evidence } from '../../src/judge/evidence/check.ts';
import { judgeCount } from '../../src/judge/limiter/count.ts';
import { judgeEarly } from '../../src/judge/limiter/early-refusal.ts';
import { explain } from '../../src/judge/limiter/explanation/explain.ts';
import { judgeFalls } from '../../src/judge/limiter/explanation/remaining-falls.ts';
import { judgeEnforced } from '../../src/judge/limiter/refusals.ts';
import { judgeReset } from '../../src/judge/limiter/reset.ts';
import { judgeConstant, judgePlan, judgeRemaining } from '../../src/judge/limiter/seen/headers.ts';
import type { Exchange } from '../../src/model/exchange.ts';
import { cases, PATIENCE } from './budget.ts';
import { begun, filled, LIBERTIES, limited, plain, raced, SKEW_MS } from './honest-limiters.ts';
import { evidenceOf, type Limited, limitedExchanges, linesOf } from './limited.ts';

const JUDGES: readonly ((evidence: Evidence) => { status: string })[] = [
  judgeRemaining,
  judgeConstant,
  judgePlan,
  judgeReset,
  judgeFalls,
  judgeCount,
  judgeEarly,
  judgeEnforced,
];

/** The requirements of limiters that a run violates, by the names of their judges. */
function violatedBy(evidence: Evidence): string[] {
  return JUDGES.filter((judge) => judge(evidence).status === 'violated').map(({ name }) => name);
}

describe.each([
  ['one at a time', 1],
  ['up to 16 at a time', 16],
])('whatever an honest limiter is asked, %s: it is explained', (_what, inFlight) => {
  test.each(Object.entries(LIBERTIES))(
    '%s',
    (_liberty, liberty) => {
      fc.assert(
        fc.property(limited(inFlight, liberty), (each) => expectExplained(each)),
        cases(3),
      );
    },
    PATIENCE,
  );
});

test.each([
  ['a limit that is used up in bursts', filled],
  ['a burst that shows races', raced],
])(
  '%s is explained, in whichever order a slow service takes the requests',
  (_what, limiters) => {
    fc.assert(
      fc.property(limiters, (each) => expectExplained(each)),
      cases(10),
    );
  },
  PATIENCE,
);

test(
  'a limit that a recorded run used up in bursts is explained as that of the run, though a recording does not name them',
  () => {
    fc.assert(
      fc.property(filled, (each) =>
        expectExplained(
          each,
          limitedExchanges(each).map(({ burst, ...exchange }) => ({
            ...exchange,
            recorded: 'run',
            ...(burst ? { stage: 'exhaust' } : {}),
          })),
        ),
      ),
      cases(10),
    );
  },
  PATIENCE,
);

function expectExplained(each: Limited, exchanges: readonly Exchange[] = limitedExchanges(each)): void {
  const evidence = evidenceOf(exchanges, each.isStated ? each.plan : undefined);
  const { excluded } = explain(evidence);
  expect(
    excluded && `${excluded.kind} of ${excluded.observation.exchange.id}`,
    linesOf(evidence),
  ).toBeUndefined();
  expect(violatedBy(evidence)).toEqual([]);
}

/** Whether no window can have ended by then: requests that came back, and somebody else, may explain any Remaining. */
function isFarFromReset(exchanges: readonly Exchange[], at: number): boolean {
  const { rate, sentAt } = exchanges[at] as Exchange;
  return at > 0 && (rate.reset ?? 0) * 1_000 - SKEW_MS - sentAt > 10_000;
}

/** A change of one exchange of such a run. Undefined where a limiter may have said so. */
type Mutation = (exchanges: readonly Exchange[], at: number, by: number) => Exchange | undefined;

const FOUND: Readonly<Record<string, Mutation>> = {
  // Of two nodes, one may say up to twice what is left.
  'Remaining is more than twice what is left': (exchanges, at) => {
    const { response, rate } = exchanges[at] as Exchange;
    // Of a bucket, a few more may have come back. If nothing comes after it, half of the limit may have.
    const remaining = 2 * (rate.remaining ?? 0) + 8;
    const isLast = at === exchanges.length - 1;
    if (response?.status === 429 || isLast || !isFarFromReset(exchanges, at) || remaining > (rate.limit ?? 0))
      return undefined;
    return changed(exchanges[at], { remaining });
  },
  'Remaining is less than half of the next one': (exchanges, at) => {
    const next = exchanges[at + 1]?.rate.remaining ?? 0;
    return !isFarFromReset(exchanges, at) || next < 16
      ? undefined
      : changed(exchanges[at], { remaining: Math.floor(next / 2) - 4 });
  },
  'a request is refused while two or more are left': (exchanges, at) => {
    const { rate } = exchanges[at] as Exchange;
    if (at === 0 || (rate.remaining ?? 0) < 2) return undefined;
    return changed(exchanges[at], {}, 429);
  },
  // Some minutes may be those of a sliding counter that has begun a window. If it is the last one that says what is left, nothing
  // contradicts it: requests may come back as slowly.
  'Reset is an hour or more later, and right after that': (exchanges, at, by) => {
    const { rate } = exchanges[at] as Exchange;
    const after = exchanges.slice(at + 1).map((exchange) => exchange.rate.remaining ?? 0);
    return at < 2 || Math.min(...after) >= (rate.remaining ?? 0)
      ? undefined
      : changed(exchanges[at], { reset: (rate.reset ?? 0) + 3_600 + by });
  },
  'Reset is in the past': (exchanges, at, by) =>
    changed(exchanges[at], { reset: Math.floor(((exchanges[at]?.sentAt ?? 0) + SKEW_MS) / 1_000) - 5 - by }),
  'Remaining is above Limit': (exchanges, at, by) =>
    changed(exchanges[at], { remaining: (exchanges[at]?.rate.limit ?? 0) + 1 + by }),
};

/** What a fixed window says and no other limiter, where Reset shows that it lasts a minute: a bucket of another length says the same. */
const FOUND_OF_WINDOWS: typeof FOUND = {
  'a request is let through while none is left': (exchanges) =>
    changed(
      exchanges.find(({ response }) => response?.status === 429),
      {},
      201,
    ),
  // At the third request, a sliding counter may have begun a window, and tell when the next request comes back.
  'Reset is a minute or more later': (exchanges, at, by) =>
    at < 3 ? undefined : changed(exchanges[at], { reset: (exchanges[at]?.rate.reset ?? 0) + 65 + by }),
};

function changed(
  exchange: Exchange | undefined,
  rate: Exchange['rate'],
  status = exchange?.response?.status ?? 0,
): Exchange | undefined {
  if (!exchange?.response) return undefined;
  const body = status === 201 ? exchange.response.body : JSON.stringify({ code: 'c', message: 'm', status });
  const response = { ...exchange.response, status, body };
  return {
    ...exchange,
    response,
    rate: { ...exchange.rate, ...rate, ...(status === 429 ? { retryAfter: 30 } : {}) },
  };
}

test.each([
  ...Object.entries(FOUND).map(([what, mutate]) => [what, mutate, plain] as const),
  ...Object.entries(FOUND_OF_WINDOWS).map(([what, mutate]) => [what, mutate, begun] as const),
])(
  'a limiter that is wrong once is found: %s',
  (_what, mutate, limiters) => {
    fc.assert(
      fc.property(limiters, fc.nat(69), fc.nat(100), (each, place, by) => {
        const exchanges = limitedExchanges(each);
        const wrong = mutate(exchanges, place % exchanges.length, by);
        fc.pre(wrong !== undefined);
        const all = exchanges.map((exchange) => (exchange.id === wrong?.id ? wrong : exchange));
        const evidence = evidenceOf(all, each.plan);
        expect(violatedBy(evidence), linesOf(evidence)).not.toEqual([]);
      }),
      cases(25),
    );
  },
  PATIENCE,
);
