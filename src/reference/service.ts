import type { Clock } from '../model/clock.ts';
import { challenge, createKeyCheck } from './authentication.ts';
import type { Change, Hooks } from './changes/change.ts';
import { chain } from './changes/change.ts';
import type { Answer, HeaderField } from './http/answer.ts';
import { appendHeaders, errorAnswer } from './http/answer.ts';
import type { Call, KeyVerdict, LogEntry } from './http/call.ts';
import type { Limiter } from './limiter/limiter.ts';
import { clientOf, createLimiter, isCovered, weightOf } from './limiter/limiter.ts';
import type { LimiterVerdict } from './limiter/verdict.ts';
import { rateLimitHeaders, retryAfter } from './limiter/verdict.ts';
import { operate } from './operations.ts';
import type { Route } from './routes.ts';
import type { Plan, Settings } from './settings.ts';
import { createStore } from './store.ts';

/** A request before its body is read. */
export interface RequestHead {
  method: string;
  /** The path with the query. */
  target: string;
  /** The values of a header, by its name in lower case. */
  headers: Readonly<Record<string, readonly string[] | undefined>>;
}

/** Another interface than the animal store's, to serve behind the same limiter, log and changes. */
export interface Served {
  /** Path of its base address, without a slash at its end. */
  basePath: string;
  route(asked: RequestHead): Route;
  judgeKey(asked: RequestHead, route: Route): KeyVerdict;
  /** Answers a request that its limit and its key allow. */
  operate(call: Call): Answer;
  /** A refusal as the interface writes them. */
  refuse(call: Call, status: number, message: string, headers: HeaderField[]): Answer;
  /** What every answer says of the limit. */
  limitHeaders(verdict: LimiterVerdict, now: number): HeaderField[];
}

export interface ServiceOptions {
  clock: Clock;
  apiKey: string;
  plan: Plan;
  settings: Settings;
  changes: readonly Change[];
  /** Another interface to serve. */
  served?: Served | undefined;
}

export type ReferenceService = ReturnType<typeof createService>;

/** The parts of a running reference that its two listeners share. */
export function createService({ clock, apiKey, plan, settings, changes, served }: ServiceOptions) {
  const hooks = chain(changes);
  const serverNow = () => clock.now() + settings.clockSkew * 1000;
  const limiter = createLimiter(plan, settings.limiter, serverNow());
  const memory = new Map<string, unknown>();
  const log: LogEntry[] = [];
  const handle = hooks.handle(async (call) => served?.operate(call) ?? operate(call, hooks));
  const announce = (answer: Answer, verdict: LimiterVerdict) =>
    appendHeaders(
      answer,
      served?.limitHeaders(verdict, serverNow()) ?? rateLimitHeaders(verdict, settings.limiter),
    );
  const refuse = (call: Call, status: number, code: string, message: string, headers: HeaderField[]) =>
    served?.refuse(call, status, message, headers) ?? errorAnswer(status, code, message, headers);
  return {
    hooks,
    served,
    store: createStore(settings.animals, settings.firstId),
    log,
    /** Notes a request that arrived. */
    noted: (arrived: Omit<LogEntry, 'number' | 'at'>): LogEntry => {
      const entry = { number: log.length + 1, at: clock.now(), ...arrived };
      log.push(entry);
      return entry;
    },
    /** Connections that either listener has accepted. */
    connections: 0,
    pause: (ms: number, signal: AbortSignal) => clock.pause(ms, signal),
    recall: <T>(name: string, first: () => T) => {
      if (!memory.has(name)) memory.set(name, first());
      return memory.get(name) as T;
    },
    apiKey,
    settings,
    judgeKey: createKeyCheck(apiKey),
    /** The time by the server's clock, which may be skewed: ms since the epoch. */
    serverNow,
    /** The complete answer to a call. */
    answer: hooks.around(async (call) =>
      withDate(
        await limited(call, { limiter, settings: settings.limiter, hooks, handle, announce, refuse }),
        serverNow(),
      ),
    ),
    /** The answer to bytes that are not an HTTP request. */
    refuse: (status: number, message: string): Answer => {
      const refusal = errorAnswer(status, 'invalid_request', message, [['Connection', 'close']]);
      return withDate(announce(refusal, limiter.unused(serverNow())), serverNow());
    },
  };
}

