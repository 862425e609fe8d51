import type { Check, Evidence } from '../judge/evidence/check.ts';
import type { Circumstances, Judged } from '../judge/evidence/judged.ts';
import { judgingExchanges } from '../judge/judge-exchanges.ts';
import { explain } from '../judge/limiter/explanation/explain.ts';
import { judgeResetTime } from '../judge/limiter/seen/headers.ts';
import type { Contract, RatePlan } from '../model/contract.ts';
import { type Exchange, headerValue, type Unsent } from '../model/exchange.ts';
import type { Findings } from '../model/finding.ts';
import type { Steps } from '../model/large/steps.ts';
import { inferRatePlan } from '../model/rate-plan.ts';
import { judgeAll, judgingAll } from '../run/judge-outcome.ts';
import { mergeFindings } from './merge.ts';
import type { RecordedExchange } from './requests.ts';

/** What judging a part of a recording needs besides its exchanges. */
export interface PartSettings {
  contract: Contract;
  checks: readonly Check[];
  baseUrl: string;
  /** The rate plan that the user states, and its figures. */
  plan?: string | undefined;
  limits?: RatePlan | undefined;
  /** How many more searches for a limiter may fail: each takes a second or so. */
  searches: { left: number };
  /** Told how many exchanges are judged without a search for their limiter. */
  onUnsearched: (exchanges: number) => void;
}

/** Searches for a limiter that may fail in one recording: later ones show what the first did. */
export const MAX_SEARCHES = 10;

/** How the limiter behaves can be told for one key alone; of several it takes minutes to find out that nothing can be told. */
const WINDOW = 'open.window';

/** Whether a check says something about several exchanges alone. */
function isOfLimiter({ phase, requirement }: Check): boolean {
  return phase === 'limiter' || requirement === WINDOW;
}

/** The checks that may find something wrong with an exchange by itself. */
export function checksOfOne(
  { requirements }: Pick<Contract, 'requirements'>,
  checks: readonly Check[],
): Check[] {
  const open = new Set(requirements.filter(({ level }) => level === 'open').map(({ id }) => id));
  return checks.filter((each) => !isOfLimiter(each) && !open.has(each.requirement));
}

/**
 * Judges a part of a recording by the checks of a run, in steps: its exchanges together, and the limiter for each key. The longest
 * step is a search for a limiter.
 */
export function* judgingPart(
  all: readonly RecordedExchange[],
  settings: PartSettings,
): Steps<{ findings: Findings; judged: readonly Judged[] }> {
  const evidence = yield* evidenceOf(all, settings);
  return { findings: yield* judgingEvidence(all, evidence, settings), judged: evidence.judged };
}

function* judgingEvidence(
  all: readonly RecordedExchange[],
  evidence: Evidence,
  settings: PartSettings,
): Steps<Findings> {
  const { checks, contract } = settings;
  // A run of petspec is judged as a run: nobody else acts in it.
  if (all.every(({ exchange }) => exchange.recorded === 'run')) return yield* judgingAll(checks, evidence);
  const selected = new Set(checks.map(({ requirement }) => requirement));
  let findings: Findings = yield* judgingAll(
    checks.filter((each) => !isOfLimiter(each)),
    { ...evidence, judged: withoutUnknownKeys(evidence.judged) },
  );
  const limiter = checks.filter(isOfLimiter);
  const groups = [...new Set(all.flatMap(({ group }) => group ?? []))];
  for (const group of groups)
    for (const each of judgeKey(group, all, evidence, limiter, settings)) {
      findings = mergeFindings(findings, each);
      yield;
    }
  const requirements = contract.requirements.filter(({ id }) => selected.has(id));
  return Object.fromEntries(requirements.flatMap(({ id }) => (findings[id] ? [[id, findings[id]]] : [])));
}

function* evidenceOf(all: readonly RecordedExchange[], settings: PartSettings): Steps<Evidence> {
  const { contract, baseUrl, plan, limits } = settings;
  const exchanges = all.map(({ exchange }) => exchange);
  const inferred = inferRatePlan(exchanges, contract.ratePlans);
  const figures = limits ?? (inferred && contract.ratePlans[inferred.name]);
  const circumstances: Circumstances = {
    contract,
    probes: all.map(({ probe }) => probe),
    today: exchanges.at(-1)?.sentAt ?? 0,
    referencesKnown: true,
    ...(figures ? { limits: figures } : {}),
  };
  return {
    ...circumstances,
    judged: yield* judgingExchanges(exchanges, circumstances),
    unsent: exchanges.some(({ response }) => response?.status === 429) ? [] : stoppedBefore(all),
    baseUrl,
    sharedKey: false,
    plan,
  };
}

