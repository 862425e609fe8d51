import { type Exchange, isServerError, type Variation } from '../../../model/exchange.ts';
import { MINUTE_S } from '../../../model/limits/rate-plan.ts';
import type { Probe, RequestVariation } from '../../../model/probe.ts';
import { fillSize, type Rest } from '../room/burst-size.ts';
import { isLetThrough } from '../room/limited-operation.ts';
import type { WindowUse } from './window-use.ts';

/** The most windows, and minutes, that an exhaustion takes. */
const MAX_WINDOWS = 2;

/** Rounds that come before requests of other kinds, because they show most. */
const FIRST_ROUNDS = 2;

/** This many requests are left near the limit. They go out on new connections. */
const NEAR = 4;

/** Why an exhaustion ends: `done`: a request was refused, or more were let through than an honest limiter allows. */
export type ExhaustionEnd = 'done' | 'uncounted' | 'budget-used-up' | 'too-slow';

/** The course of an exhaustion so far. */
export interface ExhaustionCourse {
  /** In order; of several plain requests in a row, the last two. */
  sent: readonly Exchange[];
  /** Rounds that were sent. */
  rounds: number;
  isRoundFailed: boolean;
  /** Whether a request of another kind was sent since the last round. */
  isRoundNext: boolean;
  /** Whether a request was refused, apparently by the limit. */
  isRefused: boolean;
  /** The last plain request got a 5xx. The next one shows whether the limiter sent it or the operation failed once. */
  isBroken: boolean;
}

export const BEGINNING: ExhaustionCourse = {
  sent: [],
  rounds: 0,
  isRoundFailed: false,
  isRoundNext: false,
  isRefused: false,
  isBroken: false,
};

/** The facts that the next step depends on. */
export interface Situation {
  probe: Probe;
  limit: number;
  course: ExhaustionCourse;
  use: WindowUse;
  /** Whether Remaining falls with these requests, and whether it then describes a minute. */
  countsDown: boolean;
  isCountedDown: boolean;
  /** Whether responses are quick enough for requests of other kinds. */
  isQuick: boolean;
  /** Requests that the limit still allows, by the headers or our own count. */
  left: number | undefined;
  /** The rest of the window; undefined if `left` is. */
  rest: Rest | undefined;
  /** Requests that may go out together. */
  mostTogether: number;
}

/** One request, or several together. */
export type ExhaustionStep =
  | { kind: 'varied'; variation: Variation }
  | { kind: 'together'; size: number }
  /** The next round, or else the plain request. With `mayBeOther`, a request of another kind goes first, if any. */
  | { kind: 'read'; mayBeOther: boolean; round: readonly RequestVariation[] | undefined };

/**
 * Why an exhaustion ends now; undefined if it goes on.
 * @param ms since it began
 * @param budget requests with the key that may still be sent
 */
export function endOf(
  { course, use, isCountedDown }: Situation,
  now: number,
  ms: number,
  budget: number,
): ExhaustionEnd | undefined {
  if (course.isRefused) return 'done';
  if (isCountedDown && use.isUncounted(now)) return 'uncounted';
  if (use.isExceeded(isCountedDown, now, 0)) return 'done';
  // The last request is for the recovery.
  if (budget <= 1) return 'budget-used-up';
  return use.ended >= MAX_WINDOWS || ms > MAX_WINDOWS * MINUTE_S * 1000 ? 'too-slow' : undefined;
}

/** Whether the limit is nearly reached. */
export function isNear({ left }: Pick<Situation, 'left'>): boolean {
  return left !== undefined && left <= NEAR;
}

/** Chooses the next step: a way around the limit, several requests if time is short, another kind of request, or the read. */
export function nextStep(situation: Situation): ExhaustionStep {
  const { probe, limit, course, use, countsDown, isQuick, left, rest, mostTogether } = situation;
  const isCounted = isQuick && countsDown && use.isCounted;
  const variation = isCounted ? nextVariation(course.sent, left ?? 0, limit, probe.lenient) : undefined;
  if (variation) return { kind: 'varied', variation };
  // Another request may be sent once Remaining shows that it counts repetitions, until near the limit.
  const mayVary = isCounted && course.sent.length >= PLAIN_FIRST && (left ?? 0) > 0;
  const size = rest ? fillSize(rest, mostTogether, !mayVary) : 1;
  if (size > 1) return { kind: 'together', size };
  const round = mayVary && !course.isRoundFailed ? probe.rounds?.[course.rounds] : undefined;
  return { kind: 'read', mayBeOther: mayVary && !isRoundDue(situation), round };
}