/** What stands around an operation, and how it is written. */
interface LimitedService {
  limiter: Limiter;
  settings: Settings['limiter'];
  hooks: Hooks;
  handle: (call: Call) => Promise<Answer>;
  announce: (answer: Answer, verdict: LimiterVerdict) => Answer;
  refuse: Refuse;
}

/** Writes a refusal. */
type Refuse = (call: Call, status: number, code: string, message: string, headers: HeaderField[]) => Answer;

/** Authentication and limiter, with the operation inside. */
async function limited(
  call: Call,
  { limiter, settings, hooks, handle, announce, refuse }: LimitedService,
): Promise<Answer> {
  const client = clientOf(call, settings);
  const known = call.key === 'valid' || settings.counts401;
  const weight = weightOf(call, settings);
  const countedAt = limiter.timeOf(call.now);
  const age = cachedFor(call, settings);
  const counted = known && isCovered(call, settings) && age === undefined;
  const judged = (): LimiterVerdict => {
    if (!known) return limiter.unused(call.now);
    if (!counted) return { ...limiter.look(client, call.now), allowed: true };
    // If 4xx answers are free, whether this call counts depends on its answer.
    return settings.counts4xx ? limiter.take(client, call.now, weight) : limiter.look(client, call.now);
  };
  let verdict = hooks.limit(judged(), call);
  if (!verdict.allowed) {
    const after = retryAfter(verdict, call.now, settings);
    const message = 'too many requests: retry after Retry-After';
    return announce(refuse(call, 429, 'rate_limited', message, [after]), verdict);
  }
  const answer = aged(await admitted(call, handle, refuse), age, settings);
  const is4xx = answer.status >= 400 && answer.status <= 499;
  const isGivenBack = { nothing: false, '4xx': is4xx, additions: answer.status === 201 };
  if (counted && isGivenBack[settings.givenBack]) limiter.giveBack(client, countedAt, weight);
  if (counted && !settings.counts4xx && !is4xx)
    verdict = hooks.limit(limiter.take(client, call.now, weight), call);
  return announce(answer, verdict);
}

/** How long (ms) a cache has had the answer; undefined if it has no recent answer. Then the cache keeps it from now on. */
function cachedFor(call: Call, { freeRepeats, freeRepeatsForMs }: Settings['limiter']): number | undefined {
  if (call.operation === undefined || !freeRepeats.includes(call.operation) || call.key !== 'valid')
    return undefined;
  const cached = call.recall('cached', () => new Map<string, number>());
  const target = `${call.path}?${call.query}`;
  const age = call.now - (cached.get(target) ?? Number.NEGATIVE_INFINITY);
  if (age <= freeRepeatsForMs && age < Number.POSITIVE_INFINITY) return age;
  cached.set(target, call.now);
  return undefined;
}

/** Every operation requires a key (interface: Errors, 401). Unknown paths and methods do not. */
async function admitted(call: Call, handle: LimitedService['handle'], refuse: Refuse): Promise<Answer> {
  if (call.operation === undefined || call.key === 'valid') return handle(call);
  const message = call.key === 'missing' ? 'an API key is required' : 'the API key is not valid';
  return refuse(call, 401, 'unauthorized', message, [['WWW-Authenticate', challenge(call.key)]]);
}

/** A cache that keeps answers only for a while says how old an answer is. */
function aged(answer: Answer, age: number | undefined, { freeRepeatsForMs }: Settings['limiter']): Answer {
  if (age === undefined || freeRepeatsForMs === Number.POSITIVE_INFINITY) return answer;
  return appendHeaders(answer, [['Age', String(Math.floor(age / 1_000))]]);
}

/** Date in IMF-fixdate (RFC 9110 §6.6.1). */
function withDate(answer: Answer, now: number): Answer {
  const date: HeaderField = ['Date', new Date(now).toUTCString()];
  return { ...answer, headers: [date, ...answer.headers] };
}
