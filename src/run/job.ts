import { setMaxListeners } from 'node:events';
import { existsSync } from 'node:fs';
import type { Check } from '../judge/evidence/check.ts';
import { type ClockReading, realClock, steady } from '../model/clock.ts';
import type { Contract, Requirement } from '../model/contract.ts';
import { brief, type Exchange, type ExchangeBrief } from '../model/exchange.ts';
import type { Finding } from '../model/finding.ts';
import { probesFor } from '../model/large/lookups.ts';
import type { Probe } from '../model/probe.ts';
import type { NarrowedResult } from '../model/report/report.ts';
import type { RunRecord } from '../model/report/run-record.ts';
import { exchangesOf, headerOf } from '../session/ledger/ledger.ts';
import type { Execution, Progress } from '../session/terms/types.ts';
import { conduct, type Surroundings } from './conduct.ts';
import type { Conducted } from './judging/judge-outcome.ts';
import { LedgerKeeper, type LedgerProblem } from './keep-ledger.ts';
import type { RunOptions } from './options.ts';
import { probesOf } from './plan/probes.ts';
import type { RunPlan } from './plan.ts';

/** A run for the tests to conduct: plain data from the command line. */
export interface Job {
  options: RunOptions;
  /** Path of the ledger; without a path, no ledger is kept. */
  ledger?: string;
  /** Tells this run from any other that writes to the same place. */
  run?: string;
  /** When the user asked for it, in ms since the epoch. */
  begunAt?: number;
  /** The vitest UI may run a job again: requests that its ledger has are not sent again. */
  isResumed?: boolean;
  /** What the clock showed before the job: the dates of all parts of a resumed run go on from there. */
  since?: ClockReading;
}

/** What the tests report to the command line during a run. */
export type RunEvent =
  | Progress
  /** The ledger exists. */
  | { kind: 'listening' }
  | { kind: 'exchange'; brief: ExchangeBrief }
  /** A new key took the place of another: it is a secret as well. */
  | { kind: 'new-key'; key: string };

/** The exchanges of a run whose ledger is not complete, and why. */
interface Unwritten {
  problem: LedgerProblem;
  exchanges: readonly Exchange[];
}

/** What a vitest task returns to the command line in its meta: plain data. */
export interface TestMeta {
  run?: RunRecord & { unwritten?: Unwritten | undefined };
  finding?: Finding;
  requirement?: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    job: Job;
  }
}

/** The result of a run, and why its ledger is not complete if it is not. */
export type JobResult = Conducted & { ledgerProblem?: LedgerProblem | undefined };

/** How a run is watched. */
export interface Watch extends Pick<Surroundings, 'beforeJudging'> {
  onEvent: (event: RunEvent) => void;
  /** When it aborts, the run finishes with the results so far. */
  signal: AbortSignal;
}

/** Conducts a run against the target of the options, or against the bundled reference if they name none. */
export async function conductWatched(
  contract: Contract,
  plan: RunPlan,
  job: Job,
  { onEvent, ...watch }: Watch,
): Promise<JobResult> {
  // In every run that shares this signal, every request in flight listens to it.
  setMaxListeners(0, watch.signal);
  const restored = restoredExchanges(job);
  const place = { path: job.ledger, run: job.run ?? '', isContinued: restored.length > 0 };
  const ledger = new LedgerKeeper(contract, place);
  onEvent({ kind: 'listening' });
  const surroundings: Omit<Surroundings, 'clock'> = {
    ...watch,
    begunAt: job.begunAt,
    restored,
    onStart: (start) => ledger.begin(start),
    onExchange: (exchange) => onEvent({ kind: 'exchange', brief: brief(exchange) }),
    onKept: (exchange) => ledger.keep(exchange),
    onProgress: onEvent,
    onNewKey: (key) => onEvent({ kind: 'new-key', key }),
  };
  try {
    const conducted = await conductTarget(contract, plan, job, surroundings);
    ledger.end(conducted);
    return { ...conducted, ledgerProblem: ledger.problem };
  } finally {
    ledger.close();
  }
}

/** The exchanges that the ledger of this same run already has. */
function restoredExchanges({ isResumed, ledger, run }: Job): Exchange[] {
  if (!isResumed || ledger === undefined || !existsSync(ledger) || headerOf(ledger)?.run !== run) return [];
  return [...exchangesOf(ledger)];
}

async function conductTarget(
  contract: Contract,
  plan: RunPlan,
  { options, since }: Job,
  surroundings: Omit<Surroundings, 'clock'>,
): Promise<Conducted> {
  const { baseUrl, apiUrl, servers, apiKey = '', secondKey, keys, secondKeys } = options;
  if (baseUrl === undefined) {
    // Only a run without a target needs the reference.
    const { conductBundled, virtualStart } = await import('./bundled.ts');
    // Its virtual time goes on where it stopped.
    const start = Math.max(virtualStart(Date.now()), surroundings.restored?.at(-1)?.receivedAt ?? 0);
    return conductBundled(contract, plan, options, { ...surroundings, start });
  }
  const target = { baseUrl, apiKey, apiUrl, servers, secondKey, keys, secondKeys };
  return conduct(contract, plan, options, target, { ...surroundings, clock: steady(realClock, since) });
}

