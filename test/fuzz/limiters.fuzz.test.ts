import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Evidence } from '../../src/judge/check.ts';
import { judgeCount } from '../../src/judge/limiter/count.ts';
import { judgeEarly } from '../../src/judge/limiter/early-refusal.ts';
import { explain } from '../../src/judge/limiter/explanation/explain.ts';
import { judgeConstant, judgePlan, judgeRemaining } from '../../src/judge/limiter/headers.ts';
import { judgeEnforced } from '../../src/judge/limiter/refusals.ts';
import { judgeFalls } from '../../src/judge/limiter/remaining-falls.ts';
import { judgeReset } from '../../src/judge/limiter/reset.ts';
import type { Exchange } from '../../src/model/exchange.ts';
import type { AlgorithmName, LimiterSettings } from '../../src/reference/settings.ts';
import { cases, PATIENCE } from './budget.ts';
import { evidenceOf, exchangesOf, type Limited, OPERATIONS, type Request } from './limited.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const DAY_MS = 86_400_000;

const ALGORITHMS: readonly AlgorithmName[] = [
  'fixed-window',
  'offset-window',
  'first-request-window',
  'sliding-log',
  'sliding-counter',
  'token-bucket',
  'gcra',
];

const limiter: fc.Arbitrary<Partial<LimiterSettings>> = fc.record({
  algorithm: fc.constantFrom(...ALGORITHMS),
  windows: fc.constantFrom('minute', 'both'),
  describes: fc.constantFrom('minute', 'tightest'),
  resetMeans: fc.constantFrom('full', 'next'),
  rounding: fc.constantFrom('up', 'down', 'second-longer'),
  remainingRounded: fc.constantFrom('down', 'up'),
  retryAfter: fc.constantFrom('seconds', 'http-date'),
  scope: fc.constantFrom('key', 'key-and-operation'),
  counts401: fc.boolean(),
  counts4xx: fc.boolean(),
  messages: fc.constantFrom('separate', 'shared'),
  used: fc.nat(30),
});

const request: fc.Arbitrary<Request> = fc.record({
  operation: fc.constantFrom(...OPERATIONS),
  pause: fc.oneof({ weight: 9, arbitrary: fc.nat(50) }, { weight: 1, arbitrary: fc.nat(40_000) }),
  takes: fc.oneof({ weight: 4, arbitrary: fc.nat(30) }, { weight: 1, arbitrary: fc.nat(2_000) }),
  decided: fc.double({ min: 0, max: 1, noNaN: true }),
  isWrong: fc.boolean(),
  isWithoutKey: fc.constantFrom(false, false, false, true),
});

const limited = (inFlight: number): fc.Arbitrary<Limited> =>
  fc
    .record({
      plan: fc.record({ minute: fc.integer({ min: 2, max: 60 }), day: fc.integer({ min: 61, max: 1_000 }) }),
      limiter,
      skew: fc.integer({ min: -200, max: 200 }),
      isDated: fc.boolean(),
      inFlight: fc.integer({ min: 1, max: inFlight }),
      start: fc.nat(DAY_MS).map((ms) => NOON + ms),
      isStated: fc.boolean(),
      requests: fc.array(request, { minLength: 1, maxLength: 60, size: 'max' }),
    })
    // Without a Date and a plan, a clock that is off makes a minute look like a day.
    .map((each) => ({ ...each, isStated: each.isStated || !each.isDated }));

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

/** The exchanges, one a line, so that a failure can be read. */
function linesOf({ judged }: Evidence): string {
  const [first] = judged;
  const since = (ms: number) => ms - (first?.exchange.sentAt ?? 0);
  const lines = judged.map(({ exchange: { id, operation, sentAt, receivedAt, response, rate } }) => {
    const reset = since((rate.reset ?? 0) * 1_000);
    const figures = `${rate.remaining}/${rate.limit} until ${reset}, retry ${rate.retryAfter}`;
    return `${id} ${operation} ${since(sentAt)}-${since(receivedAt)}: ${response?.status} ${figures}`;
  });
  return `\n${lines.join('\n')}\n`;
}

