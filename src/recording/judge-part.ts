import type { Check, Evidence } from '../judge/evidence/check.ts';
import type { Circumstances, Judged } from '../judge/evidence/judged.ts';
import { judgeAll, judgingAll } from '../judge/findings.ts';
import { judgingExchanges } from '../judge/judge-exchanges.ts';
import { explain } from '../judge/limiter/explanation/explain.ts';
import { judgeResetTime } from '../judge/limiter/seen/headers.ts';
import type { Contract, RatePlan } from '../model/contract.ts';
import { type Exchange, headerValue, type Unsent } from '../model/exchange.ts';
import type { Findings } from '../model/finding.ts';
import type { Steps } from '../model/large/steps.ts';
import { inferRatePlan } from '../model/limits/rate-plan.ts';
import { mergeFindings } from './merge.ts';
import type { RecordedExchange } from './requests.ts';

/** What judging a part of a recording needs besides its exchanges. */
export interface PartSettings {
  contract: Contract;
  checks: readonly Check[];
  baseUrl: string;
  /** The rate plan that the user states, and its limits. */
  plan?: string | undefined;
  limits?: RatePlan | undefined;
  /** How many more searches for a limiter may fail: each takes about a second. */
  searches: { left: number };
  /** Called with the number of exchanges that are judged without a search for their limiter. */
  onUnsearched: (exchanges: number) => void;
}

/** Failed searches for a limiter per recording: later ones would show the same. */
export const MAX_SEARCHES = 10;

/** A limiter can only be explained for one key: for several, it takes minutes to find out that nothing explains it. */
const WINDOW = 'open.window';

/** Whether a check is only about several exchanges together. */
function isOfLimiter({ phase, requirement }: Check): boolean {
  return phase === 'limiter' || requirement === WINDOW;
}

/** The checks that may find a violation in a single exchange. */
export function checksOfOne(
  { requirements }: Pick<Contract, 'requirements'>,
  checks: readonly Check[],
): Check[] {
  const open = new Set(requirements.filter(({ level }) => level === 'open').map(({ id }) => id));
  return checks.filter((check) => !isOfLimiter(check) && !open.has(check.requirement));
}

/**
 * Judges a part of a recording by the checks of a run, in steps: all exchanges together, then the limiter for each key. The
 * longest step is a search for a limiter.
 */
export function* judgingPart(
  requests: readonly RecordedExchange[],
  settings: PartSettings,
): Steps<{ findings: Findings; judged: readonly Judged[] }> {
  const evidence = yield* evidenceOf(requests, settings);
  return { findings: yield* judgingEvidence(requests, evidence, settings), judged: evidence.judged };
}

function* judgingEvidence(
  requests: readonly RecordedExchange[],
  evidence: Evidence,
  settings: PartSettings,
): Steps<Findings> {
  const { checks, contract } = settings;
  // A run of petspec is judged as a run: it is the only client.
  if (requests.every(({ exchange }) => exchange.recorded === 'run'))
    return yield* judgingAll(checks, evidence);
  const selected = new Set(checks.map(({ requirement }) => requirement));
  let findings: Findings = yield* judgingAll(
    checks.filter((check) => !isOfLimiter(check)),
    { ...evidence, judged: withoutUnknownKeys(evidence.judged) },
  );
  const limiter = checks.filter(isOfLimiter);
  const groups = [...new Set(requests.flatMap(({ group }) => group ?? []))];
  for (const group of groups)
    for (const keyFindings of judgeKey(group, requests, evidence, limiter, settings)) {
      findings = mergeFindings(findings, keyFindings);
      yield;
    }
  const requirements = contract.requirements.filter(({ id }) => selected.has(id));
  return Object.fromEntries(requirements.flatMap(({ id }) => (findings[id] ? [[id, findings[id]]] : [])));
}

function* evidenceOf(requests: readonly RecordedExchange[], settings: PartSettings): Steps<Evidence> {
  const { contract, baseUrl, plan, limits } = settings;
  const exchanges = requests.map(({ exchange }) => exchange);
  const inferred = inferRatePlan(exchanges, contract.ratePlans);
  const figures = limits ?? (inferred && contract.ratePlans[inferred.name]);
  const circumstances: Circumstances = {
    contract,
    probes: requests.map(({ probe }) => probe),
    today: exchanges.at(-1)?.sentAt ?? 0,
    referencesKnown: true,
    ...(figures ? { limits: figures } : {}),
  };
  return {
    ...circumstances,
    judged: yield* judgingExchanges(exchanges, circumstances),
    unsent: exchanges.some(({ response }) => response?.status === 429) ? [] : stoppedBefore(requests),
    baseUrl,
    sharedKey: false,
    plan,
  };
}

/** Without a 429, the recording does not show why a run stopped to use up the limit. */
function stoppedBefore(requests: readonly RecordedExchange[]): Unsent[] {
  const last = requests.findLast(({ probe }) => probe.stage === 'exhaust');
  const reason = 'the recording does not say why no request was refused';
  return last ? [{ probe: last.probe.id, kind: 'not-exhaustible', reason }] : [];
}

const UNKNOWN_KEY = { reason: 'it is not known whether the key was valid' };

