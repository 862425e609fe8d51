import type { Contract } from '../contract/types.ts';
import type { Check } from '../judge/check.ts';
import type { Finding } from '../judge/finding.ts';
import type { RunRecord } from '../report/assemble.ts';
import { realClock } from '../session/clock.ts';
import { openLedger } from '../session/ledger.ts';
import { conductBundled } from './bundled.ts';
import { type Conducted, conduct, type Surroundings } from './conduct.ts';
import { narrowedRequirements } from './narrowing.ts';
import type { RunOptions } from './options.ts';
import type { RunPlan } from './plan.ts';

/** What the command line hands to the worker that conducts a run: plain data. */
export interface Job {
  options: RunOptions;
  /** Where the ledger goes; without a path none is kept. */
  ledger?: string;
  /** Name of the BroadcastChannel for progress, and for an interruption. */
  channel?: string;
}

/** What a test's task carries back to the command line, in its meta: plain data. */
export interface TestMeta {
  run?: RunRecord;
  finding?: Finding;
  requirement?: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    job: Job;
  }
}

/** Conducts a run against the target of the options, or against the bundled reference where they name none. */
export async function conductJob(contract: Contract, plan: RunPlan, job: Job): Promise<Conducted> {
  const { options } = job;
  const ledger = job.ledger === undefined ? undefined : openLedger(job.ledger);
  const channel = job.channel === undefined ? undefined : new BroadcastChannel(job.channel);
  const interruption = new AbortController();
  if (channel) channel.onmessage = () => interruption.abort();
  const surroundings: Omit<Surroundings, 'clock'> = {
    signal: interruption.signal,
    onExchange: (exchange) => ledger?.write(exchange),
    onProgress: (progress) => channel?.postMessage(progress),
  };
  try {
    const { baseUrl, apiUrl, apiKey = '' } = options;
    if (baseUrl === undefined) return await conductBundled(contract, plan, options, surroundings);
    const target = { baseUrl, apiKey, ...(apiUrl === undefined ? {} : { apiUrl }) };
    return await conduct(contract, plan, options, target, { ...surroundings, clock: realClock });
  } finally {
    channel?.close();
    ledger?.close();
  }
}

/** What came of a run, without its exchanges, which the ledger has. */
export function recordOf(
  contract: Contract,
  checks: readonly Check[],
  plan: RunPlan,
  job: Job,
  conducted: Conducted,
): RunRecord {
  const { findings, stopped, startedAt, finishedAt, target, plan: told } = conducted;
  return {
    target: { baseUrl: target.baseUrl, apiUrl: target.apiUrl ?? null, plan: told ?? null },
    findings,
    narrowed: narrowedRequirements(contract, checks, plan, findings),
    strict: job.options.strict,
    startedAt,
    finishedAt,
    ...(stopped ? { stopped } : {}),
  };
}
