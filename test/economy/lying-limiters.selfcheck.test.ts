import { describe, expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import type { Answer, Call, Change, HeaderField, LogEntry } from '../../src/reference/index.ts';
import { conductBundled } from '../../src/run/bundled.ts';
import type { Conducted } from '../../src/run/judging/judge-outcome.ts';
import { DEFAULT_OPTIONS, type RunOptions } from '../../src/run/options.ts';
import { makePlan } from '../../src/run/plan.ts';
import { allChecks } from '../../suites/index.ts';
import { isNightly } from '../nightly/sampled.ts';

const contract = loadContract();
const checks = allChecks(contract);

const BILLION = 1_000_000_000;

/** An answer with other rate limit headers. */
function told({ headers, ...answer }: Answer, limit: number, remaining: number, reset: number): Answer {
  const own = headers.filter(([name]) => !/^X-RateLimit-/i.test(name));
  const lies = { Limit: limit, Remaining: remaining, Reset: reset };
  return {
    ...answer,
    headers: [
      ...own,
      ...Object.entries(lies).map(([name, value]): HeaderField => [`X-RateLimit-${name}`, `${value}`]),
    ],
  };
}

const seconds = ({ now }: Call) => Math.floor(now / 1000);

/** The limiter of the reference is out of the way, and something else answers in its place. */
function lying(around: (answer: Answer, call: Call) => Answer): Change {
  return {
    limit: (verdict) => ({ ...verdict, allowed: true }),
    around: async (call, next) => around(await next(call), call),
  };
}

const refusal = (answer: Answer, retryAfter: number): Answer => ({
  ...answer,
  status: 429,
  headers: [...answer.headers, ['Retry-After', `${retryAfter}`]],
});

/** Limiters that would have a client send, wait or keep more than it said. */
const LIARS: Readonly<Record<string, Change>> = {
  'Remaining counts down from a billion, Reset moves by a second': lying((answer, call) =>
    told(answer, 60, BILLION - call.number, seconds(call) + call.number),
  ),
  'the limit is a million': lying((answer, call) =>
    told(answer, 1_000_000, 1_000_000 - call.number, seconds(call) + 30),
  ),
  'nothing remains, ever': lying((answer, call) => told(answer, 60, 0, seconds(call) + 60)),
  'nothing remains, and Reset is 0': lying((answer) => told(answer, 0, 0, 0)),
  'every 429 asks to come back at once': lying((answer) => refusal(answer, 0)),
  'two refusals and a success in turn, 88 seconds each': lying((answer, call) =>
    call.number % 3 === 0 ? answer : refusal(answer, 88),
  ),
  'every second request is refused for a second': lying((answer, call) =>
    call.number % 2 === 0 ? answer : refusal(answer, 1),
  ),
  'the window opens for one request, and Remaining says that it is unused': lying((answer, call) => {
    const isRefused = call.number === 71 || call.number > 72;
    const all = told(answer, 60, call.number > 70 ? 59 : Math.max(0, 60 - call.number), seconds(call) + 30);
    return isRefused ? refusal(all, 1) : all;
  }),
  'every answer takes as long as petspec waits for one': {
    around: async (call, next) => {
      const answer = await next(call);
      await call.pause(9_900);
      return answer;
    },
  },
  '503 with a page for everything': lying(() => ({
    status: 503,
    headers: [['Content-Type', 'text/html']],
    body: '<h1>503</h1>',
  })),
  'every answer redirects': lying(() => ({ status: 302, headers: [['Location', '/login']], body: '' })),
};

/** Bodies as large as are kept however many there are. */
const LARGE: Change = {
  around: async (call, next) => {
    const answer = await next(call);
    return typeof answer.body === 'object' && call.operation === 'listPets'
      ? { ...answer, body: Buffer.from(`[]${' '.repeat(60_000)}`) }
      : answer;
  },
};

interface Judged extends Conducted {
  log: readonly LogEntry[];
  /** Of what stays of the run, as the ledger writes it. */
  characters: number;
}

async function judged(changes: readonly Change[], options: RunOptions): Promise<Judged> {
  let log: readonly LogEntry[] = [];
  let characters = 0;
  const run = await conductBundled(contract, makePlan(contract, checks, options), options, {
    changes,
    connections: 'memory',
    start: Date.UTC(2026, 10, 21, 12, 0, 20),
    onKept: (exchange) => {
      characters += JSON.stringify(exchange).length;
    },
    onLog: (entries) => {
      log = entries;
    },
  });
  return { ...run, log, characters };
}

/**
 * Requests of a plan: 53 with the key and 12 without it before the limit is used up, up to 10 again of each, four fifths of the next
 * window, or as many as there are, and 25 with wrong keys.
 */
const MOST: Readonly<Record<string, number>> = {
  free: 131 + 22 + 48 + 25,
  pro: 452 + 22 + 240 + 25,
  business: 1_502 + 22 + 390 + 25,
};

/** Judging what it told takes ten seconds. */
const LONG = 'the window opens for one request, and Remaining says that it is unused';
const liars = Object.entries(LIARS).filter(([what]) => isNightly || what !== LONG);

describe.each(isNightly ? ['free', 'pro', 'business'] : ['free'])('%s', (plan) => {
  test.each(liars)('%s: no more is sent than was announced', async (_what, liar) => {
    const options = { ...DEFAULT_OPTIONS, plan };
    const { most } = makePlan(contract, checks, options).cost;
    const { log, startedAt, finishedAt } = await judged([liar], options);
    const atBase = log.filter(({ listener }) => listener === 'animals');
    expect(atBase.length).toBeLessThanOrEqual(MOST[plan] ?? 0);
    expect(log.length - atBase.length).toBeLessThanOrEqual(16 + 1);
    expect(finishedAt - startedAt).toBeLessThanOrEqual(most.seconds * 1000);
  });
});

/** Without a stated time, a run of these takes seconds. */
const SHORT = [
  'Remaining counts down from a billion, Reset moves by a second',
  'nothing remains, and Reset is 0',
  '503 with a page for everything',
  'every answer redirects',
];
const long = Object.entries(LIARS).filter(([what]) => isNightly || !SHORT.includes(what));

test.each(long)('%s: a time that the user states is kept', async (_what, liar) => {
  const options = { ...DEFAULT_OPTIONS, plan: 'free', maxTime: 30 };
  const { log, startedAt, finishedAt, stopped } = await judged([liar], options);
  expect(log.length).toBeGreaterThan(0);
  expect(finishedAt - startedAt).toBeLessThanOrEqual(30_000);
  expect([undefined, 'out-of-time', 'not-the-service']).toContain(stopped?.kind);
});

/** By day, src/session/ledger tests what bounds it: 1,200 responses of 60 kB take long. */
test.each(isNightly ? [800] : [])('what is kept of an exhaustion of %i is bounded', async (minute) => {
  const [liar] = Object.values(LIARS);
  const options: RunOptions = { ...DEFAULT_OPTIONS, limits: { minute, day: 100_000 } };
  const { characters, exchanges, log } = await judged([LARGE, ...(liar ? [liar] : [])], options);
  expect(log.length).toBeGreaterThan(800);
  expect(log.length).toBeLessThanOrEqual(1_202 + 22 + 16 + 500);
  // 16 MiB of responses, and as much again of what is notable.
  expect(exchanges.length).toBeLessThan(700);
  expect(characters).toBeLessThan(40_000_000);
});

test('a service that never gave a success is not used up', async () => {
  const unavailable = LIARS['503 with a page for everything'];
  const { log, findings, stopped } = await judged(unavailable ? [unavailable] : [], {
    ...DEFAULT_OPTIONS,
    plan: 'free',
  });
  // One read of each of three operations.
  expect(log).toHaveLength(3);
  expect(stopped?.kind).toBe('not-the-service');
  expect(findings.TooManyRequests).toMatchObject({ status: 'not-tested' });
});
