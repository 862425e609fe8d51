import type { Exclusion } from '../../../limiter/explain-track.ts';
import type { Misfit, Model } from '../../../limiter/models/model.ts';
import { sincePause } from '../../../limiter/others.ts';
import type { Exchange, Variation } from '../../../model/exchange.ts';
import type { Repetition } from '../../../model/finding.ts';
import { type DeviationKind, type Finding, violated } from '../../../model/finding.ts';
import { serverTime } from '../../../model/limits/rate-limit.ts';
import { MINUTE_S } from '../../../model/limits/rate-plan.ts';
import { counted } from '../../../model/report/report.ts';
import type { Evidence } from '../../evidence/check.ts';
import { operationName } from '../seen/evidence.ts';
import { type OverLimit, overLimitOf } from '../seen/over-limit.ts';
import {
  expectedOf,
  ordinal,
  type ResponsePair,
  range,
  receivedOf,
  receivedWith,
  riseBefore,
  seenIn,
  statusOf,
} from '../seen/seen.ts';
import { explain } from './explain.ts';
import { wrongHeader } from './wrong-header.ts';

const KIND: DeviationKind = 'sequence';

const COUNTED_APART: Readonly<Record<Variation, string>> = {
  'forwarded-for': 'a request with X-Forwarded-For is counted apart',
  spelling: 'another spelling of the same request is counted apart',
  'accept-absent': 'a request without Accept is counted apart',
  'accept-any': 'a request that accepts anything is counted apart',
  'accept-list': 'a request that accepts several types is counted apart',
  'user-agent': 'a request of another program is counted apart',
  origin: 'a request with an Origin is counted apart',
  'unknown-parameter': 'a request with an unknown parameter is counted apart',
};

/**
 * The violation that an observation of this kind shows, if no honest limiter explains it. The plainest kind comes first: more
 * requests were let through than the limit allows, whatever their Remaining.
 */
export function exclusionOf(evidence: Evidence, kind: Misfit['kind']): Finding | undefined {
  const { accounts, excluded } = explain(evidence);
  if (!excluded || wrongHeader(evidence)) return undefined;
  const { observation, variation } = excluded;
  const account = accounts.find(({ track }) => track.observations.includes(observation));
  const mayBeOver = !variation && (excluded.kind === 'remaining' || excluded.kind === 'let-through');
  const over = mayBeOver && account ? overLimitOf(account) : undefined;
  if ((over ? 'let-through' : excluded.kind) !== kind) return undefined;
  if (variation) return countedApart(evidence, excluded, variation);
  return over ? overLimitViolation(evidence, excluded, over) : exclusionViolation(evidence, excluded, kind);
}

/** The violation: more requests were let through than the limit allows. */
function overLimitViolation(
  evidence: Evidence,
  { nearest }: Exclusion,
  { exchange, number, window }: OverLimit,
): Finding {
  const ids = evidenceOf(evidence, exchange);
  return violated(
    {
      kind: KIND,
      reason: `${nameOf(evidence, exchange)} got ${statusOf(exchange)} as the ${ordinal(number)} request of the ${window}; ${nearestIs(nearest)}`,
      expected: `status 429 after ${counted(number - 1, 'request')}`,
      received: receivedWith(exchange),
      repetition: repetitionOf(evidence, exchange, ids[1]),
      deviating: [exchange.id],
    },
    ids,
  );
}

/** The violation of what an observation shows by itself. */
function exclusionViolation(evidence: Evidence, excluded: Exclusion, kind: Misfit['kind']): Finding {
  const {
    nearest,
    observation: { exchange },
  } = excluded;
  const rise = kind === 'remaining' && excluded.shownBy === kind ? riseTo(evidence, exchange) : undefined;
  if (rise) return riseViolation(evidence, excluded, rise);
  const ids = evidenceOf(evidence, exchange);
  const ahead = kind === 'reset' && excluded.shownBy !== 'reset' ? resetAhead(evidence, exchange) : undefined;
  const stated = kind === 'reset' && !ahead ? { ...excluded, kind: excluded.shownBy } : excluded;
  const before = evidence.judged.find((result) => result.exchange.id === ids[1])?.exchange;
  return violated(
    {
      kind: KIND,
      reason: `${seenIn(stated, before, nameOf(evidence, exchange), placeOf(evidence, exchange))}; ${nearestIs(nearest)}`,
      expected: ahead ? notBefore(ahead, ids) : expectedOf(stated, before),
      received: receivedOf(stated),
      ...(HEADERS[kind] ? { headers: HEADERS[kind] } : {}),
      repetition: repetitionOf(evidence, exchange, ids[1]),
      deviating: [exchange.id],
    },
    [...new Set([...ids, ...(ahead ? [ahead.id] : [])])],
  );
}

/** The violation: Remaining rose within a window, which no honest limiter explains together with the later responses. */
function riseViolation(evidence: Evidence, { nearest }: Exclusion, { before, after }: ResponsePair): Finding {
  const [was, is] = [before.rate.remaining, after.rate.remaining];
  const ids = [after.id, before.id];
  return violated(
    {
      kind: KIND,
      reason: `Remaining rose from ${was} to ${is} with ${nameOf(evidence, after)}; ${nearestIs(nearest)}`,
      headers: ['X-RateLimit-Remaining'],
      expected: `X-RateLimit-Remaining: at most ${was}`,
      received: `X-RateLimit-Remaining: ${is}`,
      repetition: repetitionOf(evidence, after, before.id),
      deviating: [after.id],
    },
    ids,
  );
}