/** The first rounds come first. Near the limit, the later rounds and requests of other kinds take turns. */
function isRoundDue({ probe, course, left }: Situation): boolean {
  const isLeft = course.rounds < (probe.rounds?.length ?? 0) && !course.isRoundFailed;
  return isLeft && (course.rounds < FIRST_ROUNDS || (course.isRoundNext && isNear({ left })));
}

/** How a read goes out. */
export interface ReadForm {
  variation?: Variation;
  round?: readonly RequestVariation[] | undefined;
  /** Requests that go out together with it. */
  beside: number;
}

/**
 * The course after a read.
 * @param usualStatus of the response to the plain read
 * @returns also whether the read was let through
 */
export function afterRead(
  course: ExhaustionCourse,
  exchange: Exchange | undefined,
  { variation, round, beside }: ReadForm,
  usualStatus: number | undefined,
): { course: ExhaustionCourse; isThrough: boolean } {
  const isRound = round !== undefined && round.length > 0;
  const status = exchange?.response?.status;
  const sent = exchange ? remembered(course.sent, exchange) : course.sent;
  // A request of a burst may have waited too long for the others.
  const isLost = beside > 0 && exchange !== undefined && status === undefined;
  if (isLost) return { course: { ...course, sent }, isThrough: false };
  const isPlain = !isRound && !variation;
  const isThrough = isLetThrough(exchange, usualStatus);
  const isBroken = isPlain && !isThrough && exchange !== undefined && isServerError(exchange);
  // A service may reject a varied request, or fail to answer it, for another reason.
  const isRefusal = status === 429 || isPlain || (!isRound && status === undefined);
  const isRefused = !isThrough && (!isBroken || course.isBroken) && isRefusal;
  return {
    course: {
      ...course,
      sent,
      isRefused: course.isRefused || isRefused,
      isBroken: isPlain ? isBroken : course.isBroken,
      isRoundFailed: course.isRoundFailed || (isRound && !isThrough),
      ...(round ? { rounds: course.rounds + 1, isRoundNext: false } : {}),
    },
    isThrough,
  };
}

/** The course after a request of another kind. */
export function afterOther(course: ExhaustionCourse, exchange: Exchange | undefined): ExhaustionCourse {
  return {
    ...course,
    isRoundNext: true,
    sent: exchange ? remembered(course.sent, exchange) : course.sent,
    isRefused: course.isRefused || exchange?.response?.status === 429,
  };
}

/** Adds an exchange. Of plain requests in a row, variations need only the last two. */
function remembered(sent: readonly Exchange[], exchange: Exchange): readonly Exchange[] {
  const isLong = sent.slice(-2).filter(({ variation }) => !variation).length === 2;
  return [...(isLong && !exchange.variation ? sent.slice(0, -1) : sent), exchange];
}

/** How an exhaustion tries to get around the limit, in this order, with requests that it sends anyway. */
const VARIATIONS: readonly Variation[] = ['forwarded-for', 'spelling'];

/** The first requests of an exhaustion show how an unchanged request counts. */
export const PLAIN_FIRST = 2;

/** A varied request is sent while at least this many are left, so that the request that has to be refused is plain. */
const MIN_LEFT = 2;

/** Requests that a service may refuse are sent only while this many are left, because other requests show more. */
const MIN_LENIENT_LEFT = 12;

/**
 * Variations are sent at or below this share of the limit. One of several nodes may state a larger Remaining, but not so much
 * larger: then the request was counted separately.
 */
const MAX_SHARE = 1 / 3;

/**
 * How the next request of an exhaustion is varied; undefined if it is not. Each is sent once, between two plain requests.
 * @param sent requests of the exhaustion, in order
 * @param left requests that the limit still allows
 * @param lenient variations that are sent after them while the limit has room, in this order
 */
export function nextVariation(
  sent: readonly Exchange[],
  left: number,
  limit: number,
  lenient: readonly Variation[] = [],
): Variation | undefined {
  if (sent.length < PLAIN_FIRST || sent.at(-1)?.variation || left > MAX_SHARE * limit) return undefined;
  const isUnsent = (candidate: Variation) => !sent.some(({ variation }) => variation === candidate);
  const [next, ...later] = VARIATIONS.filter(isUnsent);
  if (next === undefined) return left >= MIN_LENIENT_LEFT ? lenient.find(isUnsent) : undefined;
  // Each later variation needs a plain request before it.
  return left - 2 * later.length >= MIN_LEFT ? next : undefined;
}
