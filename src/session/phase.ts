import pLimit from 'p-limit';
import { type Exchange, isSuccess } from '../model/exchange.ts';
import { type Probe, sourcesOf } from '../model/probe.ts';
import type { Chain } from '../probes/chains.ts';
import { destinationOf, type Parts } from './parts.ts';
import type { TakingApart } from './taking-apart.ts';

/** What it takes to send the probes of a phase. */
type Needed = Pick<
  Parts,
  'options' | 'clock' | 'operations' | 'learnt' | 'pace' | 'end' | 'unsent' | 'transports'
>;

/** A probe that the limiter refuses this often is skipped. */
const MAX_ATTEMPTS = 3;

/** So many refused connections in a row show that the service is gone. */
const MAX_REFUSED_CONNECTIONS = 2;

/**
 * Sends the chains of a phase in order. Probes that are sent only after another's success come last, so that the order
 * of responses does not decide whether they are sent.
 */
export async function runPhase(
  chains: readonly Chain[],
  parts: Needed,
  apart: TakingApart,
  onSent: () => void,
): Promise<void> {
  const isConditional = (chain: Chain) => chain.some(({ onlyIf }) => onlyIf !== undefined);
  const first = chains.filter((chain) => !isConditional(chain));
  await sendUntilLetThrough(first, parts, apart, onSent);
  await sendUntilLetThrough(chains.filter(isConditional), parts, apart, onSent);
}

/** Sends again what the limiter refused, once its window is open. */
async function sendUntilLetThrough(
  chains: readonly Chain[],
  parts: Needed,
  apart: TakingApart,
  onSent: () => void,
): Promise<void> {
  let waiting = chains;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS && waiting.length > 0; attempt += 1) {
    const refused = await sendAll(waiting, parts, apart, attempt === 1 ? onSent : () => {});
    waiting = refused.map((probe) => [probe]);
  }
  parts.unsent.skipAll(waiting.flat(), {
    kind: 'refused-by-limit',
    reason: `the rate limit refused it ${MAX_ATTEMPTS} times`,
  });
}

/** Sends each probe once, several chains at a time. Returns the probes that the limiter refused. */
async function sendAll(
  chains: readonly Chain[],
  parts: Needed,
  apart: TakingApart,
  onSent: () => void,
): Promise<Probe[]> {
  const limited = pLimit(parts.options.concurrency);
  const refused: Probe[] = [];
  const inFlight = new Set<Promise<unknown>>();
  // One probe waits at a time, so that requests leave in the order of the plan and each sees the pace of the last.
  let turn: Promise<boolean> = Promise.resolve(true);
  const sendOne = async (probe: Probe, chain: Chain) => {
    turn = turn.then(async () => {
      await apart.settled;
      return waitForTurn(probe, parts, inFlight);
    });
    if (!(await turn)) return;
    const sending = apart.send(probe, chain);
    inFlight.add(sending);
    const exchange = await sending;
    inFlight.delete(sending);
    if (exchange?.response?.status === 429) refused.push(probe);
    if (exchange) stopIfGone(parts, exchange);
  };
  const sendChain = async (chain: Chain) => {
    for (const probe of chain) {
      await sendOne(probe, chain);
      onSent();
    }
    parts.transports.usual.release(chain);
  };
  await Promise.all(chains.map((chain) => limited(() => sendChain(chain))));
  return refused;
}

/** Waits until a probe may be sent. False if it is not sent; a skipped one is noted with the reason. */
async function waitForTurn(
  probe: Probe,
  parts: Needed,
  inFlight: ReadonlySet<Promise<unknown>>,
): Promise<boolean> {
  const { pace, options, clock, end, learnt } = parts;
  if (!isDue(probe, parts)) return false;
  // The requests in flight decide whether it may create a record.
  while (inFlight.size > 0 && probe.creates && learnt.creations.isUndecided) await Promise.race(inFlight);
  const now = () => clock.now();
  const to = destinationOf(probe, parts);
  // A service may count requests with wrong keys as well.
  while (inFlight.size > 0 && pace.mustReduceConcurrency(to, options.concurrency, now()))
    await Promise.race(inFlight);
  if (probe.key !== 'valid')
    return waitBefore(
      probe,
      parts,
      pace.closedFor(now()),
      'the limit was exceeded; petspec sends no key meanwhile',
    );
  const { ms, why } = pace.wait(to, now());
  if (ms <= 0 || end.stopped) return true;
  while (inFlight.size > 0) await Promise.race(inFlight);
  const left = pace.wait(to, now());
  return waitBefore(probe, parts, left.ms, left.why || why);
}

/** Waits before a probe. False if that would take too long; the probe is skipped then. */
async function waitBefore(
  probe: Probe,
  { end, unsent }: Pick<Parts, 'end' | 'unsent'>,
  ms: number,
  why: string,
): Promise<boolean> {
  const unwaited = ms <= 0 ? undefined : await end.waitFor(ms, why);
  if (unwaited === undefined) return true;
  unsent.skip(probe, unwaited);
  return false;
}

/** Whether the requests that a probe depends on succeeded. */
function isDue(probe: Probe, { learnt, unsent }: Pick<Parts, 'learnt' | 'unsent'>): boolean {
  const succeeded = (id: string) => learnt.of(id).some(isSuccess);
  const { onlyIf } = probe;
  if (onlyIf && !succeeded(onlyIf.succeeded)) return false;
  const sources = sourcesOf(probe);
  const [cause] = sources;
  if (cause === undefined || sources.some(succeeded)) return true;
  unsent.skip(probe, {
    kind: 'source-failed',
    reason: 'what this request is for was not created',
    cause,
  });
  return false;
}

/** Ends the run if nothing listens any more: no operation is to blame for that. */
function stopIfGone({ learnt, end }: Pick<Parts, 'learnt' | 'end'>, exchange: Exchange): void {
  const { exchanges } = learnt;
  const { failure } = exchange;
  if (failure?.kind !== 'refused' && failure?.kind !== 'unreachable') return;
  const last = exchanges.slice(-MAX_REFUSED_CONNECTIONS);
  if (last.length < MAX_REFUSED_CONNECTIONS || last.some((each) => each.failure?.kind !== failure.kind))
    return;
  end.stop({ kind: 'gone', message: `${describeGone(exchanges, exchange)}: ${failure.message}` });
}

/** Names an address that never responded: it was probably stated wrongly, and there are two. */
function describeGone(exchanges: readonly Exchange[], { address, url }: Exchange): string {
  const hasResponded = exchanges.some((each) => each.address === address && each.response);
  if (hasResponded) return 'the service is gone';
  return address === 'apiUrl'
    ? `the message address ${new URL(url).origin} (--api-url) cannot be reached`
    : 'the base address cannot be reached';
}
