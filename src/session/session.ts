import type { Contract } from '../contract/types.ts';
import { type Probe, STAGES } from '../probes/types.ts';
import { exhaust, recover } from './exhaust.ts';
import { MINUTE, secondsToReset } from './plan-limits.ts';
import { openSender, type Sender } from './sender.ts';
import { runStage } from './stage.ts';
import type { Execution, SessionOptions } from './types.ts';

/** Seconds that a window must still have for the requests before the exhaustion, at the least. */
const ROOM = 2;

/** Executes a plan: the only place from which petspec sends anything. */
export async function execute(
  contract: Contract,
  plan: readonly Probe[],
  options: SessionOptions,
): Promise<Execution> {
  const sender = openSender(contract, options);
  let sent = 0;
  try {
    for (const stage of STAGES) {
      const isSent = (probe: Probe) => sender.exchanges.some((each) => each.probe === probe.id);
      const probes = plan.filter((each) => each.stage === stage && !isSent(each));
      const done = () => {
        sent += 1;
        options.onProgress?.({ kind: 'sent', done: sent, total: plan.length, stage });
      };
      if (sender.stopped()) for (const probe of probes) sender.skip(probe, sender.stopped()?.message ?? '');
      else if (stage === 'exhaust') for (const probe of probes) await exhaust(probe, sender, done);
      else if (stage === 'recover') for (const probe of probes) await recover(probe, sender);
      else await runStage(probes, sender, done);
      if (stage === 'first') await afterFirst(sender, plan);
    }
  } finally {
    await sender.transport.close();
  }
  if (options.signal?.aborted) sender.stop({ kind: 'interrupted', message: 'the run was interrupted' });
  const stopped = sender.stopped();
  const limits = sender.limits();
  return {
    exchanges: sender.exchanges,
    unsent: sender.unsent,
    referencesKnown: sender.facts.learnt(),
    ...(stopped ? { stopped } : {}),
    ...(limits ? { limits } : {}),
  };
}

/** The first answer tells whether there is a service, whether it takes the key, and how much of a window is left. */
async function afterFirst(sender: Sender, plan: readonly Probe[]): Promise<void> {
  const first = sender.exchanges[0];
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
  await roomForPlan(sender, plan, first.receivedAt - first.sentAt);
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
    message:
      'the key is refused by every operation: check PETSPEC_API_KEY, and that it belongs to this address',
  });
}

/** Waits for the next window where this one has too little left, so that the requests of a run fall into one. */
async function roomForPlan(sender: Sender, plan: readonly Probe[], latency: number): Promise<void> {
  const { pace, options, exchanges } = sender;
  const first = exchanges[0];
  const away = first && secondsToReset(first);
  if (!first || away === undefined || away > MINUTE + ROOM) return;
  const functional = plan.filter(
    (each) => each.key === 'valid' && each.stage !== 'exhaust' && each.stage !== 'recover',
  ).length;
  const needed = Math.max(ROOM, (2 * functional * latency) / 1000 / options.concurrency);
  const left = pace.remaining(first.operation, options.clock.now());
  const limit = first.rate.limit ?? 0;
  const isSmall = left !== undefined && left < functional && limit > functional;
  if (away < needed || isSmall)
    await sender.waitFor((away + 1) * 1000, 'the window has too little left; it resets');
}
