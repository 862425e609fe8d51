import type { Contract } from '../model/contract.ts';
import { type Exchange, isSuccess } from '../model/exchange.ts';
import { namedStage, PHASES, type Probe, phaseOf, type Stage } from '../model/probe.ts';
import type { NoRoom } from '../model/request-counts.ts';
import { type Chain, chainsOf } from '../probes/chains.ts';
import { confirm } from './again/confirm.ts';
import { TakingApart } from './again/taking-apart.ts';
import { cleanUp, removeInTurn } from './clean-up.ts';
import { sendFurther } from './further.ts';
import { type Exhaustion, exhaustDay } from './limiter/exhaust/exhaust-day.ts';
import { exhaustMinute } from './limiter/exhaust/exhaust-minute.ts';
import { fallsOn, lastOf } from './limiter/limited-operation.ts';
import { leavesOf } from './limiter/next-window.ts';
import { recover } from './limiter/recover.ts';
import { mostTogether } from './limiter/together.ts';
import { openParts, type Parts } from './parts/parts.ts';
import { runBursts, runPhase } from './phase.ts';
import { start } from './start/start.ts';
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
  // Who interrupts a run that only looks at its findings again has its whole result.
  if (!isWhole) end.stopIfInterrupted();
  return { ...executionOf(parts, apart, sent), unconfirmed };
}

/** What sending a plan led to. */
interface SendingResult {
  exhausted?: Exhaustion | undefined;
  noRoom?: NoRoom | undefined;
  /** Requests of the window after the recovery that the run leaves to others, if it used that window. */
  leaves?: number | undefined;
}

/** What was sent so far, and what became of it. */
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

/** Sends a plan phase by phase, and what there is room for afterwards. */
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
  const all = chainsOf(plan);
  for (const [phase, stages] of (PHASES as readonly (readonly [Stage, ...Stage[]])[]).entries()) {
    const [stage] = stages;
    const sent = new Set(learnt.exchanges.map(({ probe }) => probe));
    const isOfPhase = ([first]: Chain) => first !== undefined && phaseOf(first) === phase;
    const isDue = ({ id, cleansUp }: Probe) => cleansUp === undefined && !sent.has(id);
    const chains = all.filter(isOfPhase).map((chain) => chain.filter(isDue));
    const probes = chains.flat();
    const named = namedStage(stage, contract.operations);
    const tell = () => end.tell({ kind: 'sent', done, total, stage: named });
    const onSent = () => {
      done += 1;
      tell();
    };
    const { stopped } = end;
    const isTold = !stopped && probes.length > 0 && stage !== 'exhaust' && stage !== 'recover';
    if (isTold) tell();
    if (stopped) unsent.skipAll(probes, { kind: 'run-stopped', reason: stopped.message });
    else if (stage === 'exhaust') exhausted = await exhaust(probes, parts);
    else if (stage === 'recover') await recoverFrom(exhausted, probes, parts);
    else if (stage === 'remove')
      await removeInTurn(all.filter(isOfPhase), parts, (chain) =>
        runPhase([chain.filter(isDue)], parts, apart, onSent),
      );
    else if (stage === 'first')
      await start(chains, plan, contract, parts, (each) => runPhase([each], parts, apart, onSent));
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

/** So many independent requests go out together where no limit is used up. */
const MOST_APART = 4;

/**
 * How many chains go on together: one, unless the run uses up no limit and no response counts its requests, or the responses take
 * so long that one at a time would not end in time.
 */
function widthOf(plan: readonly Probe[], { learnt, options }: Pick<Parts, 'learnt' | 'options'>): number {
  const isLimited = learnt.isCounted || plan.some(({ stage }) => stage === 'exhaust');
  const [first] = learnt.exchanges;
  const latency = first ? first.receivedAt - first.sentAt : 0;
  const isSlow = latency * plan.length > options.most.seconds * 1000;
  // Whether the last things may be created is known only once the others are, or are not.
  if ((isLimited && !isSlow) || learnt.creations.left <= MOST_APART) return 1;
  const most = mostTogether({ learnt, options });
  // Where one at a time takes too long, two show whether the service serves them side by side.
  const wasTooLarge = learnt.exchanges.some(({ burst, response }) => burst && !response);
  return Math.min(MOST_APART, options.concurrency, isSlow && !wasTooLarge ? Math.max(2, most) : most);
}

/** The reads that use up the limit, of operations that it covers and that were not refused, if another one was. */
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
      !refused.some((each) => each.operation === operation) &&
      isCovered(operation),
  );
}

async function exhaust(probes: readonly Probe[], parts: Parts): Promise<Exhaustion | undefined> {
  if (probes.length === 0) return undefined;
  if (parts.options.exhaust === 'day') return exhaustDay(probes, parts);
  const probe = await exhaustMinute(probes, parts);
  return probe && { probe };
}

/** Sends the recovery of the operation whose limit was used up. */
async function recoverFrom(
  exhausted: Exhaustion | undefined,
  probes: readonly Probe[],
  parts: Parts,
): Promise<void> {
  const probe = probes.find(({ operation }) => operation === exhausted?.probe.operation);
  if (probe) return recover(probe, parts);
  parts.unsent.skipAll(probes, { kind: 'not-recoverable', reason: 'the limit was not used up' });
}
