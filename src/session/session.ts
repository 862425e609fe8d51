import type { Contract } from '../model/contract.ts';
import type { Exchange } from '../model/exchange.ts';
import { type Probe, STAGES } from '../model/probe.ts';
import { secondsLeft } from '../model/rate-plan.ts';
import { exhaust } from './limiter/exhaust.ts';
import { type Exhaustion, exhaustDay } from './limiter/exhaust-day.ts';
import { recover } from './limiter/recover.ts';
import { openSender, type Sender } from './sender.ts';
import { runStage } from './stage.ts';
import type { Execution, SessionOptions } from './types.ts';

/** Seconds that a window must still have for the requests before the exhaustion, at the least. */
const ROOM = 3;

/** Executes a plan: the only place from which petspec sends anything. */
export async function execute(
  contract: Contract,
  plan: readonly Probe[],
  options: SessionOptions,
): Promise<Execution> {
  const sender = openSender(contract, options);
  let sent = 0;
  let exhausted: Exhaustion | undefined;
  try {
    for (const stage of STAGES) {
      const isSent = (probe: Probe) => sender.exchanges.some((each) => each.probe === probe.id);
      const probes = plan.filter((each) => each.stage === stage && !isSent(each));
      const done = () => {
        sent += 1;
        sender.tell({ kind: 'sent', done: sent, total: plan.length, stage });
      };
      if (sender.stopped())
        for (const probe of probes) sender.skip(probe, { reason: sender.stopped()?.message ?? '' });
      else if (stage === 'exhaust')
        exhausted = probes.length > 0 ? await useUp(probes, sender, done) : undefined;
      else if (stage === 'recover') await recoverFrom(exhausted, probes, sender);
      else await runStage(probes, sender, done);
      if (stage === 'first') await afterFirst(sender, plan);
    }
  } finally {
    sender.end();
    await sender.transport.close();
  }
  if (options.signal?.aborted) sender.stop({ kind: 'interrupted', message: 'the run was interrupted' });
  const stopped = sender.stopped();
  const limits = sender.limits();
  return {
    exchanges: sender.exchanges,
    unsent: sender.unsent,
    referencesKnown: sender.facts.learnt(),
    ...(exhausted?.used ? { used: exhausted.used } : {}),
    ...(stopped ? { stopped } : {}),
    ...(limits ? { limits } : {}),
  };
}

async function useUp(
  probes: readonly Probe[],
  sender: Sender,
  done: () => void,
): Promise<Exhaustion | undefined> {
  if (sender.options.exhaust === 'day') return exhaustDay(probes, sender, done);
  const probe = await exhaust(probes, sender, done);
  return probe && { probe };
}

/** The first answer tells whether there is a service, whether it takes the key, and how much of a window is left. */
async function afterFirst(sender: Sender, plan: readonly Probe[]): Promise<void> {
  const first = sender.exchanges.at(-1);
  if (!first) return;
  const kind = first.failure?.kind;
  if (kind === 'refused' || kind === 'unreachable' || kind === 'tls') {
    sender.stop({
      kind: 'unreachable',
      message: `${new URL(first.url).origin} cannot be reached: ${first.failure?.message}`,
    });
    return;
  }
  if (first.response?.status === 401) return refusedKey(sender, plan);
  await roomForPlan(sender, plan, first);
}

/** A key that one operation refuses is that operation's fault; one that all refuse is the user's to mend. */
async function refusedKey(sender: Sender, plan: readonly Probe[]): Promise<void> {
  const others = plan.filter(
    (each) => each.key === 'valid' && (each.stage === 'create' || each.stage === 'other'),
  );
  for (const stage of ['create', 'other'] as const) {
    const probe = others.find((each) => each.stage === stage);
    const exchange = probe && (await sender.send(probe));
    if (exchange && exchange.response?.status !== 401) return;
  }
  sender.stop({
    kind: 'key-refused',
    message: `the key is refused by every operation: check ${sender.options.keyFrom ?? 'it'}, and that it belongs to this address`,
  });
}

/** The operation whose limit was used up is the one that has to recover. */
async function recoverFrom(
  exhausted: Exhaustion | undefined,
  probes: readonly Probe[],
  sender: Sender,
): Promise<void> {
  const probe = probes.find(({ operation }) => operation === exhausted?.probe.operation);
  if (probe) return recover(probe, sender);
  for (const each of probes) sender.skip(each, { reason: 'the limit was not used up' });
}

/** Waits for the next window where this one has too little left, so that the requests of a run fall into one. */
async function roomForPlan(sender: Sender, plan: readonly Probe[], first: Exchange): Promise<void> {
  const { pace, options } = sender;
  const away = secondsLeft(first);
  if (away === undefined) return;
  const functional = plan.filter(
    (each) => each.key === 'valid' && each.stage !== 'exhaust' && each.stage !== 'recover',
  ).length;
  const latency = first.receivedAt - first.sentAt;
  const needed = Math.max(ROOM, (2 * functional * latency) / 1000 / options.concurrency);
  const left = pace.remaining({ operation: first.operation, address: first.address }, options.clock.now());
  const isUsed = left !== undefined && left < functional && (first.rate.limit ?? 0) > functional;
  const ms = (away + 1) * 1000;
  if ((away < needed || isUsed) && ms < sender.timeLeft())
    await sender.waitFor(ms, 'the window has too little left; it resets');
}
