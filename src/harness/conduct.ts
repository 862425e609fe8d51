import { randomBytes } from 'node:crypto';
import type { Contract } from '../contract/types.ts';
import type { Check, Evidence } from '../judge/check.ts';
import { judgeExchanges } from '../judge/exchange.ts';
import type { Finding } from '../judge/finding.ts';
import type { Clock } from '../session/clock.ts';
import type { Exchange, Unsent } from '../session/exchange.ts';
import { tellPlan } from '../session/plan-limits.ts';
import { execute } from '../session/session.ts';
import type { Progress, Stopped } from '../session/types.ts';
import type { RunOptions } from './options.ts';
import type { RunPlan } from './plan.ts';

/** A target that is there: the user's, or the bundled reference. */
export interface Target {
  baseUrl: string;
  apiUrl?: string;
  apiKey: string;
}

export interface Surroundings {
  clock: Clock;
  signal?: AbortSignal;
  onExchange?: (exchange: Exchange) => void;
  onProgress?: (progress: Progress) => void;
}

/** What came of a run: one finding for each selected requirement, and what they rest on. */
export interface Conducted {
  findings: Readonly<Record<string, Finding>>;
  unsent: readonly Unsent[];
  exchanges: readonly Exchange[];
  stopped?: Stopped;
  target: Omit<Target, 'apiKey'>;
  /** The plan, stated by the user or told by the headers. */
  plan?: string;
  /** ms since the epoch, by the run's clock. */
  startedAt: number;
  finishedAt: number;
}

/** Executes a plan against a target, and judges what came back. */
export async function conduct(
  contract: Contract,
  plan: RunPlan,
  options: RunOptions,
  target: Target,
  surroundings: Surroundings,
): Promise<Conducted> {
  const { clock } = surroundings;
  const startedAt = clock.now();
  const stated = options.limits ?? (options.plan === undefined ? undefined : contract.plans[options.plan]);
  const execution = await execute(contract, plan.probes, {
    ...target,
    ...surroundings,
    timeout: options.timeout,
    maxWait: options.maxWait,
    concurrency: options.concurrency,
    headers: options.headers,
    plans: contract.plans,
    random: () => randomBytes(8).readBigUInt64BE() >> 1n,
    ...(stated ? { limits: stated } : {}),
    ...(options.categoryId === undefined ? {} : { categoryId: BigInt(options.categoryId) }),
  });
  const circumstances = {
    contract,
    probes: plan.probes,
    today: startedAt,
    referencesKnown: execution.referencesKnown,
    ...(execution.limits ? { limits: execution.limits } : {}),
  };
  const evidence: Evidence = {
    ...circumstances,
    judged: judgeExchanges(execution.exchanges, circumstances),
    unsent: execution.unsent,
    baseUrl: target.baseUrl,
    sharedKey: options.sharedKey,
    ...(options.plan === undefined && !options.limits ? {} : { plan: options.plan ?? 'custom' }),
  };
  const told = execution.exchanges
    .map((each) => tellPlan(each, contract.plans))
    .find((each) => each !== undefined);
  const named = options.plan ?? told?.name;
  return {
    target: { baseUrl: target.baseUrl, ...(target.apiUrl === undefined ? {} : { apiUrl: target.apiUrl }) },
    ...(named === undefined ? {} : { plan: named }),
    findings: judgeAll(plan.checks, evidence),
    unsent: execution.unsent,
    exchanges: execution.exchanges,
    ...(execution.stopped ? { stopped: execution.stopped } : {}),
    startedAt,
    finishedAt: clock.now(),
  };
}

/** Every check's finding; one whose needs are violated is not tested, and names the first of them. */
function judgeAll(checks: readonly Check[], evidence: Evidence): Record<string, Finding> {
  const levels = new Map(evidence.contract.requirements.map(({ id, level }) => [id, level]));
  const findings = Object.fromEntries(
    checks.map((check) => {
      const finding = check.judge(evidence);
      // What is good practice alone is advised, not held against the target.
      const isAdvice = finding.status === 'violated' && levels.get(check.requirement) === 'should';
      return [check.requirement, isAdvice ? { ...finding, status: 'advisory' as const } : finding];
    }),
  );
  const wakes = checks.flatMap((check) => {
    const cause = check.needs.find((need) => findings[need]?.status === 'violated');
    const finding: Finding = {
      status: 'not-tested',
      exercised: false,
      reason: `cannot be judged: ${findings[cause ?? '']?.reason}`,
      evidence: [],
      ...(cause ? { cause } : {}),
    };
    return cause === undefined ? [] : [[check.requirement, finding] as const];
  });
  return { ...findings, ...Object.fromEntries(wakes) };
}
