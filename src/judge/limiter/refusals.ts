import { sincePause } from '../../limiter/others.ts';
import type { Exchange } from '../../model/exchange.ts';
import { type Finding, met, notTested, violated } from '../../model/finding.ts';
import { inferRatePlan, MINUTE_S } from '../../model/limits/rate-plan.ts';
import { rememberingEach } from '../../model/remembering.ts';
import { counted } from '../../model/report/report.ts';
import { causeOf, type Evidence, idsOf, unjudgeable } from '../evidence/check.ts';
import { plainestRead } from '../evidence/intermittent.ts';
import { isAnswered, type Judged } from '../evidence/judged.ts';
import { exclusionOf } from './explanation/exclusion.ts';
import { explain } from './explanation/explain.ts';
import { hasRequirement, misstated, withKnownCause, wrongHeader } from './explanation/wrong-header.ts';
import { isRenewed, isShared, isUsedUp, leftOver, refusals, violatedByExchange } from './seen/evidence.ts';
import { ordinal, statusOf } from './seen/seen.ts';

const LIMITED = 'TooManyRequests';
/** The same requirement in a user's interface. */
const ENFORCED = 'rate-limit.enforced';
const COUNT = 'rate-limit.count';
const CAME_BACK = 'requests came back as fast as they were sent; --concurrency sends them faster';
const SHARED =
  'no request was refused; as other users of the key use it up, Remaining does not tell which requests count';
const UNCOVERED = 'all of the limit is left after each request at the base address: it may cover only others';
const WITHIN = 'no more requests were let through than the limit allows';
/** So many requests in quick succession are more than a limiter lets through at once. */
const QUICK_REQUESTS = 30;

/** A request over the limit gets a 429. */
export function judgeEnforced(evidence: Evidence): Finding {
  const refused = refusals(evidence);
  const wrong = refusedWithoutLimit(evidence) ?? dayOverrun(evidence) ?? exclusionOf(evidence, 'let-through');
  if (wrong) return wrong;
  return refused.length > 0 ? met(idsOf(refused)) : neverRefused(evidence);
}

/** Requests over the limit got another response than 429. */
function refusedWithoutLimit(evidence: Evidence): Finding | undefined {
  const finding = violatedByExchange(evidence, LIMITED);
  const owned = evidence.judged.filter(({ deviations }) =>
    deviations.some(({ requirement }) => requirement === LIMITED),
  );
  if (!finding || owned.length < 2) return finding;
  // A refusal before the limit was used up shows again if a read is repeated quickly.
  const isBySpeed = owned.some(({ exchange }) => exchange.stage !== 'exhaust');
  const read = isBySpeed ? plainestRead(owned) : undefined;
  return read
    ? {
        ...finding,
        repetition: { kind: 'again', exchange: read.exchange.id, times: QUICK_REQUESTS, shows: 'answers' },
      }
    : finding;
}

/** More requests were let through than a day allows. */
function dayOverrun(evidence: Evidence): Finding | undefined {
  const { used } = evidence;
  if (used?.window !== 'day' || used.letThrough <= used.limit || isShared(evidence)) return undefined;
  return violated(
    {
      kind: 'sequence',
      reason: 'more requests were let through than a day allows',
      expected: `status 429 after ${counted(used.limit, 'request')}`,
      received: `${counted(used.letThrough, 'request')} let through`,
    },
    idsOf(exhausting(evidence).slice(-1)),
  );
}

/** No 429 came: the limit was not used up, or the run cannot tell, or the limit is not enforced. */
function neverRefused(evidence: Evidence): Finding {
  const sent = exhausting(evidence);
  const failed = sent.find((result) => !isAnswered(result));
  return (
    notExhausted(evidence, sent) ??
    (failed && unjudgeable(failed)) ??
    uncertainLimit(evidence, sent) ??
    unenforced(evidence, sent)
  );
}

/** If the headers contradict the stated limit, only requests over both limits show that no limit is enforced. */
function uncertainLimit(evidence: Evidence, sent: readonly Judged[]): Finding | undefined {
  const uncertain = misstated(evidence, lastIds(sent));
  if (!uncertain || unenforced(evidence, sent).status !== 'violated') return uncertain;
  const byHeaders = unenforced(withoutStatedLimit(evidence), sent);
  return byHeaders.status === 'violated' ? byHeaders : uncertain;
}

/** The evidence without the limit that the user stated. The list is copied, because explanations are cached by it. */
const withoutStatedLimit = rememberingEach(
  ({ unrevealed: _unrevealed, ...evidence }: Evidence): Evidence => ({
    ...evidence,
    judged: [...evidence.judged],
    plan: undefined,
    limits: undefined,
  }),
);

/** All requests were accepted: more than the limit, or no limiter is seen to count them. */
function unenforced(evidence: Evidence, sent: readonly Judged[]): Finding {
  const accepted = evidence.judged.filter(
    ({ probe, exchange }) =>
      probe.key === 'valid' && exchange.address === 'baseUrl' && exchange.response !== undefined,
  );
  const limit = evidence.limits?.minute ?? sent[0]?.exchange.rate.limit;
  const recent = sincePause(accepted.map(({ exchange }) => exchange));
  return (
    undecided(evidence, sent, recent.length <= (limit ?? 0)) ??
    violated(
      {
        kind: 'sequence',
        reason: `${overLimitIn(recent, limit)}no request was refused, however many were sent`,
        expected: `status 429 ${limit === undefined ? 'in the end' : `after ${counted(limit, 'request')} in a minute`}`,
        received: `${counted(accepted.length, 'request')} accepted`,
      },
      lastIds(sent),
    )
  );
}

