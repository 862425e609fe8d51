import { type Exchange, isServerError, type Variation } from '../../../model/exchange.ts';
import type { Probe, RequestVariation } from '../../../model/probe.ts';
import { MINUTE_S } from '../../../model/rate-plan.ts';
import { fillSize, type Rest } from '../burst-size.ts';
import { isLetThrough } from '../limited-operation.ts';
import type { WindowUse } from './window-use.ts';

/** An exhaustion takes at most this many windows, and as many minutes. */
const MAX_WINDOWS = 2;

/** Rounds that come before requests of other kinds: they show most. */
const FIRST_ROUNDS = 2;

/** Near the limit, so many requests are left: they go out on new connections. */
const NEAR = 4;

/** Why an exhaustion ends: `done`: a request was refused, or more were let through than an honest limiter allows. */
export type ExhaustionEnd = 'done' | 'uncounted' | 'budget-used-up' | 'too-slow';

/** What came of the requests so far. */
export interface ExhaustionCourse {
  /** In order; of plain requests in a row two. */
  sent: readonly Exchange[];
  /** Rounds that were sent. */
  rounds: number;
  isRoundFailed: boolean;
  /** Whether a request of another kind was sent since the last round. */
  isRoundNext: boolean;
  /** Whether a request was refused, by the limit as it seems. */
  isRefused: boolean;
  /** The last plain request got a 5xx. The next one shows whether the limiter sent it or the operation failed for once. */
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

/** What the next request is chosen by. */
export interface Situation {
  probe: Probe;
  limit: number;
  course: ExhaustionCourse;
  use: WindowUse;
  /** Whether Remaining falls with these requests, and whether it says how much is left of a minute. */
  countsDown: boolean;
  isCountedDown: boolean;
  /** Whether responses are quick enough for requests of other kinds. */
  isQuick: boolean;
  /** Requests that the limit still allows, if the headers or our own count tell. */
  left: number | undefined;
  /** What the rest of the window has to take; undefined if nothing tells what is left. */
  rest: Rest | undefined;
  /** Requests that may go out together. */
  mostTogether: number;
}

/** One request as it goes out, or several. */
export type ExhaustionStep =
  | { kind: 'varied'; variation: Variation }
  | { kind: 'together'; size: number }
  /** The next round, or the plain request where there is none; before it, if there is one, a request of another kind. */
  | { kind: 'read'; mayBeOther: boolean; round: readonly RequestVariation[] | undefined };

/** Why an exhaustion ends now; undefined if it goes on. @param ms since it began @param budget requests with the key that are left */
export function endOf(
  { course, use, isCountedDown }: Situation,
  now: number,
  ms: number,
  budget: number,
): ExhaustionEnd | undefined {
  if (course.isRefused) return 'done';
  if (isCountedDown && use.isUncounted(now)) return 'uncounted';
  if (use.isExceeded(isCountedDown, now, 0)) return 'done';
  // The last one is for the recovery.
  if (budget <= 1) return 'budget-used-up';
  return use.ended >= MAX_WINDOWS || ms > MAX_WINDOWS * MINUTE_S * 1000 ? 'too-slow' : undefined;
}

/** Whether the limit has to be reached soon. */
export function isNear({ left }: Pick<Situation, 'left'>): boolean {
  return left !== undefined && left <= NEAR;
}

/** What is sent next: a way around the limit, several at once where there is no time, something new, or the same again. */
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

/** The first rounds come first; near the limit, the others come in turn with what is new. */
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
 * @param usualStatus of the response to the plain one
 * @returns also whether it was let through
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
  // Of several at once, one may have waited too long for the others.
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

/** The variations need no more than the last two of many plain requests in a row. */
function remembered(sent: readonly Exchange[], exchange: Exchange): readonly Exchange[] {
  const isLong = sent.slice(-2).filter(({ variation }) => !variation).length === 2;
  return [...(isLong && !exchange.variation ? sent.slice(0, -1) : sent), exchange];
}

/** How an exhaustion tries to get around the limit, in this order, with requests that it sends anyway. */
const VARIATIONS: readonly Variation[] = ['forwarded-for', 'spelling'];

/** The first requests of an exhaustion show how an unchanged request counts. */
export const PLAIN_FIRST = 2;

/** A varied request is sent while at least this many are left: the one that has to be refused is plain. */
const MIN_LEFT = 2;

/** What a service may refuse is sent only where there is as much room: other requests show more. */
const MIN_LENIENT_LEFT = 12;

/** Of several nodes, one may tell of more than are left, but not of so much more: then a count of its own shows. */
const MAX_SHARE = 1 / 3;

/**
 * How the next request of an exhaustion is varied; undefined if it is not. Each is sent once, between two plain requests.
 * @param sent requests of the exhaustion, in order
 * @param left requests that the limit still allows
 * @param lenient what is sent after them as far as the limit has room, in this order
 */
export function nextVariation(
  sent: readonly Exchange[],
  left: number,
  limit: number,
  lenient: readonly Variation[] = [],
): Variation | undefined {
  if (sent.length < PLAIN_FIRST || sent.at(-1)?.variation || left > MAX_SHARE * limit) return undefined;
  const isUnsent = (each: Variation) => !sent.some(({ variation }) => variation === each);
  const [next, ...others] = VARIATIONS.filter(isUnsent);
  if (next === undefined) return left >= MIN_LENIENT_LEFT ? lenient.find(isUnsent) : undefined;
  // Each of the others needs a plain request before it.
  return left - 2 * others.length >= MIN_LEFT ? next : undefined;
}
