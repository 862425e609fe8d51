import type { Exclusion } from '../../../limiter/explain-track.ts';
import type { Misfit, Model } from '../../../limiter/models/model.ts';
import { sincePause } from '../../../limiter/others.ts';
import type { Exchange, Variation } from '../../../model/exchange.ts';
import { type DeviationKind, type Finding, violated } from '../../../model/finding.ts';
import { serverTime } from '../../../model/rate-limit.ts';
import { MINUTE_S } from '../../../model/rate-plan.ts';
import type { Repetition } from '../../../model/repetition.ts';
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
 * The violation that an observation of this kind shows, if no honest limiter explains it. Of several kinds, the plainest is shown:
 * that more requests were let through than the limit allows, whatever Remaining says of them.
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
  return over ? wentOver(evidence, excluded, over) : excludedAs(evidence, excluded, kind);
}

/** The violation of a limit that more requests were let through than it allows. */
function wentOver(
  evidence: Evidence,
  { nearest }: Exclusion,
  { exchange, number, window }: OverLimit,
): Finding {
  const shown = evidenceOf(evidence, exchange);
  return violated(
    {
      kind: KIND,
      reason: `${nameOf(evidence, exchange)} got ${statusOf(exchange)} as the ${ordinal(number)} request of the ${window}; ${nearestIs(nearest)}`,
      expected: `status 429 after ${counted(number - 1, 'request')}`,
      received: receivedWith(exchange),
      repetition: repetitionOf(evidence, exchange, shown[1]),
      deviating: [exchange.id],
    },
    shown,
  );
}

/** The violation of what an observation shows by itself. */
function excludedAs(evidence: Evidence, excluded: Exclusion, kind: Misfit['kind']): Finding {
  const {
    nearest,
    observation: { exchange },
  } = excluded;
  const rise = kind === 'remaining' && excluded.shownBy === kind ? riseTo(evidence, exchange) : undefined;
  if (rise) return risen(evidence, excluded, rise);
  const shown = evidenceOf(evidence, exchange);
  const ahead = kind === 'reset' && excluded.shownBy !== 'reset' ? resetAhead(evidence, exchange) : undefined;
  const told = kind === 'reset' && !ahead ? { ...excluded, kind: excluded.shownBy } : excluded;
  const before = evidence.judged.find((each) => each.exchange.id === shown[1])?.exchange;
  return violated(
    {
      kind: KIND,
      reason: `${seenIn(told, before, nameOf(evidence, exchange), placeOf(evidence, exchange))}; ${nearestIs(nearest)}`,
      expected: ahead ? notBefore(ahead, shown) : expectedOf(told),
      received: receivedOf(told),
      ...(HEADERS[kind] ? { headers: HEADERS[kind] } : {}),
      repetition: repetitionOf(evidence, exchange, shown[1]),
      deviating: [exchange.id],
    },
    [...new Set([...shown, ...(ahead ? [ahead.id] : [])])],
  );
}

/** The violation that Remaining rose within a window, which no honest limiter explains together with what came after. */
function risen(evidence: Evidence, { nearest }: Exclusion, { before, after }: ResponsePair): Finding {
  const [was, is] = [before.rate.remaining, after.rate.remaining];
  const shown = [after.id, before.id];
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
    shown,
  );
}

/** The rise of Remaining before an exchange, at its address, if that alone is not as it should be. */
function riseTo({ judged }: Evidence, { id, address }: Exchange): ResponsePair | undefined {
  const own = judged
    .map(({ exchange }) => exchange)
    .filter((each) => each.id <= id && each.address === address);
  return riseBefore(own.filter(({ key, response }) => key === 'valid' && response));
}

/** The violation that a varied request shows: Remaining falls less than by a plain one, or jumps back. */
function countedApart(
  evidence: Evidence,
  { observation, expected }: Exclusion,
  variation: Variation,
): Finding {
  const shown = evidenceOf(evidence, observation.exchange);
  return violated(
    {
      kind: KIND,
      reason: COUNTED_APART[variation],
      headers: ['X-RateLimit-Remaining'],
      expected: `X-RateLimit-Remaining: ${range(expected)}`,
      received: `X-RateLimit-Remaining: ${observation.remaining ?? 'absent'}`,
      repetition: { kind: 'in-turn', exchanges: [...shown].reverse() },
      deviating: [observation.exchange.id],
    },
    shown,
  );
}

