import type { Evidence } from '../../src/judge/evidence/check.ts';
import { judgeExchanges } from '../../src/judge/judge-exchanges.ts';
import type { RatePlan } from '../../src/model/contract.ts';
import type { Exchange, HeaderLine } from '../../src/model/exchange.ts';
import { expecting, OPEN } from '../../src/model/http/expectation.ts';
import { readRateLimit } from '../../src/model/limits/rate-limit.ts';
import type { KeyKind, Probe, Stage } from '../../src/model/probe.ts';
import { contract, exchangeOf as exchangeWith } from '../exchanges/exchanges.ts';

export { contract };
/** Sat, 21 Nov 2026 12:00:00 GMT, in s. */
export const NOON = 1_795_262_400;
export const FREE = { minute: 60, day: 1_000 };

/** An answer as a test writes it; times in s since noon, by the server's clock and ours. */
export interface Answer {
  operation?: string;
  stage?: Stage;
  key?: KeyKind;
  status?: number;
  at?: number;
  limit?: number | string | undefined;
  remaining?: number | string | undefined;
  resetIn?: number;
  reset?: number | string;
  retryAfter?: string;
  /** A burst that it announces on top of the limit. */
  burst?: number;
  inFlight?: number;
  variation?: NonNullable<Exchange['variation']>;
  /** Whether it went out twice. */
  isRepeated?: true;
  body?: string;
  /** What came in place of an answer. */
  failure?: NonNullable<Exchange['failure']>;
  /** Whether the server says what time it is; it does unless told otherwise. */
  isDated?: boolean;
  /** By how many seconds Date is ahead. */
  dateAhead?: number;
}

export interface Run {
  plan?: string;
  limits?: RatePlan;
  sharedKey?: boolean;
  unsent?: Evidence['unsent'];
  used?: NonNullable<Evidence['used']>;
}

const BODIES: Record<number, string> = {
  200: '[]',
  201: '{"id":1,"name":"x","categoryId":1}',
};

export function probeOf({ operation = 'listPets', stage = 'list', key = 'valid' }: Answer): Probe {
  const success = { createPet: '201', sendMessage: '2XX' }[operation] ?? '200';
  const due = expecting([key === 'valid' ? success : '401']);
  return {
    id: key === 'valid' ? `${operation}:${stage}` : `${operation}:key-${key}`,
    operation,
    stage,
    title: stage,
    validity: 'valid',
    expectation: operation === 'getStoreOrders' ? OPEN : due,
    key,
    query: [],
    path: {},
    creates: operation === 'createPet',
    controls: [],
  };
}

export function exchangeOf(answer: Answer, id: number): Exchange {
  const { status = 200, at = id / 100, dateAhead = 0 } = answer;
  const { limit = 60, remaining, resetIn = 30, reset = NOON + Math.floor(at) + resetIn, retryAfter } = answer;
  const told = (name: string, value: number | string | undefined): HeaderLine[] =>
    value === undefined ? [] : [[name, String(value)]];
  const headers: HeaderLine[] = [
    ['Content-Type', 'application/json'],
    ...(answer.isDated === false ? [] : told('Date', new Date((NOON + at + dateAhead) * 1000).toUTCString())),
    ...('limit' in answer && answer.limit === undefined ? [] : told('X-RateLimit-Limit', limit)),
    ...told('X-RateLimit-Remaining', remaining),
    ...told('X-RateLimit-Reset', reset),
    ...told('Retry-After', retryAfter),
    ...told('X-RateLimit-Burst', answer.burst),
  ];
  const body = answer.body ?? BODIES[status] ?? JSON.stringify({ code: 'c', message: 'm', status });
  const receivedAt = (NOON + at) * 1000;
  return exchangeWith(probeOf(answer), {
    id,
    sentAt: receivedAt - 5,
    receivedAt,
    inFlight: answer.inFlight ?? 1,
    ...(answer.variation ? { variation: answer.variation } : {}),
    ...(answer.isRepeated ? { isRepeated: answer.isRepeated } : {}),
    ...(answer.failure
      ? { failure: answer.failure, rate: {} }
      : { response: { status, headers, body }, rate: readRateLimit(headers, receivedAt) }),
  });
}

/** What a run that got these answers, in this order, shows. The plan is stated as Free unless a test says otherwise. */
export function shown(answers: readonly Answer[], run: Run = {}): Evidence {
  const { plan = 'free', limits = FREE, sharedKey = false, unsent = [], used } = run;
  const probes = [...new Map(answers.map((each) => [probeOf(each).id, probeOf(each)])).values()];
  const recover = probeOf({ stage: 'recover' });
  const exhaust = probeOf({ stage: 'exhaust' });
  const circumstances = {
    contract,
    probes: [...probes, exhaust, recover],
    today: NOON * 1000,
    referencesKnown: true,
    limits,
  };
  const exchanges = answers.map((each, index) => exchangeOf(each, index + 1));
  return {
    ...circumstances,
    judged: judgeExchanges(exchanges, circumstances),
    unsent,
    baseUrl: 'http://127.0.0.1/v1',
    sharedKey,
    ...(plan === '' ? {} : { plan }),
    ...(used ? { used } : {}),
  };
}

/** Answers whose Remaining goes through these figures. */
export const falling = (figures: readonly number[], change: Answer = {}): Answer[] =>
  figures.map((remaining) => ({ remaining, ...change }));
export const downTo = (last: number, change: Answer = {}): Answer[] =>
  falling(
    Array.from({ length: 60 - last }, (_, index) => 59 - index),
    change,
  );
/** One Remaining is much too low, whatever the limiter is. */
export const lowOnce: readonly Answer[] = [...downTo(40), ...falling([15, 38, 37, 36])];
/** The same, but as so many requests come at a time, no search tries every order in which they may have been counted. */
export const tooManyOrders: readonly Answer[] = falling([59, 58, 57, 20, 50, 49], {
  reset: NOON + 60,
  inFlight: 65,
});
export const refused = (change: Answer = {}): Answer => ({
  status: 429,
  stage: 'exhaust',
  remaining: 0,
  retryAfter: '30',
  ...change,
});
export const again = (change: Answer = {}): Answer => ({
  stage: 'recover',
  at: 40,
  remaining: 59,
  ...change,
});
export const exhausting = { stage: 'exhaust' } as const;
/** Every operation of the base address twice in a row, so that none could be the only one that the limit covers. */
export const everywhere = (remaining: (sent: number) => number): Answer[] =>
  ['listPets', 'createPet', 'getPet', 'getStoreOrders'].flatMap((operation, index) =>
    [0, 1].map((second) => ({
      operation,
      status: operation === 'createPet' ? 201 : 200,
      remaining: remaining(2 * index + second + 1),
    })),
  );
