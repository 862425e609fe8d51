import type { Evidence } from '../../src/judge/evidence/check.ts';
import { judgeExchanges } from '../../src/judge/judge-exchanges.ts';
import type { Exchange, HeaderLine } from '../../src/model/exchange.ts';
import { readRateLimit } from '../../src/model/limits/rate-limit.ts';
import { createLimiter, type Limiter } from '../../src/reference/limiter/limiter.ts';
import type { LimiterVerdict } from '../../src/reference/limiter/verdict.ts';
import { rateLimitHeaders, retryAfter } from '../../src/reference/limiter/verdict.ts';
import { type LimiterSettings, mergeSettings, type Plan } from '../../src/reference/settings.ts';
import { contract, exchangeOf } from '../exchanges/exchanges.ts';
import { probeOf } from '../limiters/limited-runs.ts';

/** The operations that requests alternate between, with the status of a success and of a client error. */
export const OPERATIONS = ['listPets', 'createPet', 'getPet', 'getStoreOrders', 'sendMessage'] as const;
const FAILS_WITH: Readonly<Partial<Record<string, number>>> = {
  createPet: 400,
  getPet: 404,
  sendMessage: 400,
};
const BODIES: Readonly<Record<number, string>> = { 200: '[]', 201: '{"id":1,"name":"x","categoryId":1}' };

/** A request: when it is sent (ms after the one before, or after a slot is free), and when it is decided and answered. */
export interface Request {
  operation: (typeof OPERATIONS)[number];
  /** ms between a free slot and the request. */
  pause: number;
  /** ms until the response. */
  takes: number;
  /** When the limiter decides, as a share of that time. */
  decided: number;
  isWrong: boolean;
  isWithoutKey: boolean;
}

/** Bursts, and a service that has several workers and takes the requests of a burst in any order. */
export interface Filling {
  burst: 'fill' | 'beside';
  sizes: readonly number[];
  workers: number;
  /** ms that a worker takes for a request, one after the other. */
  takes: readonly number[];
  /** Which of the requests that wait is next. */
  picks: readonly number[];
}

/** An honest limiter and what is asked of it. */
export interface Limited {
  plan: Plan;
  limiter: Partial<LimiterSettings>;
  /** Seconds by which the server's clock is ahead; it sends a Date. */
  skew: number;
  isDated: boolean;
  inFlight: number;
  /** ms since the epoch, by our clock. */
  start: number;
  /** Whether petspec knows the plan. */
  isStated: boolean;
  requests: readonly Request[];
  /** What is sent after the first half of the requests. */
  filling?: Filling;
}

interface Sent extends Request {
  id: number;
  sentAt: number;
  decidedAt: number;
  receivedAt: number;
  inFlight: number;
  burst?: Filling['burst'];
}

/** When each request is sent, decided and answered: the first half, the bursts, and the second half. */
function timesOf({ requests, inFlight, start, filling }: Limited): Sent[] {
  if (!filling) return timesOneByOne(requests, inFlight, start, 0);
  const half = Math.ceil(requests.length / 2);
  const before = timesOneByOne(requests.slice(0, half), 1, start, 0);
  const bursts = timesOfBursts(filling, endOf(before, start), half);
  const sent = [...before, ...bursts];
  return [...sent, ...timesOneByOne(requests.slice(half), 1, endOf(sent, start), sent.length)];
}

function endOf(sent: readonly Sent[], start: number): number {
  return Math.max(start, ...sent.map(({ receivedAt }) => receivedAt + 1));
}

/** Bursts one after the other: each worker takes one of the requests that wait. */
function timesOfBursts(
  { burst: kind, sizes, workers, takes, picks }: Filling,
  start: number,
  before: number,
): Sent[] {
  const sent: Sent[] = [];
  for (const size of sizes) {
    const sentAt = endOf(sent, start);
    const free = Array.from({ length: workers }, () => sentAt);
    const waiting = Array.from({ length: size }, (_, index) => index);
    const burst: Sent[] = [];
    while (waiting.length > 0) {
      const turn = sent.length + burst.length;
      const [index = 0] = waiting.splice((picks[turn % picks.length] ?? 0) % waiting.length, 1);
      const worker = free.indexOf(Math.min(...free));
      const decidedAt = free[worker] ?? sentAt;
      const receivedAt = decidedAt + (takes[turn % takes.length] ?? 1);
      free[worker] = receivedAt;
      burst.push({
        ...{ operation: 'listPets', pause: 0, takes: receivedAt - sentAt, decided: 0 },
        ...{ isWrong: false, isWithoutKey: false, burst: kind },
        ...{ id: before + sent.length + index + 1, sentAt, decidedAt, receivedAt, inFlight: index + 1 },
      });
    }
    sent.push(...burst);
  }
  return sent;
}

/** Requests with so many in flight at most. @param before so many were sent before them */
function timesOneByOne(
  requests: readonly Request[],
  inFlight: number,
  start: number,
  before: number,
): Sent[] {
  const free = Array.from({ length: inFlight }, () => start);
  const sent: Sent[] = [];
  let now = start;
  for (const request of requests) {
    const slot = free.indexOf(Math.min(...free));
    now = Math.max(now, free[slot] ?? 0) + request.pause;
    const receivedAt = now + request.takes;
    free[slot] = receivedAt + 1;
    const others = sent.filter((each) => each.receivedAt >= now).length;
    const decidedAt = now + Math.floor(request.takes * request.decided);
    const id = before + sent.length + 1;
    sent.push({ ...request, id, sentAt: now, decidedAt, receivedAt, inFlight: others + 1 });
  }
  return sent;
}

