import { setMaxListeners } from 'node:events';
import { existsSync } from 'node:fs';
import { isObject } from '../contract/schema.ts';
import type { Check } from '../judge/check.ts';
import { realClock } from '../model/clock.ts';
import type { Contract } from '../model/contract.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Finding } from '../model/finding.ts';
import type { RunRecord } from '../model/report/run-record.ts';
import { headerOf, readLedger } from '../session/ledger/ledger.ts';
import type { Progress } from '../session/types.ts';
import { conductBundled } from './bundled.ts';
import { type Conducted, conduct, type Surroundings } from './conduct.ts';
import { brief, type ExchangeBrief } from './exchange-brief.ts';
import { keepLedger, type LedgerProblem } from './keep-ledger.ts';
import { narrowedRequirements } from './narrowing.ts';
import type { RunOptions } from './options.ts';
import type { RunPlan } from './plan.ts';

/** What the command line hands to the worker that conducts a run: plain data. */
export interface Job {
  options: RunOptions;
  /** Where the ledger goes; without a path none is kept. */
  ledger?: string;
  /** Tells this run from any other that writes to the same place. */
  run?: string;
  /** In the vitest UI a run is looked at again: what its ledger has is not sent again. */
  isResumed?: boolean;
  /** Name of the BroadcastChannel for news, and for an interruption. */
  channel?: string;
}

/** What the worker tells the command line while it conducts. */
export type News =
  | Progress
  /** It listens from now on, and its ledger is begun; an interruption before would have been lost. */
  | { kind: 'listening' }
  | { kind: 'exchange'; brief: ExchangeBrief }
  /** There is no more to tell. */
  | { kind: 'done' };

/** What a ledger does not have, and why. */
export interface Unwritten {
  problem: LedgerProblem;
  exchanges: readonly Exchange[];
}

/** What a test's task carries back to the command line, in its meta: plain data. */
export interface TestMeta {
  run?: RunRecord & { unwritten?: Unwritten };
  finding?: Finding;
  requirement?: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    job: Job;
  }
}

/** What came of a run, and why its ledger does not have all of it, where that is so. */
export type JobResult = Conducted & { ledgerProblem?: LedgerProblem };

/**
 * Conducts the run of a job in the worker of vitest: news go out by its channel, an interruption comes in by it.
 */
export async function conductJob(contract: Contract, plan: RunPlan, job: Job): Promise<JobResult> {
  const channel = job.channel === undefined ? undefined : new BroadcastChannel(job.channel);
  const tell = (news: News) => channel?.postMessage(news);
  const interruption = new AbortController();
  if (channel) channel.onmessage = () => interruption.abort();
  try {
    return await conductWatched(contract, plan, job, { onNews: tell, signal: interruption.signal });
  } finally {
    tell({ kind: 'done' });
    channel?.close();
  }
}

/** What goes on with a run while it is conducted. */
export interface Watch extends Pick<Surroundings, 'beforeJudging'> {
  onNews: (news: News) => void;
  /** Aborted, the run finishes with what is known. */
  signal: AbortSignal;
}

/** Conducts a run against the target of the options, or against the bundled reference where they name none. */
export async function conductWatched(
  contract: Contract,
  plan: RunPlan,
  job: Job,
  { onNews, ...watch }: Watch,
): Promise<JobResult> {
  // Every request under way listens, of every run that is conducted with this signal.
  setMaxListeners(0, watch.signal);
  const restored = restoredExchanges(job);
  const ledger = keepLedger(contract, job.ledger, job.run ?? '', restored.length > 0);
  onNews({ kind: 'listening' });
  const surroundings: Omit<Surroundings, 'clock'> = {
    ...watch,
    restored,
    onStart: ledger.begin,
    onExchange: (exchange) => onNews({ kind: 'exchange', brief: brief(exchange) }),
    onKept: ledger.keep,
    onProgress: onNews,
  };
  try {
    const conducted = await conductTarget(contract, plan, job.options, surroundings);
    ledger.end(conducted);
    const ledgerProblem = ledger.problem();
    return { ...conducted, ...(ledgerProblem === undefined ? {} : { ledgerProblem }) };
  } finally {
    ledger.close();
  }
}

/** What the ledger of this same run has already, where it is looked at again. */
function restoredExchanges({ isResumed, ledger, run }: Job): Exchange[] {
  if (!isResumed || ledger === undefined || !existsSync(ledger) || headerOf(ledger)?.run !== run) return [];
  return [...readLedger(ledger)].filter((line): line is Exchange => isObject(line) && !('record' in line));
}

function conductTarget(
  contract: Contract,
  plan: RunPlan,
  options: RunOptions,
  surroundings: Omit<Surroundings, 'clock'>,
): Promise<Conducted> {
  const { baseUrl, apiUrl, apiKey = '' } = options;
  const last = surroundings.restored?.at(-1);
  // The reference's virtual time goes on from where it was.
  const start = Math.max(Date.now(), last?.receivedAt ?? 0);
  if (baseUrl === undefined) return conductBundled(contract, plan, options, { ...surroundings, start });
  const target = { baseUrl, apiKey, ...(apiUrl === undefined ? {} : { apiUrl }) };
  return conduct(contract, plan, options, target, { ...surroundings, clock: realClock });
}

/** A name that a shell takes for nothing else: a ledger may be of anybody. */
const VARIABLE = /^[A-Z_][A-Z0-9_]*$/;

/** What came of a run, without its exchanges, which the ledger has; with them where it has not. */
export function recordOf(
  contract: Contract,
  checks: readonly Check[],
  plan: RunPlan,
  { options }: Pick<Job, 'options'>,
  conducted: JobResult,
): RunRecord & { unwritten?: Unwritten } {
  const {
    findings,
    rootCause,
    hints,
    stopped,
    startedAt,
    finishedAt,
    target,
    plan: told,
    ledgerProblem,
  } = conducted;
  return {
    target: {
      baseUrl: target.baseUrl,
      apiUrl: target.apiUrl ?? null,
      plan: told ?? null,
      ...(isUnverified(target, options) ? { insecure: true } : {}),
    },
    findings,
    ...(rootCause ? { rootCause } : {}),
    hints,
    narrowed: narrowedRequirements(contract, checks, plan, conducted),
    strict: options.strict,
    announced: plan.cost.most,
    ...(VARIABLE.test(options.keyFrom ?? '') ? { keyVariable: options.keyFrom ?? '' } : {}),
    startedAt,
    finishedAt,
    ...(stopped ? { stopped } : {}),
    ...(ledgerProblem === undefined
      ? {}
      : { unwritten: { problem: ledgerProblem, exchanges: conducted.exchanges } }),
  };
}

/** Whether there was a certificate that was not verified. */
function isUnverified({ baseUrl, apiUrl = '' }: Conducted['target'], { insecure }: RunOptions): boolean {
  return insecure && [baseUrl, apiUrl].some((address) => /^https:/i.test(address));
}
