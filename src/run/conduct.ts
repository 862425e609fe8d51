import { randomBytes } from 'node:crypto';
import type { Check, Evidence } from '../judge/check.ts';
import { withoutContradicted } from '../judge/contradicted.ts';
import { judgeExchanges } from '../judge/exchange/judge-exchanges.ts';
import { withoutOthers, withVariation } from '../judge/exchange/taken-apart.ts';
import { hintsOf } from '../judge/hints.ts';
import { limitersOf } from '../judge/limiters.ts';
import { rootCauseOf } from '../judge/root-cause.ts';
import type { Clock } from '../model/clock.ts';
import type { Contract } from '../model/contract.ts';
import type { Exchange } from '../model/exchange.ts';
import { type Finding, notTested } from '../model/finding.ts';
import type { Probe } from '../model/probe.ts';
import { inferRatePlan } from '../model/rate-plan.ts';
import type { Hint } from '../model/report/hint.ts';
import type { LimiterResult } from '../model/report/limiter.ts';
import type { RootCause } from '../model/report/root-cause.ts';
import { pathOf } from '../probes/surplus/generated.ts';
import type { Dial } from '../session/http/connect.ts';
import { execute } from '../session/session.ts';
import type { Execution, Progress, SessionOptions } from '../session/types.ts';
import { type RunOptions, statedLimits } from './options.ts';
import type { RunPlan } from './plan.ts';
import { violatedBy } from './violated-by.ts';

/** Requests that look for the variation to blame, of those that would use up the limit. */
const MAX_ISOLATION = 8;

/** A running target: the user's, or the bundled reference. */
export interface Target {
  baseUrl: string;
  apiUrl?: string;
  /** The other servers, by name. */
  servers?: Readonly<Record<string, string>>;
  apiKey: string;
  /** Opens connections to it in memory, in place of the network. */
  dial?: Dial;
}

/** The addresses of a target. */
export type Addresses = Pick<Target, 'baseUrl' | 'apiUrl' | 'servers'>;

export interface Surroundings {
  clock: Clock;
  signal?: AbortSignal;
  /** Exchanges that an earlier part of this run completed. */
  restored?: readonly Exchange[];
  /** Called before the first request. */
  onStart?: (start: Start) => void;
  onExchange?: (exchange: Exchange) => void;
  /** Called for each exchange that is kept; a long exhaustion does not keep all of them. */
  onKept?: (exchange: Exchange) => void;
  onProgress?: (progress: Progress) => void;
  /** Awaited before judging, which keeps the thread busy while other runs wait for responses. */
  beforeJudging?: () => Promise<void>;
  /** Draws int64s, for ids that do not exist and texts that nobody else sends. */
  random?: () => bigint;
}

export interface Start {
  target: Addresses;
  options: RunOptions;
  /** ms since the epoch, by the run's clock. */
  startedAt: number;
}

/** The result of executing a plan: what judging needs besides the plan and its options, as plain data. */
export interface Outcome extends Execution {
  target: Addresses;
  /** ms since the epoch, by the run's clock. */
  startedAt: number;
  finishedAt: number;
}

/** The result of a run: a finding for each selected requirement, and the evidence. */
export interface Conducted extends Outcome {
  findings: Readonly<Record<string, Finding>>;
  /** Why every operation fails in the same way, if they do. */
  rootCause?: RootCause;
  /** Possible mistakes in the addresses. */
  hints: readonly Hint[];
  /** The honest limiters that explain what was observed, or come nearest. */
  limiters: readonly LimiterResult[];
  /** The rate plan, stated by the user or inferred from the headers. */
  plan?: string;
}

/** Executes a plan against a target, and judges the responses. */
export async function conduct(
  contract: Contract,
  plan: RunPlan,
  options: RunOptions,
  target: Target,
  surroundings: Surroundings,
): Promise<Conducted> {
  const { clock } = surroundings;
  const startedAt = clock.now();
  const { baseUrl, apiUrl, servers } = target;
  const addresses = {
    baseUrl,
    ...(apiUrl === undefined ? {} : { apiUrl }),
    ...(servers === undefined ? {} : { servers }),
  };
  // The seed is named, so that the ledger is judged by what was sent.
  surroundings.onStart?.({ target: addresses, options: { ...options, seed: plan.seed }, startedAt });
  const execution = await execute(
    contract,
    plan.probes,
    sessionOptions(contract, plan, options, target, surroundings),
  );
  const finishedAt = clock.now();
  await surroundings.beforeJudging?.();
  return judge(contract, plan, options, { ...execution, target: addresses, startedAt, finishedAt });
}

function sessionOptions(
  contract: Contract,
  plan: RunPlan,
  options: RunOptions,
  target: Target,
  surroundings: Surroundings,
): SessionOptions {
  const limits = statedLimits(contract.ratePlans, options);
  return {
    ...target,
    ...surroundings,
    timeout: options.timeout,
    maxWait: options.maxWait,
    concurrency: options.concurrency,
    most: plan.cost.most,
    planned: plan.cost.planned.withKey,
    surplus: plan.surplus,
    further: plan.cost.further,
    generate: plan.generate,
    headers: options.headers,
    ...(options.readOnly || (contract.file !== undefined && !options.write) ? { safeOnly: true } : {}),
    ...(!contract.isComplete && options.write ? { writes: true } : {}),
    ...(options.traceparent ? { traceparent: true } : {}),
    network: { ...options.network, insecure: options.insecure },
    ...(options.keyFrom === undefined ? {} : { keyFrom: options.keyFrom }),
    exhaust: options.exhaust === 'day' ? 'day' : 'minute',
    isNotable: isNotable(contract, plan),
    violatedBy: violatedBy(contract, plan, target.baseUrl),
    isolation: plan.cost.exhausts ? MAX_ISOLATION : 0,
    ratePlans: contract.ratePlans,
    random: surroundings.random ?? (() => randomBytes(8).readBigUInt64BE() >> 1n),
    ...(limits ? { limits } : {}),
    ...(options.categoryId === undefined ? {} : { categoryId: BigInt(options.categoryId) }),
  };
}