/** A name of an environment variable, and nothing else that a shell understands: a ledger may come from anybody. */
const VARIABLE = /^[A-Z_][A-Z0-9_]*$/;

/** The record of a run. Its exchanges are in the ledger; the record has them only if the ledger is not complete. */
export function recordOf(
  contract: Contract,
  checks: readonly Check[],
  plan: RunPlan,
  { options }: Pick<Job, 'options'>,
  conducted: JobResult,
): RunRecord & { unwritten?: Unwritten | undefined } {
  const {
    findings,
    rootCause,
    hints,
    limiters,
    gaps,
    stopped,
    startedAt,
    finishedAt,
    target,
    plan: statedPlan,
    noRoom,
    ledgerProblem,
  } = conducted;
  return {
    target: {
      baseUrl: target.baseUrl,
      apiUrl: target.apiUrl ?? null,
      ...(target.servers === undefined ? {} : { servers: target.servers }),
      plan: statedPlan ?? null,
      ...(isUnverified(target, options) ? { insecure: true } : {}),
    },
    findings,
    rootCause,
    hints,
    limiters,
    gaps: gaps.length > 0 ? gaps : undefined,
    narrowed: narrowedRequirements(contract, checks, plan, conducted),
    strict: options.strict,
    asOf: options.asOf,
    seed: plan.seed === 'none' ? undefined : plan.seed,
    announced: plan.cost.most,
    keyVariable: VARIABLE.test(options.keyFrom ?? '') ? options.keyFrom : undefined,
    interfaceSource: options.interfaceSource,
    startedAt,
    finishedAt,
    virtualTime: options.baseUrl === undefined ? true : undefined,
    stopped,
    noRoom,
    unwritten: ledgerProblem && { problem: ledgerProblem, exchanges: conducted.exchanges },
  };
}

/** Whether the run accepted a certificate without verifying it. */
function isUnverified(
  { baseUrl, apiUrl = '', servers = {} }: Conducted['target'],
  { insecure }: RunOptions,
): boolean {
  return insecure && [baseUrl, apiUrl, ...Object.values(servers)].some((address) => /^https:/i.test(address));
}

/** The probes that a run sent, and those of its plan that it did not. */
type SentProbes = Pick<Execution, 'exchanges' | 'unsent'>;

/**
 * The requirements that were not tested because of an option, by option. Requirements that were not tested for another
 * reason (no service, too long a wait, an interruption, an unread response) are not among them.
 */
function narrowedRequirements(
  contract: Contract,
  checks: readonly Check[],
  plan: RunPlan,
  outcome: SentProbes & { findings: Readonly<Record<string, Finding>> },
): NarrowedResult[] {
  const { findings, exchanges } = outcome;
  const probes = probesOf(contract, checks, plan.seed);
  const unread = new Set(
    exchanges.filter(({ response }) => !response || response.unread !== undefined).map(({ id }) => id),
  );
  const isForItself = (finding: Finding | undefined) =>
    finding === undefined ||
    (finding.status === 'not-tested' &&
      finding.cause === undefined &&
      !finding.evidence.some((id) => unread.has(id)));
  const untested = contract.requirements.filter(({ id }) => isForItself(findings[id]));
  const held = heldBack(probes, plan, outcome);
  const byRequirement = new Map(checks.map((check) => [check.requirement, check]));
  return plan.narrowed.map(({ kind, option, excluded, leavesOut }) => {
    const isLeftOut = (requirement: Requirement) => {
      if (findings[requirement.id] === undefined) return kind === 'selection';
      if (leavesOut?.(requirement)) return true;
      const check = byRequirement.get(requirement.id);
      const lookedAt = check ? probesFor(probes, check).filter(check.probes) : [];
      if (leavesOut) return lookedAt.length > 0 && lookedAt.every(excluded);
      return lookedAt.some(excluded) && !lookedAt.some(held);
    };
    return { kind, option, requirements: untested.filter(isLeftOut).map(({ id }) => id) };
  });
}

/**
 * Whether a planned probe was not sent for a reason other than a missing value, of a request that an option left out or of a
 * response that lacks it.
 */
function heldBack(probes: readonly Probe[], plan: RunPlan, outcome: SentProbes): (probe: Probe) => boolean {
  const { exchanges, unsent } = outcome;
  const leftOut = probes.filter((probe) => plan.narrowed.some(({ excluded }) => excluded(probe)));
  const answered = exchanges.filter(({ response }) => response !== undefined);
  const sources = new Set([...leftOut.map(({ id }) => id), ...answered.map(({ probe }) => probe)]);
  const held = new Set(unsent.filter(({ cause }) => !cause || !sources.has(cause)).map(({ probe }) => probe));
  return ({ id }) => held.has(id);
}
