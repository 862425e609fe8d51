import type { Contract } from '../model/contract.ts';
import { isSuccess } from '../model/exchange.ts';
import { PHASES, type Probe, type Stage } from '../model/probe.ts';
import { type Chain, chainsOf } from '../probes/chains.ts';
import { sendFurther } from './further.ts';
import { type Exhaustion, exhaustDay } from './limiter/exhaust/exhaust-day.ts';
import { exhaustMinute } from './limiter/exhaust/exhaust-minute.ts';
import { fallsOn, lastOf } from './limiter/limited-operation.ts';
import { recover } from './limiter/recover.ts';
import { waitForWholePlan } from './limiter/window-room.ts';
import { runPhase } from './phase.ts';
import { Sender } from './sender.ts';
import { TakingApart } from './taking-apart.ts';
import type { Execution, SessionOptions } from './types.ts';
import { cleanUp } from './writing/clean-up.ts';

/** Executes a run plan: the only place from which petspec sends anything. */
export async function execute(
  contract: Contract,
  plan: readonly Probe[],
  options: SessionOptions,
): Promise<Execution> {
  const sender = new Sender(contract, options);
  const apart = new TakingApart(sender, plan);
  let exhausted: Exhaustion | undefined;
  try {
    exhausted = await sendPlan(contract, plan, sender, apart);
  } finally {
    await cleanUp(plan, sender);
    await sender.close();
  }
  sender.end.stopIfInterrupted();
  const { exchanges, unsent, limits } = sender;
  const taken = [...apart.taken, ...sender.shrinking.taken];
  const { stopped } = sender.end;
  return {
    exchanges,
    unsent,
    referencesKnown: sender.values.areReferencesKnown(),
    ...(taken.length > 0 ? { takenApart: taken } : {}),
    ...(exhausted?.used ? { used: exhausted.used } : {}),
    ...(stopped ? { stopped } : {}),
    ...(limits ? { limits } : {}),
  };
}

/** Sends a plan phase by phase. Returns what was exhausted. */
async function sendPlan(
  contract: Contract,
  plan: readonly Probe[],
  sender: Sender,
  apart: TakingApart,
): Promise<Exhaustion | undefined> {
  let done = 0;
  let exhausted: Exhaustion | undefined;
  const total = plan.filter(
    ({ stage, cleansUp }) => stage !== 'exhaust' && stage !== 'recover' && cleansUp === undefined,
  ).length;
  const all = chainsOf(plan);
  for (const stages of PHASES as readonly (readonly [Stage, ...Stage[]])[]) {
    const [stage] = stages;
    const sent = new Set(sender.exchanges.map(({ probe }) => probe));
    const isOfPhase = ([first]: Chain) => first !== undefined && stages.includes(first.stage);
    const isDue = ({ id, cleansUp }: Probe) => cleansUp === undefined && !sent.has(id);
    const chains = all.filter(isOfPhase).map((chain) => chain.filter(isDue));
    const probes = chains.flat();
    const tell = () => sender.end.tell({ kind: 'sent', done, total, stage });
    const onSent = () => {
      done += 1;
      tell();
    };
    const { stopped } = sender.end;
    const isTold = !stopped && probes.length > 0 && stage !== 'exhaust' && stage !== 'recover';
    if (isTold) tell();
    if (stopped) sender.skipAll(probes, { kind: 'run-stopped', reason: stopped.message });
    else if (stage === 'exhaust') exhausted = await exhaust(probes, sender);
    else if (stage === 'recover') await recoverFrom(exhausted, probes, sender);
    else await runPhase(chains, sender, apart, onSent);
    if (stage === 'remove') await cleanUp(plan, sender);
    if (stage === 'first') await afterFirst(sender, plan, contract);
  }
  if (!sender.end.stopped) await sendFurther(sender, apart, unrefused(plan, sender));
  return exhausted;
}

/** The reads that use up the limit, of operations that it covers and that were not refused, if another one was. */
function unrefused(plan: readonly Probe[], sender: Sender): Probe[] {
  const refused = sender.exchanges.filter(({ response, key }) => response?.status === 429 && key === 'valid');
  const isCovered = (operation: string) => {
    const last = lastOf(sender, operation);
    return last !== undefined && isSuccess(last) && fallsOn(sender, operation);
  };
  return plan.filter(
    ({ stage, operation }) =>
      stage === 'exhaust' &&
      refused.length > 0 &&
      !refused.some((each) => each.operation === operation) &&
      isCovered(operation),
  );
}

async function exhaust(probes: readonly Probe[], sender: Sender): Promise<Exhaustion | undefined> {
  if (probes.length === 0) return undefined;
  if (sender.options.exhaust === 'day') return exhaustDay(probes, sender);
  const probe = await exhaustMinute(probes, sender);
  return probe && { probe };
}

/** Decides by the first response whether there is a service, whether it accepts the key, and whether the window is long enough. */
async function afterFirst(sender: Sender, plan: readonly Probe[], { file }: Contract): Promise<void> {
  const first = sender.exchanges.at(-1);
  if (!first) return;
  // The part of the run before this one decided, but the window is another one now.
  if (first.stage !== 'first') return waitForWholePlan(sender, plan, first);
  const { failure } = first;
  if (failure?.kind === 'refused' || failure?.kind === 'unreachable' || failure?.kind === 'tls')
    sender.end.stop({
      kind: 'unreachable',
      message: `the base address cannot be reached: ${failure.message}`,
    });
  // A document of the user's does not say that one key is for all operations.
  else if (first.response?.status === 401 && file === undefined) await tryKeyElsewhere(sender, plan);
  else await waitForWholePlan(sender, plan, first);
}

/** Stages in which other operations are tried after the first one refuses the key. */
const OTHER_STAGES: readonly Stage[] = ['create', 'other'];

/** Ends the run if every operation refuses the key: that is the user's to fix. If one accepts it, the service is wrong. */
async function tryKeyElsewhere(sender: Sender, plan: readonly Probe[]): Promise<void> {
  for (const stage of OTHER_STAGES) {
    const probe = plan.find((each) => each.key === 'valid' && each.stage === stage);
    const exchange = probe && (await sender.send(probe));
    if (exchange && exchange.response?.status !== 401) return;
  }
  const { keyFrom = 'it' } = sender.options;
  sender.end.stop({
    kind: 'key-refused',
    message: `the key is refused by every operation: check ${keyFrom}, and that it belongs to this address`,
  });
}

/** Sends the recovery of the operation whose limit was used up. */
async function recoverFrom(
  exhausted: Exhaustion | undefined,
  probes: readonly Probe[],
  sender: Sender,
): Promise<void> {
  const probe = probes.find(({ operation }) => operation === exhausted?.probe.operation);
  if (probe) return recover(probe, sender);
  sender.skipAll(probes, { kind: 'not-recoverable', reason: 'the limit was not used up' });
}