/** Whether an exchange shows something by itself: a refusal, a deviation, or rate limit headers that cannot be right. */
export function isNotable(contract: Contract, plan: RunPlan): (exchange: Exchange) => boolean {
  const byId = new Map([...plan.probes, ...plan.surplus].map((each) => [each.id, each]));
  return (exchange) => {
    const { limit, remaining } = exchange.rate;
    if (
      exchange.response?.status === 429 ||
      limit === undefined ||
      remaining === undefined ||
      remaining > limit
    )
      return true;
    const path = pathOf(exchange.probe);
    const probe = path ? plan.generate(path) : byId.get(exchange.probe);
    const circumstances = {
      contract,
      // An exhaustion asks this of thousands of exchanges: judging one of them needs no other probe.
      probes: probe ? [probe] : [],
      today: exchange.receivedAt,
      referencesKnown: true,
    };
    return judgeExchanges([exchange], circumstances).some(({ deviations }) => deviations.length > 0);
  };
}

/** Judges the result of executing a plan. Pure: a result that is read from a ledger gets the same findings. */
export function judge(contract: Contract, plan: RunPlan, options: RunOptions, outcome: Outcome): Conducted {
  const { exchanges, unsent, target, takenApart = [] } = outcome;
  const circumstances = {
    contract,
    probes: [...plan.probes, ...furtherSent(plan, exchanges)],
    today: outcome.startedAt,
    referencesKnown: outcome.referencesKnown,
    isKeyRefused: outcome.stopped?.kind === 'key-refused',
    ...(outcome.stopped?.kind === 'gone' ? { goneSince: lastAnswered(exchanges) } : {}),
    ...(outcome.limits ? { limits: outcome.limits } : {}),
  };
  const evidence: Evidence = {
    ...circumstances,
    judged: withoutOthers(judgeExchanges(exchanges, circumstances), takenApart),
    unsent,
    baseUrl: target.baseUrl,
    sharedKey: options.sharedKey,
    ...(outcome.used ? { used: outcome.used } : {}),
    ...(options.plan === undefined && !options.limits ? {} : { plan: options.plan ?? 'custom' }),
  };
  const told = inferRatePlan(exchanges, contract.ratePlans);
  const named = options.plan ?? told?.name;
  const findings = Object.fromEntries(
    Object.entries(judgeAll(plan.checks, evidence)).map(([id, each]) => [
      id,
      withVariation(each, takenApart),
    ]),
  );
  const rootCause = rootCauseOf(evidence.judged, findings, contract);
  return {
    ...outcome,
    findings,
    ...(rootCause ? { rootCause } : {}),
    hints: hintsOf(evidence.judged, contract, target),
    limiters: limitersOf(evidence),
    ...(named === undefined ? {} : { plan: named }),
  };
}

/** The probes that were sent in place of repeating one read, or in further windows. */
function furtherSent({ surplus, generate }: RunPlan, exchanges: readonly Exchange[]): Probe[] {
  const sent = new Set(exchanges.filter(({ stage }) => stage === 'surplus').map(({ probe }) => probe));
  const drawn = [...sent].flatMap((id) => {
    const path = pathOf(id);
    return (path && generate(path)) ?? [];
  });
  return [...surplus.filter(({ id }) => sent.has(id)), ...drawn];
}

/** When the last request that got a response was sent, in ms since the epoch; 0 if none did. */
function lastAnswered(exchanges: readonly Exchange[]): number {
  return exchanges.reduce((last, each) => (each.response ? Math.max(last, each.sentAt) : last), 0);
}

/**
 * Every check's finding; one whose needs are violated is not tested, and names the first of them, and so is one that is
 * contradicted by what another finding owns.
 */
export function judgeAll(checks: readonly Check[], evidence: Evidence): Record<string, Finding> {
  const levels = new Map(evidence.contract.requirements.map(({ id, level }) => [id, level]));
  // What is good practice alone is advised, not held against the target.
  const advised = (id: string, finding: Finding): Finding =>
    finding.status === 'violated' && levels.get(id) === 'should'
      ? { ...finding, status: 'advisory' }
      : finding;
  const findings = Object.fromEntries(
    checks.map((check) => [check.requirement, advised(check.requirement, check.judge(evidence))] as const),
  );
  const blocked = checks.flatMap((check) => {
    const cause = check.needs.find((need) => findings[need]?.status === 'violated');
    if (cause === undefined) return [];
    return [
      [
        check.requirement,
        notTested('blocked', `cannot be judged: ${findings[cause]?.reason}`, cause),
      ] as const,
    ];
  });
  const judged = withoutContradicted(checks, { ...findings, ...Object.fromEntries(blocked) }, evidence);
  return Object.fromEntries(Object.entries(judged).map(([id, finding]) => [id, advised(id, finding)]));
}