/** Without a 429, nobody knows why a run stopped to use up the limit. */
function stoppedBefore(all: readonly RecordedExchange[]): Unsent[] {
  const last = all.findLast(({ probe }) => probe.stage === 'exhaust');
  const reason = 'the recording does not say why no request was refused';
  return last ? [{ probe: last.probe.id, kind: 'not-exhaustible', reason }] : [];
}

const UNKNOWN_KEY = { reason: 'it is not known whether the key was valid' };

/** A 401 shows that wrong keys are refused only if it is known that the key was wrong. */
function withoutUnknownKeys(judged: readonly Judged[]): Judged[] {
  return judged.map((each) => {
    const { exchange, operation } = each;
    if (exchange.recorded !== 'traffic' || exchange.key !== 'unknown') return each;
    const due = operation.responses.find(({ status }) => status === '401')?.requirement;
    const met = each.met.filter((id) => id !== due);
    return each.outcome === 'answered' ? { ...each, met, inconclusive: UNKNOWN_KEY } : { ...each, met };
  });
}

/** Requests of others are judged in times as short as a window: what happens between two windows is not known. */
const SEGMENT_MS = 60_000;
const MAX_SEGMENT = 400;

const RESET = 'rate-limit.reset';
const RECOVERY = 'rate-limit.recovery';

function* judgeKey(
  group: string,
  all: readonly RecordedExchange[],
  evidence: Evidence,
  checks: readonly Check[],
  { searches, onUnsearched }: PartSettings,
): Generator<Findings> {
  const judged = new Map(evidence.judged.map((each) => [each.exchange.id, each]));
  const own = all.filter((each) => each.group === group);
  const judgedOf = (some: readonly RecordedExchange[]) =>
    some.flatMap(({ exchange }) => judged.get(exchange.id) ?? []);
  const shared = { ...evidence, sharedKey: true };
  const only = (...ids: string[]) => checks.filter(({ requirement }) => ids.includes(requirement));
  const byThemselves = judgedOf(own);
  const dated = byThemselves.filter(
    ({ exchange }) => headerValue(exchange.response?.headers ?? [], 'Date') !== undefined,
  );
  // What explains Reset is searched for in times as short as a window.
  const byTime = only(RESET).map((check): Check => ({ ...check, judge: judgeResetTime }));
  const inSequence = checks.filter(({ requirement }) => requirement !== RECOVERY);
  yield judgeAll(only('rate-limit.remaining', 'rate-limit.http-date'), { ...shared, judged: byThemselves });
  yield judgeAll(byTime, { ...shared, judged: dated });
  yield judgeAll(only(RECOVERY), { ...shared, judged: byThemselves });
  for (const segment of segmentsOf(own).filter(isReliable)) {
    if (searches.left === 0) {
      onUnsearched(segment.length);
      continue;
    }
    const numbered = inARow({ ...shared, judged: judgedOf(segment) });
    yield judgeNumbered(inSequence, numbered);
    if (!isExplained(numbered.evidence)) searches.left -= 1;
  }
}

function segmentsOf(all: readonly RecordedExchange[]): RecordedExchange[][] {
  const segments: RecordedExchange[][] = [];
  for (const each of all) {
    const last = segments.at(-1);
    const start = last?.[0]?.exchange.sentAt ?? 0;
    if (last && last.length < MAX_SEGMENT && each.exchange.receivedAt - start <= SEGMENT_MS) last.push(each);
    else segments.push([each]);
  }
  return segments;
}

/** Whether the times of a recording tell the order of its exchanges: each has a duration and a Date, in the same order. */
function isReliable(segment: readonly RecordedExchange[]): boolean {
  let latest = Number.NEGATIVE_INFINITY;
  return segment.every(({ exchange, isTimed }) => {
    const date = Date.parse(headerValue(exchange.response?.headers ?? [], 'Date') ?? '');
    const isInOrder = date >= latest - 1_000;
    latest = Math.max(latest, date);
    return isTimed && isInOrder;
  });
}

/** Whether an honest limiter explains everything. */
function isExplained(evidence: Evidence): boolean {
  const { accounts, excluded } = explain(evidence);
  return excluded === undefined && accounts.every(({ attempt }) => !attempt.isPresumed);
}

interface Numbered {
  evidence: Evidence;
  /** The ids that the exchanges have in the recording. */
  ids: readonly number[];
}

/** Exchanges with ids in a row, as the limiter's explanation needs them: a missing one is a missing exchange. */
function inARow(evidence: Evidence): Numbered {
  const ids = evidence.judged.map(({ exchange }) => exchange.id);
  const judged = evidence.judged.map(
    (each, index): Judged => ({ ...each, exchange: numbered(each.exchange, index + 1) }),
  );
  return { ids, evidence: { ...evidence, judged } };
}

function judgeNumbered(checks: readonly Check[], { evidence, ids }: Numbered): Findings {
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