/** That more requests than the limit were let through in a minute, in words; empty if they were not. */
function overLimitIn(exchanges: readonly Exchange[], limit = Number.POSITIVE_INFINITY): string {
  const [first, over] = [exchanges[0], exchanges[limit]];
  if (!first || !over || over.receivedAt - first.sentAt > MINUTE_S * 1_000) return '';
  return `the ${ordinal(limit + 1)} request of the minute got ${statusOf(over)}; `;
}

/** The run sent no requests to use up the limit, or not all of them. */
function notExhausted(evidence: Evidence, sent: readonly Judged[]): Finding | undefined {
  const stages = new Map(evidence.probes.map(({ id, stage }) => [id, stage]));
  const missing = evidence.unsent.find(({ probe }) => stages.get(probe) === 'exhaust');
  if (!missing && sent.length > 0) return undefined;
  // Remaining shows whether repetitions count, and may be wrong.
  const isByRemaining = ['not-exhaustible', 'most-sent'].includes(missing?.kind ?? '');
  return withKnownCause(
    evidence,
    notTested(
      missing ? missing.kind : 'not-planned',
      missing?.reason ?? 'this run did not use up the limit',
      causeOf(evidence, missing?.cause) ?? (isByRemaining ? wrongRemaining(evidence) : undefined),
    ),
  );
}

/**
 * All requests were accepted, and an honest limiter may accept them.
 * @param isWithinLimit whether the last window accepted no more than the limit
 */
function undecided(evidence: Evidence, sent: readonly Judged[], isWithinLimit: boolean): Finding | undefined {
  const last = lastIds(sent);
  const inferred = inferRatePlan(
    evidence.judged.map(({ exchange }) => exchange),
    evidence.contract.ratePlans,
  );
  // Headers of the day show the limit of the minute only by the plan, and a custom plan may have the same day limit.
  if (evidence.plan === undefined && inferred?.window === 'day') {
    const reason = `no request was refused, and the headers describe only the day, of ${inferred.name} or of a custom plan; state it with --plan`;
    return notTested('rate-plan-unknown', reason, undefined, last);
  }
  const wrong = wrongRemaining(evidence);
  if (wrong && isWithinLimit)
    return withKnownCause(
      evidence,
      notTested('blocked', 'Remaining says that the limit is used up, and it is not', wrong, last),
    );
  if (isUncovered(evidence))
    return withKnownCause(evidence, notTested('no-refusal', UNCOVERED, wrongHeader(evidence), last));
  const left = leftOver(sent, evidence);
  if (left !== undefined && isExplained(evidence))
    return notTested('no-refusal', notUsedUp(left), undefined, last);
  if (isUsedUp(sent) && isExplained(evidence)) return notTested('no-refusal', CAME_BACK, undefined, last);
  if (isShared(evidence)) return notTested('shared-key', SHARED, undefined, last);
  // A window that no header describes may have ended meanwhile.
  if (isRenewed(evidence) && isUnexplained(evidence))
    return notTested('no-refusal', left ? notUsedUp(left) : CAME_BACK, undefined, last);
  return isWithinLimit ? notTested('no-refusal', WITHIN, undefined, last) : undefined;
}

/** Whether no request at the base address lowered Remaining: the interface does not say which requests a limit covers. */
function isUncovered({ judged }: Evidence): boolean {
  const results = judged.filter(
    ({ probe, exchange: { address, rate } }) =>
      probe.key === 'valid' && address === 'baseUrl' && rate.remaining !== undefined,
  );
  return results.length > 0 && results.every(({ exchange: { rate } }) => rate.remaining === rate.limit);
}

function notUsedUp(left: number): string {
  return left > 0
    ? `the limit was not used up: ${counted(left, 'request')} ${left === 1 ? 'remains' : 'remain'}`
    : 'the last request that remained was sent, and none after it';
}

/** The ids of the last requests, the last first. */
function lastIds(sent: readonly Judged[]): number[] {
  return idsOf(sent.slice(-3).reverse());
}

/** The requirement that a wrong Remaining violates. */
function wrongRemaining(evidence: Evidence): string | undefined {
  return wrongHeader(evidence) ?? (exclusionOf(evidence, 'remaining') ? COUNT : undefined);
}

/** Whether an honest limiter explains the whole run. A long exhaustion keeps too few of its exchanges to tell. */
function isExplained(evidence: Evidence): boolean {
  const { accounts, excluded } = explain(evidence);
  return accounts.length > 0 && !excluded && accounts.every(({ attempt }) => !attempt.isPresumed);
}

/** Whether it is unknown if an honest limiter explains the run: a search took too long, or a long exhaustion keeps too few exchanges. */
function isUnexplained(evidence: Evidence): boolean {
  const { accounts, excluded } = explain(evidence);
  return !excluded && (accounts.length === 0 || accounts.some(({ attempt }) => attempt.isPresumed));
}

function exhausting({ judged }: Evidence): Judged[] {
  // A rejected varied request says nothing about the limit.
  const isRejected = ({ variation, response }: Exchange) => variation !== undefined && response !== undefined;
  return judged.filter(({ probe, exchange }) => probe.stage === 'exhaust' && !isRejected(exchange));
}

/** Why a requirement that only a refusal shows was not tested. */
export function noRefusal(evidence: Evidence): Finding {
  const enforced = judgeEnforced(evidence);
  const owner = hasRequirement(evidence, LIMITED) ? LIMITED : ENFORCED;
  const cause = enforced.status === 'violated' ? owner : enforced.cause;
  return notTested('no-refusal', `no 429 came: ${enforced.reason}`, cause);
}