/** A 401 only shows that wrong keys are refused if the key is known to be wrong. */
function withoutUnknownKeys(judged: readonly Judged[]): Judged[] {
  return judged.map((judgedExchange) => {
    const { exchange, operation } = judgedExchange;
    if (exchange.recorded !== 'traffic' || exchange.key !== 'unknown') return judgedExchange;
    const due = operation.responses.find(({ status }) => status === '401')?.requirement;
    const met = judgedExchange.met.filter((id) => id !== due);
    return judgedExchange.outcome === 'answered'
      ? { ...judgedExchange, met, inconclusive: UNKNOWN_KEY }
      : { ...judgedExchange, met };
  });
}

/** Traffic is judged in segments as short as a window: what happens between two windows is not known. */
const SEGMENT_MS = 60_000;
const MAX_SEGMENT = 400;

const RESET = 'rate-limit.reset';
const RECOVERY = 'rate-limit.recovery';

function* judgeKey(
  group: string,
  requests: readonly RecordedExchange[],
  evidence: Evidence,
  checks: readonly Check[],
  { searches, onUnsearched }: PartSettings,
): Generator<Findings> {
  const judged = new Map(
    evidence.judged.map((judgedExchange) => [judgedExchange.exchange.id, judgedExchange]),
  );
  const keyRequests = requests.filter((request) => request.group === group);
  const judgedOf = (selected: readonly RecordedExchange[]) =>
    selected.flatMap(({ exchange }) => judged.get(exchange.id) ?? []);
  const shared = { ...evidence, sharedKey: true };
  const only = (...ids: string[]) => checks.filter(({ requirement }) => ids.includes(requirement));
  const byThemselves = judgedOf(keyRequests);
  const dated = byThemselves.filter(
    ({ exchange }) => headerValue(exchange.response?.headers ?? [], 'Date') !== undefined,
  );
  // The explanation of Reset is searched for in segments as well.
  const byTime = only(RESET).map((check): Check => ({ ...check, judge: judgeResetTime }));
  const inSequence = checks.filter(({ requirement }) => requirement !== RECOVERY);
  yield judgeAll(only('rate-limit.remaining', 'rate-limit.http-date'), { ...shared, judged: byThemselves });
  yield judgeAll(byTime, { ...shared, judged: dated });
  yield judgeAll(only(RECOVERY), { ...shared, judged: byThemselves });
  for (const segment of segmentsOf(keyRequests).filter(isReliable)) {
    if (searches.left === 0) {
      onUnsearched(segment.length);
      continue;
    }
    const numbered = numberedInOrder({ ...shared, judged: judgedOf(segment) });
    yield judgeNumbered(inSequence, numbered);
    if (!isExplained(numbered.evidence)) searches.left -= 1;
  }
}

function segmentsOf(requests: readonly RecordedExchange[]): RecordedExchange[][] {
  const segments: RecordedExchange[][] = [];
  for (const request of requests) {
    const last = segments.at(-1);
    const start = last?.[0]?.exchange.sentAt ?? 0;
    if (last && last.length < MAX_SEGMENT && request.exchange.receivedAt - start <= SEGMENT_MS)
      last.push(request);
    else segments.push([request]);
  }
  return segments;
}

/** Whether the times of a recording show the order of its exchanges: each has a duration and a Date, in the same order. */
function isReliable(segment: readonly RecordedExchange[]): boolean {
  let latest = Number.NEGATIVE_INFINITY;
  return segment.every(({ exchange, isTimed }) => {
    const date = Date.parse(headerValue(exchange.response?.headers ?? [], 'Date') ?? '');
    const isInOrder = date >= latest - 1_000;
    latest = Math.max(latest, date);
    return isTimed && isInOrder;
  });
}

/** Whether an honest limiter explains all exchanges. */
function isExplained(evidence: Evidence): boolean {
  const { accounts, excluded } = explain(evidence);
  return excluded === undefined && accounts.every(({ attempt }) => !attempt.isPresumed);
}

interface NumberedEvidence {
  evidence: Evidence;
  /** The ids of the exchanges in the recording. */
  ids: readonly number[];
}

/** Numbers exchanges consecutively for the explanation of the limiter, which takes a gap for a missing exchange. */
function numberedInOrder(evidence: Evidence): NumberedEvidence {
  const ids = evidence.judged.map(({ exchange }) => exchange.id);
  const judged = evidence.judged.map(
    (judgedExchange, index): Judged => ({
      ...judgedExchange,
      exchange: numbered(judgedExchange.exchange, index + 1),
    }),
  );
  return { ids, evidence: { ...evidence, judged } };
}

function judgeNumbered(checks: readonly Check[], { evidence, ids }: NumberedEvidence): Findings {
  const idOf = (number: number) => ids[number - 1] ?? number;
  return Object.fromEntries(
    Object.entries(judgeAll(checks, evidence)).map(([id, finding]) => [
      id,
      {
        ...finding,
        evidence: finding.evidence.map(idOf),
        ...(finding.deviating ? { deviating: finding.deviating.map(idOf) } : {}),
      },
    ]),
  );
}

function numbered(exchange: Exchange, id: number): Exchange {
  return { ...exchange, id };
}
