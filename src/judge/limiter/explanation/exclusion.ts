import type { Exchange, Variation } from '../../../model/exchange.ts';
import type { DeviationKind, Finding } from '../../../model/finding.ts';
import { violated } from '../../../model/finding.ts';
import { serverTime } from '../../../model/rate-limit.ts';
import type { Evidence } from '../../check.ts';
import { judgeConstant, judgePlan, judgeRemaining } from '../headers.ts';
import { judgeFalls } from '../remaining-falls.ts';
import { repetitionOf } from '../repetition.ts';
import { judgeResetTime } from '../reset-time.ts';
import { explain } from './explain.ts';
import type { Exclusion } from './explain-track.ts';
import type { Misfit, Observation } from './models/model.ts';
import type { Span } from './models/span.ts';

const KIND: DeviationKind = 'sequence';

const WRONG: Readonly<Record<Misfit['kind'], string>> = {
  'let-through': 'a request was let through that no honest limiter lets through',
  refused: 'a request was refused that no honest limiter refuses',
  remaining: 'Remaining is what no honest limiter would say',
  reset: 'Reset is what no honest limiter would say',
};

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

/** The requirement that a header violates by itself: then nothing is explained by all of them together. */
export function wrongHeader(evidence: Evidence): string | undefined {
  return Object.entries(BY_THEMSELVES).find(([, judge]) => judge(evidence).status === 'violated')?.[0];
}

const BY_THEMSELVES: Readonly<Record<string, (evidence: Evidence) => Finding>> = {
  'rate-limit.remaining': judgeRemaining,
  'rate-limit.constant': judgeConstant,
  'rate-limit.plan': judgePlan,
  'rate-limit.reset': judgeResetTime,
  'rate-limit.falls': judgeFalls,
};

/** The violation that an observation of this kind shows, if no honest limiter explains it. */
export function exclusionOf(evidence: Evidence, kind: Misfit['kind']): Finding | undefined {
  const { excluded } = explain(evidence);
  if (excluded?.kind !== kind || wrongHeader(evidence)) return undefined;
  const { observation, nearest, variation } = excluded;
  if (variation) return countedApart(evidence, excluded, variation);
  const shown = evidenceOf(evidence, observation);
  const ahead =
    kind === 'reset' && excluded.shownBy !== 'reset' ? resetAhead(evidence, observation) : undefined;
  const told = kind === 'reset' && !ahead ? { ...excluded, kind: excluded.shownBy } : excluded;
  return violated(
    {
      kind: KIND,
      reason: `${WRONG[kind]}${whereOf(evidence, observation)}; the nearest one is a ${nearest.name}`,
      expected: ahead ? notBefore(ahead, shown) : expectedOf(told),
      received: receivedOf(told),
      ...(HEADERS[kind] ? { headers: HEADERS[kind] } : {}),
      repetition: repetitionOf(evidence, observation.exchange, shown[1]),
    },
    [...new Set([...shown, ...(ahead ? [ahead.id] : [])])],
  );
}

/** The violation that a varied request shows: Remaining falls less than by a plain one, or jumps back. */
function countedApart(
  evidence: Evidence,
  { observation, expected }: Exclusion,
  variation: Variation,
): Finding {
  const shown = evidenceOf(evidence, observation);
  return violated(
    {
      kind: KIND,
      reason: COUNTED_APART[variation],
      headers: ['X-RateLimit-Remaining'],
      expected: `X-RateLimit-Remaining: ${range(expected)}`,
      received: `X-RateLimit-Remaining: ${observation.remaining ?? 'absent'}`,
      repetition: { kind: 'in-turn', exchanges: [...shown].reverse(), shows: 'limits' },
    },
    shown,
  );
}

const HEADERS: Readonly<Partial<Record<Misfit['kind'], readonly string[]>>> = {
  remaining: ['X-RateLimit-Remaining'],
  reset: ['X-RateLimit-Reset'],
};

/** Which request shows it, in words: a single kind of response may count in its own way. */
function whereOf({ judged }: Evidence, { exchange }: Observation): string {
  const probe = judged.find((each) => each.exchange.id === exchange.id)?.probe;
  return probe ? ` (${probe.operation}, ${exchange.response?.status ?? 'no response'}: ${probe.title})` : '';
}

/** The exchange that shows it, and the one before it at the same address. */
function evidenceOf({ judged }: Evidence, { exchange }: Observation): number[] {
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
function resetAhead({ judged }: Evidence, { exchange }: Observation): Exchange | undefined {
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

function expectedOf({ kind, shownBy, expected }: Exclusion): string {
  if (kind === 'remaining' && shownBy === 'let-through')
    return 'no request is let through after X-RateLimit-Remaining: 0';
  if (kind === 'refused' && shownBy === 'remaining') return 'X-RateLimit-Remaining: 0 in a 429';
  switch (kind) {
    case 'let-through':
      return `status 429: ${requests(expected)} left`;
    case 'refused':
      return `no 429: ${requests(expected)} left`;
    case 'remaining':
      return `X-RateLimit-Remaining: ${range(expected)}`;
    case 'reset':
      return `X-RateLimit-Reset: ${range({ lo: Math.floor(expected.lo / 1_000), hi: Math.ceil(expected.hi / 1_000) })}`;
  }
}

function receivedOf({ kind, shownBy, observation: { exchange } }: Exclusion): string {
  const { remaining = 'absent', reset = 'absent' } = exchange.rate;
  if (shownBy === kind && kind === 'remaining') return `X-RateLimit-Remaining: ${remaining}`;
  if (shownBy === kind && kind === 'reset') return `X-RateLimit-Reset: ${reset}`;
  return `status ${exchange.response?.status ?? 'unknown'} with X-RateLimit-Remaining: ${remaining}`;
}

function requests(span: Span): string {
  return `${range(span)} ${span.lo === 1 && span.hi === 1 ? 'request' : 'requests'}`;
}

function range({ lo, hi }: Span): string {
  return lo === hi ? String(lo) : `${lo} to ${hi}`;
}