const HEADERS: Readonly<Partial<Record<Misfit['kind'], readonly string[]>>> = {
  remaining: ['X-RateLimit-Remaining'],
  reset: ['X-RateLimit-Reset'],
};

/** Which request of the minute it is, by those that were let through with the key at its address, if it is beyond the limit. */
function placeOf(
  { judged }: Evidence,
  { id, address, sentAt, rate: { limit = 0 } }: Exchange,
): number | undefined {
  const until = judged.filter(
    ({ exchange: each }) =>
      each.id <= id &&
      each.address === address &&
      each.key === 'valid' &&
      each.response !== undefined &&
      each.response.status !== 429 &&
      each.sentAt > sentAt - MINUTE_S * 1_000,
  );
  return until.length > limit ? until.length : undefined;
}

/** The longest query that names a request, in characters. */
const MAX_QUERY = 60;

/** A request by its operation, and by its query, as a single kind of request may count in its own way. */
function nameOf({ judged }: Evidence, { id, operation, url }: Exchange): string {
  const own = judged.find(({ exchange }) => exchange.id === id)?.operation;
  const { search } = new URL(url);
  return `${own ? operationName(own) : operation}${search.length > MAX_QUERY ? '' : search}`;
}

function nearestIs({ name }: Model): string {
  return `no honest limiter does that, the nearest is a ${name}`;
}

/** The exchange that shows it, and the one before it at the same address. */
function evidenceOf({ judged }: Evidence, exchange: Exchange): number[] {
  const before = judged.findLast(
    (each) =>
      each.exchange.id < exchange.id &&
      each.exchange.address === exchange.address &&
      each.exchange.key === 'valid' &&
      each.exchange.response,
  );
  return [exchange.id, ...(before ? [before.exchange.id] : [])];
}

/** The last response before an observation whose Reset had not passed by then, by the clock of the server. */
function resetAhead({ judged }: Evidence, exchange: Exchange): Exchange | undefined {
  const now = serverTime(exchange.response?.headers ?? [], exchange.receivedAt);
  return judged
    .map((each) => each.exchange)
    .findLast(
      ({ id, address, key, rate: { reset = 0 } }) =>
        id < exchange.id && address === exchange.address && key === 'valid' && reset * 1_000 > now,
    );
}

function notBefore({ id, rate }: Exchange, shown: readonly number[]): string {
  const which = shown.includes(id) ? '' : `: ${rate.reset} of an earlier response`;
  return `after a 429, no request is let through before X-RateLimit-Reset${which}`;
}

/**
 * How to see again what a request shows of the limiter: one request of each kind before it, then this one until as many
 * count as in the run. A limiter may treat one kind differently, or be wrong from some number on.
 * @param before id of the request with the key before it, at its address
 */
export function repetitionOf({ judged }: Evidence, shown: Exchange, before: number | undefined): Repetition {
  const sent = sincePause(judged.map(({ exchange }) => exchange).filter(({ id }) => id <= shown.id));
  // What shows after a wait needs another one.
  if (shown.stage === 'recover' || (sent.length === 1 && before !== undefined))
    return { kind: 'after-refusal' };
  const counted = sent.filter(({ key, address }) => key === 'valid' && address === shown.address);
  const between = sent.filter((each) => each.id > (before ?? shown.id) && !counted.includes(each));
  const others = [...oneOfEachKind(counted), ...oneOfEachKind(between)].filter((each) => each !== shown);
  return {
    kind: 'in-turn-and-again',
    exchanges: [...others, shown].map(({ id }) => id),
    times: counted.length,
  };
}

/** The first request of each kind that got a response. */
function oneOfEachKind(exchanges: readonly Exchange[]): Exchange[] {
  const answered = exchanges.filter(({ response }) => response && response.status !== 429);
  const kinds = answered.map(kindOf);
  return answered.filter((each, index) => kinds.indexOf(kindOf(each)) === index);
}

/** Requests of one kind count alike: the same operation, key and status, and varied in the same way. */
function kindOf({ address, operation, key, variation, response }: Exchange): string {
  return [address, operation, key === 'valid', variation, response?.status].join(' ');
}
