import pLimit from 'p-limit';
import { type Exchange, isSuccess } from '../model/exchange.ts';
import type { Probe } from '../model/probe.ts';
import { sourcesOf } from './learnt-values.ts';
import type { Sender } from './sender.ts';

/** A probe that the limiter refuses this often is given up. */
const MAX_ATTEMPTS = 3;

/** Connections refused in a row after which the service counts as gone. */
const GONE = 2;

/**
 * Sends the probes of one stage, in order; last those that wait for another's success, so that whether they are sent
 * is no matter of who is faster.
 */
export async function runStage(probes: readonly Probe[], sender: Sender, done: () => void): Promise<void> {
  const isLast = ({ onlyIf }: Probe) => onlyIf !== undefined;
  const first = probes.filter((probe) => !isLast(probe));
  await sendUntilLetThrough(first, sender, done);
  await sendUntilLetThrough(probes.filter(isLast), sender, done);
}

/** Never into a limit that can be foreseen; what a limit refused all the same is sent again once the window is open. */
async function sendUntilLetThrough(
  probes: readonly Probe[],
  sender: Sender,
  done: () => void,
): Promise<void> {
  let waiting = [...probes];
  for (let attempt = 1; attempt <= MAX_ATTEMPTS && waiting.length > 0; attempt += 1) {
    const refused = await sendAll(waiting, sender, attempt === 1 ? done : () => {});
    waiting = refused;
  }
  for (const probe of waiting)
    sender.skip(probe, { reason: `refused by the rate limit ${MAX_ATTEMPTS} times` });
}

async function sendAll(probes: readonly Probe[], sender: Sender, done: () => void): Promise<Probe[]> {
  const { concurrency } = sender.options;
  const lanes = pLimit(concurrency);
  const refused: Probe[] = [];
  const underWay = new Set<Promise<unknown>>();
  // One at a time passes the gate, so that requests leave in the plan's order and each sees the pace of the last.
  let gate: Promise<boolean> = Promise.resolve(true);
  await Promise.all(
    probes.map((probe) =>
      lanes(async () => {
        gate = gate.then(() => open(probe, sender, underWay));
        if (!(await gate)) return done();
        const sending = sender.send(probe);
        underWay.add(sending);
        const exchange = await sending;
        underWay.delete(sending);
        if (exchange?.response?.status === 429) refused.push(probe);
        noticeEnd(sender, exchange);
        done();
      }),
    ),
  );
  return refused;
}

/** Waits until the probe may go. False where it is not to be sent; then the reason is noted. */
async function open(probe: Probe, sender: Sender, underWay: ReadonlySet<Promise<unknown>>): Promise<boolean> {
  const { pace, options } = sender;
  if (!isDue(probe, sender)) return false;
  while (underWay.size > 0 && sender.isUndecided(probe)) await Promise.race(underWay);
  const now = () => options.clock.now();
  const way = { operation: probe.operation, address: sender.addressOf(probe) };
  if (probe.key !== 'valid') {
    // A service may count these as well.
    while (underWay.size > 0 && pace.narrow(way, options.concurrency, now())) await Promise.race(underWay);
    const ms = pace.closedFor(now());
    return ms <= 0 || isWaited(probe, sender, ms, 'the limit was exceeded; no key is sent meanwhile');
  }
  while (underWay.size > 0 && pace.narrow(way, options.concurrency, now())) await Promise.race(underWay);
  const { ms, why } = pace.wait(way, now());
  if (ms <= 0 || sender.stopped()) return true;
  while (underWay.size > 0) await Promise.race(underWay);
  const left = pace.wait(way, now());
  return left.ms <= 0 || isWaited(probe, sender, left.ms, left.why || why);
}

/** Waits before a probe. False where that would be too long; then the reason is noted. */
async function isWaited(probe: Probe, sender: Sender, ms: number, why: string): Promise<boolean> {
  const unwaited = await sender.waitFor(ms, why);
  if (unwaited === undefined) return true;
  sender.skip(probe, { reason: unwaited });
  return false;
}

/** Whether what a probe depends on came about. */
function isDue(probe: Probe, sender: Sender): boolean {
  const succeeded = (id: string) => sender.exchanges.some((each) => each.probe === id && isSuccess(each));
  const { onlyIf } = probe;
  if (onlyIf && !succeeded(onlyIf.succeeded)) return false;
  const sources = sourcesOf(probe);
  const [cause] = sources;
  if (cause === undefined || sources.some(succeeded)) return true;
  sender.skip(probe, { reason: 'what it was to read was not created', cause });
  return false;
}

/** A service that nothing answers for any more is gone: that is no fault of an operation. */
function noticeEnd(sender: Sender, exchange: Exchange | undefined): void {
  if (exchange?.failure?.kind !== 'refused' && exchange?.failure?.kind !== 'unreachable') return;
  const last = sender.exchanges.slice(-GONE);
  if (last.length === GONE && last.every((each) => each.failure?.kind === exchange.failure?.kind)) {
    sender.stop({ kind: 'gone', message: `${whoIsGone(sender, exchange)}: ${exchange.failure.message}` });
  }
}

/** An address that never answered was probably stated wrongly: it is named, as there are two. */
function whoIsGone({ exchanges }: Sender, { address, url }: Exchange): string {
  const hasAnswered = exchanges.some((each) => each.address === address && each.response);
  if (hasAnswered) return 'the service is gone';
  const { origin } = new URL(url);
  return `${origin}${address === 'apiUrl' ? ' (--api-url)' : ''} cannot be reached`;
}