test.each([
  ['one at a time', 1],
  ['up to 16 at a time', 16],
])(
  'whatever an honest limiter is asked, %s: it is explained',
  (_what, inFlight) => {
    fc.assert(
      fc.property(limited(inFlight), (each) => {
        const evidence = evidenceOf(exchangesOf(each), each.isStated ? each.plan : undefined);
        const { excluded } = explain(evidence);
        expect(
          excluded && `${excluded.kind} of ${excluded.observation.exchange.id}`,
          linesOf(evidence),
        ).toBeUndefined();
        expect(violatedBy(evidence)).toEqual([]);
      }),
      cases(25),
    );
  },
  PATIENCE,
);

/** How far the server's clock is ahead. */
const SKEW_MS = 120_000;

/** Where it is clear what a limiter may say: a fresh key, one request at a time, one kind of request, a few seconds. */
const plain: fc.Arbitrary<Limited> = fc.record({
  plan: fc.record({ minute: fc.integer({ min: 8, max: 60 }), day: fc.constant(1_000) }),
  limiter: fc.record({
    algorithm: fc.constantFrom(...ALGORITHMS),
    windows: fc.constant('minute' as const),
    resetMeans: fc.constantFrom('full' as const, 'next' as const),
    rounding: fc.constantFrom('up' as const, 'down' as const),
    remainingRounded: fc.constantFrom('down' as const, 'up' as const),
  }),
  skew: fc.constant(SKEW_MS / 1_000),
  isDated: fc.constant(true),
  inFlight: fc.constant(1),
  // All in the middle of a window.
  start: fc.integer({ min: 10_000, max: 20_000 }).map((ms) => NOON + ms),
  isStated: fc.constant(true),
  requests: fc.array(
    fc.record({
      operation: fc.constant('createPet' as const),
      pause: fc.nat(50),
      takes: fc.nat(10),
      decided: fc.constant(0.5),
      isWrong: fc.constant(false),
      isWithoutKey: fc.constant(false),
    }),
    { minLength: 6, maxLength: 70, size: 'max' },
  ),
});

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
    // Of a bucket, a few more may have come back.
    const remaining = 2 * (rate.remaining ?? 0) + 8;
    if (response?.status === 429 || !isFarFromReset(exchanges, at) || remaining > (rate.limit ?? 0))
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
  'Reset is two minutes or more later': (exchanges, at, by) =>
    at < 2 ? undefined : changed(exchanges[at], { reset: (exchanges[at]?.rate.reset ?? 0) + 125 + by }),
  'Reset is in the past': (exchanges, at, by) =>
    changed(exchanges[at], { reset: Math.floor(((exchanges[at]?.sentAt ?? 0) + SKEW_MS) / 1_000) - 5 - by }),
  'Remaining is above Limit': (exchanges, at, by) =>
    changed(exchanges[at], { remaining: (exchanges[at]?.rate.limit ?? 0) + 1 + by }),
};

/** What a fixed window says and no other limiter. */
const FOUND_OF_WINDOWS: typeof FOUND = {
  'a request is let through while none is left': (exchanges) =>
    changed(
      exchanges.find(({ response }) => response?.status === 429),
      {},
      201,
    ),
  'Reset is a minute or more later': (exchanges, at, by) =>
    at < 2 ? undefined : changed(exchanges[at], { reset: (exchanges[at]?.rate.reset ?? 0) + 65 + by }),
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

const window = plain.map(
  (each): Limited => ({ ...each, limiter: { ...each.limiter, algorithm: 'fixed-window' } }),
);

test.each([
  ...Object.entries(FOUND).map(([what, mutate]) => [what, mutate, plain] as const),
  ...Object.entries(FOUND_OF_WINDOWS).map(([what, mutate]) => [what, mutate, window] as const),
])(
  'a limiter that is wrong once is found: %s',
  (_what, mutate, limiters) => {
    fc.assert(
      fc.property(limiters, fc.nat(69), fc.nat(100), (each, place, by) => {
        const exchanges = exchangesOf(each);
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
