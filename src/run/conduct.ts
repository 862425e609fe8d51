import { randomBytes } from 'node:crypto';
import { setUpProblem, showsService } from '../judge/set-up-problem.ts';
import { type Clock, steady } from '../model/clock.ts';
import type { Contract } from '../model/contract.ts';
import type { Exchange } from '../model/exchange.ts';
import { inTurns } from '../model/large/steps.ts';
import { withStandIns } from '../secrets/hide-exchange.ts';
import { unknownKeyFor } from '../secrets/keys/unknown-key.ts';
import { type RunSecrets, secretsOfRun } from '../secrets/secrets-of-run.ts';
import type { Dial } from '../session/http/connect.ts';
import { execute } from '../session/session.ts';
import { MOST_ISOLATION } from '../session/terms/budget.ts';
import type { Execution, Progress, SessionOptions } from '../session/terms/types.ts';
import { confirmingRun } from './confirming/confirming-run.ts';
import { judgingReceived } from './judging/judge-hidden.ts';
import type { Conducted, Outcome, TargetAddresses } from './judging/judge-outcome.ts';
import { isNotable } from './judging/notable.ts';
import { violatedBy } from './judging/violated-by.ts';
import { type RunOptions, statedLimits } from './options.ts';
import type { RunPlan } from './plan.ts';

/** A running target: the user's, or the bundled reference. */
export interface RunningTarget extends TargetAddresses {
  apiKey: string;
  /** The valid key of another user. */
  secondKey?: string | undefined;
  /** Keys that requests need together, by their schemes. */
  keys?: Readonly<Record<string, string>> | undefined;
  /** The keys of another user that requests need together. */
  secondKeys?: Readonly<Record<string, string>> | undefined;
  /** Opens connections to it in memory, in place of the network. */
  dial?: Dial;
}

export interface Surroundings {
  clock: Clock;
  signal?: AbortSignal;
  /** When the user asked for the run, in ms since the epoch: what --max-time allows includes reading and planning. */
  begunAt?: number | undefined;
  /** Exchanges that an earlier part of this run completed. */
  restored?: readonly Exchange[];
  /** Called before the first request. */
  onStart?: (start: StartedRun) => void;
  onExchange?: (exchange: Exchange) => void;
  /** Called for each exchange that is kept; a long exhaustion does not keep all of them. */
  onKept?: (exchange: Exchange) => void;
  onProgress?: (progress: Progress) => void;
  /** Called for a key that takes the place of another one. */
  onNewKey?: (key: string) => void;
  /**
   * Awaited before judging, which blocks the thread while other runs wait for responses.
   * @param received the outcome with its secrets, which the result no longer has
   */
  beforeJudging?: (received: Outcome) => Promise<void>;
  /** Draws int64s, for ids that do not exist and texts that nobody else sends. */
  random?: () => bigint;
}

export interface StartedRun {
  target: TargetAddresses;
  options: RunOptions;
  /** ms since the epoch, by the run's clock. */
  startedAt: number;
  /** The key is too short or too common to be hidden. */
  isKeyShown?: true | undefined;
}

/** Executes a plan against a target, and judges the responses. */
export async function conduct(
  contract: Contract,
  plan: RunPlan,
  options: RunOptions,
  target: RunningTarget,
  surroundings: Surroundings,
): Promise<Conducted> {
  // The clock of the machine may be set during the run.
  const clock = steady(surroundings.clock);
  const startedAt = clock.now();
  const { baseUrl, apiUrl, servers } = target;
  const addresses = { baseUrl, apiUrl, servers };
  const session = sessionOptions(contract, plan, options, target, { ...surroundings, clock });
  const { secrets, onNewKey } = growingSecrets(contract, session);
  const shown = secrets.isKeyShown ? { isKeyShown: true as const } : {};
  surroundings.onStart?.({
    target: addresses,
    // With the seed, so that the ledger is judged by what was sent.
    options: { ...options, seed: plan.seed },
    startedAt,
    ...shown,
  });
  const restored = new Map(surroundings.restored?.map((exchange) => [exchange.id, exchange]));
  const outcomeOf = (execution: Execution): Outcome => {
    const times = { startedAt, finishedAt: clock.now() };
    return { ...withoutQuotes(execution, secrets.redact), target: addresses, ...times, ...shown };
  };
  const judge = (outcome: Outcome) =>
    inTurns(judgingReceived(contract, plan, options, outcome, secrets, restored));
  const judged = async (outcome: Outcome) => {
    await surroundings.beforeJudging?.(outcome);
    return judge(outcome);
  };
  const { confirming, resultOf } = confirmingRun(
    contract,
    plan,
    options,
    session,
    secrets,
    outcomeOf,
    judged,
  );
  const hooks = hiding(secrets, surroundings);
  const execution = await execute(contract, plan.probes, { ...session, ...hooks, onNewKey, confirming });
  const outcome = outcomeOf(execution);
  await surroundings.beforeJudging?.(outcome);
  return resultOf(outcome) ?? judge(outcome);
}