/** What petspec sees if it asks an honest limiter, in the order in which it sent the requests. */
export function limitedExchanges(limited: Limited): Exchange[] {
  const { limiter: settings } = mergeSettings([{ limiter: limited.limiter }]);
  const skewMs = limited.skew * 1_000;
  const limiter = createLimiter(limited.plan, settings, limited.start + skewMs);
  const inOrder = timesOf(limited).sort((one, other) => one.decidedAt - other.decidedAt || one.id - other.id);
  let held: Held[] = [];
  const exchanges = inOrder.map((request) => {
    const isAnswered = ({ until }: Held) => until < request.decidedAt;
    for (const { client, since, weight } of held.filter(isAnswered)) limiter.giveBack(client, since, weight);
    held = held.filter((each) => !isAnswered(each));
    return exchangeFor(request, limiter, settings, limited, (each) => held.push(each));
  });
  return exchanges.sort((one, other) => one.id - other.id);
}

/** What counts only until it is answered. Times in ms since the epoch: the first by the server's clock, the second by ours. */
interface Held {
  client: string;
  weight: number;
  since: number;
  until: number;
}

function exchangeFor(
  request: Sent,
  limiter: Limiter,
  settings: LimiterSettings,
  limited: Limited,
  hold: (held: Held) => void,
): Exchange {
  const { operation, id, sentAt, decidedAt, receivedAt, inFlight, burst, isWithoutKey } = request;
  const now = decidedAt + limited.skew * 1_000;
  const wrong = request.isWrong ? FAILS_WITH[operation] : undefined;
  const isHeld = settings.givenBack === '4xx' && (isWithoutKey ? settings.counts401 : wrong !== undefined);
  const isCounted = isWithoutKey ? settings.counts401 : wrong === undefined || settings.counts4xx || isHeld;
  const address = operation === 'sendMessage' && settings.messages === 'separate' ? 'messages' : '';
  const client = settings.scope === 'key-and-operation' ? `${address} ${operation}` : address;
  const isCovered = settings.covers === 'all' || settings.covers.includes(operation);
  const looked = isCovered ? limiter.look(client, now) : limiter.unused(now);
  const weight = settings.weights[operation] ?? 1;
  const isTaken = isCovered && isCounted && looked.allowed;
  const verdict = isTaken ? limiter.take(client, now, weight) : looked;
  if (isTaken && isHeld) hold({ client, weight, since: limiter.timeOf(now), until: receivedAt });
  const success = { createPet: 201, sendMessage: 202 }[operation as string] ?? 200;
  const status =
    !verdict.allowed && (isCounted || !isWithoutKey) && isCovered
      ? 429
      : isWithoutKey
        ? 401
        : (wrong ?? success);
  const headers = headersOf(
    verdict,
    status,
    now,
    settings,
    receivedAt + limited.skew * 1_000,
    limited.isDated,
  );
  const probe = probeOf({ operation, key: isWithoutKey ? 'absent' : 'valid' });
  const body = BODIES[status] ?? JSON.stringify({ code: 'c', message: 'm', status });
  return exchangeOf(probe, {
    id,
    sentAt,
    receivedAt,
    inFlight,
    ...(burst ? { burst } : {}),
    method: ['createPet', 'sendMessage'].includes(operation) ? 'POST' : 'GET',
    url: `http://127.0.0.1/v1/${operation}`,
    response: { status, headers, body },
    rate: readRateLimit(headers, receivedAt),
  });
}

function headersOf(
  verdict: LimiterVerdict,
  status: number,
  now: number,
  settings: LimiterSettings,
  leaves: number,
  isDated: boolean,
): HeaderLine[] {
  return [
    ['Content-Type', 'application/json'],
    ...(isDated ? [['Date', new Date(leaves).toUTCString()] as const] : []),
    ...(settings.leeway > 0 ? [['X-RateLimit-Burst', String(settings.leeway)] as const] : []),
    ...rateLimitHeaders(verdict, settings).map(([name, value]): HeaderLine => [name, String(value)]),
    ...(status === 429
      ? [retryAfter(verdict, now, settings)].map(([name, value]): HeaderLine => [name, String(value)])
      : []),
  ];
}

/** What these exchanges show, of a plan that is stated or not. */
export function evidenceOf(exchanges: readonly Exchange[], plan?: Plan): Evidence {
  const probes = [
    ...new Map(
      exchanges.map(({ operation, key }) => {
        const probe = probeOf({ operation, key });
        return [probe.id, probe];
      }),
    ).values(),
  ];
  const circumstances = {
    contract,
    probes,
    today: exchanges[0]?.sentAt ?? 0,
    referencesKnown: true,
    ...(plan ? { limits: plan } : {}),
  };
  return {
    ...circumstances,
    judged: judgeExchanges(exchanges, circumstances),
    unsent: [],
    baseUrl: 'http://127.0.0.1/v1',
    sharedKey: false,
    ...(plan ? { plan: 'custom' } : {}),
  };
}

/** The exchanges, one a line, so that a failure can be read. */
export function linesOf({ judged }: Evidence): string {
  const [first] = judged;
  const since = (ms: number) => ms - (first?.exchange.sentAt ?? 0);
  const lines = judged.map(({ exchange: { id, operation, sentAt, receivedAt, response, rate } }) => {
    const reset = since((rate.reset ?? 0) * 1_000);
    const figures = `${rate.remaining}/${rate.limit} until ${reset}, retry ${rate.retryAfter}`;
    return `${id} ${operation} ${since(sentAt)}-${since(receivedAt)}: ${response?.status} ${figures}`;
  });
  return `\n${lines.join('\n')}\n`;
}
