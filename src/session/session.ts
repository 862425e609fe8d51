import type { Contract } from '../model/contract.ts';
import { type Exchange, isSuccess } from '../model/exchange.ts';
import type { NoRoom } from '../model/limits/request-counts.ts';
import { namedStage, PHASES, type Probe, phaseOf, type Stage } from '../model/probe.ts';
import { type Chain, chainsOf } from '../probes/chains.ts';
import { confirm } from './again/confirm.ts';
import { TakingApart } from './again/taking-apart.ts';
import { sendFurther } from './further.ts';
import { type Exhaustion, exhaustDay } from './limiter/exhaust/exhaust-day.ts';
import { exhaustMinute } from './limiter/exhaust/exhaust-minute.ts';
import { leavesOf, recover } from './limiter/recovery.ts';
import { mostTogether } from './limiter/room/burst-size.ts';
import { fallsOn, lastOf } from './limiter/room/limited-operation.ts';
import { openParts, type Parts } from './parts/parts.ts';
import { runBursts, runPhase } from './phase.ts';
import { start } from './start.ts';
import type { Execution, SessionOptions } from './terms/types.ts';

/** Executes a run plan: the only place from which petspec sends anything. */
export async function execute(
  contract: Contract,
  plan: readonly Probe[],
  options: SessionOptions,
): Promise<Execution> {
  const parts = openParts(contract, options);
  const { end, learnt, transports } = parts;
  const apart = new TakingApart(parts, plan);
  let sent: SendingResult = {};
  let unconfirmed: Execution['unconfirmed'];
  let isWhole = false;
  try {
    sent = await sendPlan(contract, plan, parts, apart);
    end.stopIfInterrupted();
    isWhole = !end.stopped;
    unconfirmed = await confirm(executionOf(parts, apart, sent), parts, sent.leaves);
  } finally {
    await cleanUp(plan, parts);
    learnt.close();
    await transports.close();
  }
  // A run that is interrupted while it confirms findings has its whole result.
  if (!isWhole) end.stopIfInterrupted();
  return { ...executionOf(parts, apart, sent), unconfirmed };
}

/** The result of sending a plan. */
interface SendingResult {
  exhausted?: Exhaustion | undefined;
  noRoom?: NoRoom | undefined;
  /** Requests of the window after the recovery that the run leaves for others, if it used that window. */
  leaves?: number | undefined;
}

/** The result of the session so far. */
function executionOf(
  { learnt, unsent, end, shrinking }: Parts,
  apart: TakingApart,
  { exhausted, noRoom }: SendingResult,
): Execution {
  const { exchanges, limits } = learnt;
  const taken = [...apart.taken, ...shrinking.taken];
  const { stopped } = end;
  return {
    exchanges: [...exchanges],
    unsent: [...unsent.all],
    referencesKnown: learnt.values.areReferencesKnown(),
    takenApart: taken.length > 0 ? taken : undefined,
    used: exhausted?.used,
    stopped,
    limits,
    noRoom,
  };
}

/** Sends a plan phase by phase, and then further requests if there is room. */
async function sendPlan(
  contract: Contract,
  plan: readonly Probe[],
  parts: Parts,
  apart: TakingApart,
): Promise<SendingResult> {
  const { learnt, end, unsent } = parts;
  let done = 0;
  let exhausted: Exhaustion | undefined;
  const total = plan.filter(
    ({ stage, cleansUp }) => stage !== 'exhaust' && stage !== 'recover' && cleansUp === undefined,
  ).length;
  const allChains = chainsOf(plan);
  for (const [phase, stages] of (PHASES as readonly (readonly [Stage, ...Stage[]])[]).entries()) {
    const [stage] = stages;
    const sent = new Set(learnt.exchanges.map(({ probe }) => probe));
    const isOfPhase = ([first]: Chain) => first !== undefined && phaseOf(first) === phase;
    const isDue = ({ id, cleansUp }: Probe) => cleansUp === undefined && !sent.has(id);
    const chains = allChains.filter(isOfPhase).map((chain) => chain.filter(isDue));
    const probes = chains.flat();
    const named = namedStage(stage, contract.operations);
    const tell = () => end.tell({ kind: 'sent', done, total, stage: named });
    const onSent = () => {
      done += 1;
      tell();
    };
    const { stopped } = end;
    const hasProgress = !stopped && probes.length > 0 && stage !== 'exhaust' && stage !== 'recover';
    if (hasProgress) tell();
    if (stopped) unsent.skipAll(probes, { kind: 'run-stopped', reason: stopped.message });
    else if (stage === 'exhaust') exhausted = await exhaust(probes, parts);
    else if (stage === 'recover') await recoverFrom(exhausted, probes, parts);
    else if (stage === 'remove')
      await removeInTurn(allChains.filter(isOfPhase), parts, (chain) =>
        runPhase([chain.filter(isDue)], parts, apart, onSent),
      );
    else if (stage === 'first')
      await start(chains, plan, contract, parts, (chain) => runPhase([chain], parts, apart, onSent));
    else if (stage === 'beside') await runBursts(probes, parts, apart, onSent);
    else await runPhase(chains, parts, apart, onSent, () => widthOf(plan, parts));
  }
  const before = learnt.exchanges.length;
  const noRoom = end.stopped
    ? undefined
    : await sendFurther(parts, apart, unrefused(plan, learnt.exchanges), exhausted?.probe);
  const isUsed = parts.options.afterRecovery !== undefined && learnt.exchanges.length > before;
  return { exhausted, noRoom, leaves: isUsed ? leavesOf(parts) : undefined };
}