/** The reasons for a stop and for unsent probes may quote the target: its page, or where a redirect leads. */
function withoutQuotes(execution: Execution, redact: RunSecrets['redact']): Execution {
  const { stopped, unsent } = execution;
  return {
    ...execution,
    stopped: stopped && { ...stopped, message: redact(stopped.message) },
    unsent: unsent.map((unsentProbe) => ({ ...unsentProbe, reason: redact(unsentProbe.reason) })),
  };
}

/** The secrets of a run, which grow when a key takes the place of another one. */
function growingSecrets(
  contract: Contract,
  session: SessionOptions,
): { secrets: RunSecrets; onNewKey: (key: string) => void } {
  let current = secretsOfRun(contract, session);
  const keys = [session.apiKey];
  return {
    secrets: {
      hide: (exchange) => current.hide(exchange),
      redact: (text) => current.redact(text),
      isKeyShown: current.isKeyShown,
    },
    onNewKey: (key) => {
      current = secretsOfRun(contract, { ...session, apiKey: key, formerKeys: [...keys] });
      keys.push(key);
      session.onNewKey?.(key);
    },
  };
}

/** Gives the hooks exchanges without secrets. The session itself sees what was received. */
function hiding(
  { hide }: Pick<RunSecrets, 'hide'>,
  { onExchange, onKept, restored }: Surroundings,
): Pick<SessionOptions, 'onExchange' | 'onKept' | 'restored'> {
  return {
    onExchange: onExchange && ((exchange) => onExchange(hide(exchange))),
    onKept: onKept && ((exchange) => onKept(hide(exchange))),
    restored: restored?.map(withStandIns),
  };
}

function sessionOptions(
  contract: Contract,
  plan: RunPlan,
  options: RunOptions,
  target: RunningTarget,
  { begunAt, ...surroundings }: Surroundings,
): SessionOptions {
  const limits = statedLimits(contract.ratePlans, options);
  return {
    ...target,
    ...surroundings,
    apiKeyCommand: options.apiKeyCommand,
    unknownKey: unknownKeyFor(target.apiKey, plan.seed),
    unknownKeys: Object.fromEntries(
      Object.entries(target.keys ?? {}).map(([name, key]) => [name, unknownKeyFor(key, plan.seed)]),
    ),
    timeout: options.timeout,
    maxWait: options.maxWait,
    concurrency: options.concurrency,
    most: plan.cost.most,
    begunAt: options.maxTime === undefined ? undefined : begunAt,
    planned: plan.cost.planned.withKey,
    surplus: plan.surplus,
    further: plan.cost.further,
    afterRecovery:
      plan.cost.afterRecovery > 0
        ? {
            probes: plan.afterRecovery,
            most: plan.cost.afterRecovery,
            mostWrongKeys: plan.cost.wrongKeysAfterRecovery,
          }
        : undefined,
    generate: plan.generate,
    headers: options.headers,
    safeOnly: options.readOnly || (contract.file !== undefined && !options.write),
    writes: !contract.isComplete && options.write,
    traceparent: options.traceparent,
    network: { ...options.network, insecure: options.insecure },
    keyFrom: options.keyFrom,
    exhaust: options.exhaust === 'day' ? 'day' : 'minute',
    isNotable: isNotable(contract, plan),
    setUpProblem: (exchanges) => setUpProblem(exchanges, contract, target.baseUrl),
    // A document may lack a read that could show the service.
    showsService: plan.probes.some(({ isStart }) => isStart)
      ? (exchange) => showsService(exchange, contract)
      : undefined,
    violatedBy: violatedBy(contract, plan, target.baseUrl),
    isolation: plan.cost.exhausts ? MOST_ISOLATION : 0,
    ratePlans: contract.ratePlans,
    random: surroundings.random ?? (() => randomBytes(8).readBigUInt64BE() >> 1n),
    limits,
    categoryId: options.categoryId === undefined ? undefined : BigInt(options.categoryId),
  };
}