/** The rise of Remaining before an exchange at its address, if only the rise is wrong. */
function riseTo({ judged }: Evidence, { id, address }: Exchange): ResponsePair | undefined {
  const earlier = judged
    .map(({ exchange }) => exchange)
    .filter((exchange) => exchange.id <= id && exchange.address === address);
  return riseBefore(earlier.filter(({ key, response }) => key === 'valid' && response));
}

/** The violation by a varied request: Remaining falls by less than with a plain request, or jumps back. */
function countedApart(
  evidence: Evidence,
  { observation, expected }: Exclusion,
  variation: Variation,
): Finding {
  const ids = evidenceOf(evidence, observation.exchange);
  return violated(
    {
      kind: KIND,
      reason: COUNTED_APART[variation],
      headers: ['X-RateLimit-Remaining'],
      expected: `X-RateLimit-Remaining: ${range(expected)}`,
      received: `X-RateLimit-Remaining: ${observation.remaining ?? 'absent'}`,
      repetition: { kind: 'in-turn', exchanges: [...ids].reverse() },
      deviating: [observation.exchange.id],
    },
    ids,
  );
}

const HEADERS: Readonly<Partial<Record<Misfit['kind'], readonly string[]>>> = {
  remaining: ['X-RateLimit-Remaining'],
  reset: ['X-RateLimit-Reset'],
};

/** The number of a request among those let through in the minute, with the key and at its address, if it is over the limit. */
function placeOf(
  { judged }: Evidence,
  { id, address, sentAt, rate: { limit = 0 } }: Exchange,
): number | undefined {
  const until = judged.filter(
    ({ exchange: earlier }) =>
      earlier.id <= id &&
      earlier.address === address &&
      earlier.key === 'valid' &&
      earlier.response !== undefined &&
      earlier.response.status !== 429 &&
      earlier.sentAt > sentAt - MINUTE_S * 1_000,
  );
  return until.length > limit ? until.length : undefined;
}

/** The longest query that names a request, in characters. */
const MAX_QUERY = 60;

/** The operation and the query of a request: a limiter may count one kind of request differently. */
function nameOf({ judged }: Evidence, { id, operation, url }: Exchange): string {
  const asked = judged.find(({ exchange }) => exchange.id === id)?.operation;
  const { search } = new URL(url);
  return `${asked ? operationName(asked) : operation}${search.length > MAX_QUERY ? '' : search}`;
}

function nearestIs({ name }: Model): string {
  return `no honest limiter does that, the nearest is a ${name}`;
}

/** The ids of an exchange and of the one before it at the same address. */
function evidenceOf({ judged }: Evidence, exchange: Exchange): number[] {
  const before = judged.findLast(
    (result) =>
      result.exchange.id < exchange.id &&
      result.exchange.address === exchange.address &&
      result.exchange.key === 'valid' &&
      result.exchange.response,
  );
  return [exchange.id, ...(before ? [before.exchange.id] : [])];
}

/** The last earlier response whose Reset was still ahead, by the clock of the server. */
function resetAhead({ judged }: Evidence, exchange: Exchange): Exchange | undefined {
  const now = serverTime(exchange.response?.headers ?? [], exchange.receivedAt);
  return judged
    .map((result) => result.exchange)
    .findLast(
      ({ id, address, key, rate: { reset = 0 } }) =>
        id < exchange.id && address === exchange.address && key === 'valid' && reset * 1_000 > now,
    );
}

function notBefore({ id, rate }: Exchange, ids: readonly number[]): string {
  const which = ids.includes(id) ? '' : `: ${rate.reset} of an earlier response`;
  return `after a 429, no request is let through before X-RateLimit-Reset${which}`;
}

/**
 * How to repeat what a request shows of the limiter: one request of each kind before it, then this request until as many count as in
 * the run. A limiter may treat one kind differently, or be wrong from some number on.
 * @param before id of the request with the key before it, at its address
 */
export function repetitionOf({ judged }: Evidence, shown: Exchange, before: number | undefined): Repetition {
  const sent = sincePause(judged.map(({ exchange }) => exchange).filter(({ id }) => id <= shown.id));
  // A deviation after a wait needs another wait.
  if (shown.stage === 'recover' || (sent.length === 1 && before !== undefined))
    return { kind: 'after-refusal' };
  const counted = sent.filter(({ key, address }) => key === 'valid' && address === shown.address);
  const between = sent.filter(
    (exchange) => exchange.id > (before ?? shown.id) && !counted.includes(exchange),
  );
  const others = [...firstOfEachKind(counted), ...firstOfEachKind(between)].filter(
    (exchange) => exchange !== shown,
  );
  return {
    kind: 'in-turn-and-again',
    exchanges: [...others, shown].map(({ id }) => id),
    times: counted.length,
  };
}

/** The first request of each kind that got a response. */
function firstOfEachKind(exchanges: readonly Exchange[]): Exchange[] {
  const answered = exchanges.filter(({ response }) => response && response.status !== 429);
  const kinds = answered.map(kindOf);
  return answered.filter((exchange, index) => kinds.indexOf(kindOf(exchange)) === index);
}

/** Requests of one kind count alike: the same operation, key and status, and varied in the same way. */
function kindOf({ address, operation, key, variation, response }: Exchange): string {
  return [address, operation, key === 'valid', variation, response?.status].join(' ');
}