/** The most independent requests that go out together while no limit is used up. */
const MOST_APART = 4;

/**
 * How many chains proceed together: one, unless the run uses up no limit and no response counts requests, or responses are so
 * slow that one at a time would not end in time.
 */
function widthOf(plan: readonly Probe[], { learnt, options }: Pick<Parts, 'learnt' | 'options'>): number {
  const isLimited = learnt.isCounted || plan.some(({ stage }) => stage === 'exhaust');
  const [first] = learnt.exchanges;
  const latency = first ? first.receivedAt - first.sentAt : 0;
  const isSlow = latency * plan.length > options.most.seconds * 1000;
  // Near the maximum of creations, whether another one is allowed depends on the results of those in flight.
  if ((isLimited && !isSlow) || learnt.creations.left <= MOST_APART) return 1;
  const most = mostTogether({ learnt, options });
  // If one at a time takes too long, two requests show whether the service serves them side by side.
  const wasTooLarge = learnt.exchanges.some(({ burst, response }) => burst && !response);
  return Math.min(MOST_APART, options.concurrency, isSlow && !wasTooLarge ? Math.max(2, most) : most);
}

/** If an operation was refused: the exhausting reads of other operations that the limit covers and that were not refused. */
function unrefused(plan: readonly Probe[], exchanges: readonly Exchange[]): Probe[] {
  const refused = exchanges.filter(({ response, key }) => response?.status === 429 && key === 'valid');
  const isCovered = (operation: string) => {
    const last = lastOf(exchanges, operation);
    return last !== undefined && isSuccess(last) && fallsOn(exchanges, operation);
  };
  return plan.filter(
    ({ stage, operation }) =>
      stage === 'exhaust' &&
      refused.length > 0 &&
      !refused.some((exchange) => exchange.operation === operation) &&
      isCovered(operation),
  );
}

async function exhaust(probes: readonly Probe[], parts: Parts): Promise<Exhaustion | undefined> {
  if (probes.length === 0) return undefined;
  if (parts.options.exhaust === 'day') return exhaustDay(probes, parts);
  const probe = await exhaustMinute(probes, parts);
  return probe && { probe };
}

/** Sends the recovery probe of the operation whose limit was used up. */
async function recoverFrom(
  exhausted: Exhaustion | undefined,
  probes: readonly Probe[],
  parts: Parts,
): Promise<void> {
  const probe = probes.find(({ operation }) => operation === exhausted?.probe.operation);
  if (probe) return recover(probe, parts);
  parts.unsent.skipAll(probes, { kind: 'not-recoverable', reason: 'the limit was not used up' });
}

/** Timeout (ms) of requests that remove what the run created after its end. */
const LAST_TIMEOUT = 5_000;

/**
 * Removes what the run created, in the order of the plan. A service may refuse to remove a resource that has parts, so the parts
 * that nothing else removes come first.
 */
export async function removeInTurn(
  chains: readonly Chain[],
  parts: Pick<Parts, 'learnt' | 'end' | 'sender'>,
  send: (chain: Chain) => Promise<void>,
): Promise<void> {
  for (const chain of chains)
    if (chain.some(({ cleansUp }) => cleansUp !== undefined)) await cleanUp(chain, parts);
    else await send(chain);
}

/** Removes what the run created and did not remove. Also called at the end, so that an interrupted run leaves nothing behind. */
export async function cleanUp(
  plan: readonly Probe[],
  { learnt, end, sender }: Pick<Parts, 'learnt' | 'end' | 'sender'>,
): Promise<void> {
  for (const probe of plan) {
    if (probe.cleansUp === undefined || !learnt.created.isLeft(probe.cleansUp)) continue;
    if (end.reason === undefined) await sender.send(probe);
    else await sender.sendAfterEnd(probe, LAST_TIMEOUT);
  }
}
