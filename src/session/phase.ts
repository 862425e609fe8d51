import { group } from 'd3-array';
import { type Burst, type Exchange, isSuccess } from '../model/exchange.ts';
import { type Probe, sourcesOf } from '../model/probe.ts';
import type { Chain } from '../probes/chains.ts';
import type { TakingApart } from './again/taking-apart.ts';
import { mostTogether } from './limiter/room/burst-size.ts';
import { destinationOf, type Parts } from './parts/parts.ts';

type PhaseParts = Pick<
  Parts,
  'options' | 'clock' | 'operations' | 'learnt' | 'pace' | 'end' | 'unsent' | 'transports'
>;

/** A probe that the limiter refuses this often is skipped. */
const MAX_ATTEMPTS = 3;

/** This many refused connections in a row show that the service is gone. */
const MAX_REFUSED_CONNECTIONS = 2;

/** The most requests that go out together. */
export type Width = () => number;

/** Most of a run sends one request at a time. */
export const ONE_AT_A_TIME: Width = () => 1;

/**
 * Sends the chains of a phase in order. Probes that depend on the success of another probe come last, so that the order of
 * responses does not decide whether they are sent.
 * @param width how many chains proceed together: each sends one request, and all responses come before the next requests
 */
export async function runPhase(
  chains: readonly Chain[],
  parts: PhaseParts,
  apart: TakingApart,
  onSent: () => void,
  width: Width = ONE_AT_A_TIME,
): Promise<void> {
  const isConditional = (chain: Chain) => chain.some(({ onlyIf }) => onlyIf !== undefined);
  const first = chains.filter((chain) => chain.length > 0 && !isConditional(chain));
  await sendUntilLetThrough(first, parts, apart, onSent, width);
  await sendUntilLetThrough(chains.filter(isConditional), parts, apart, onSent, width);
}

/**
 * Sends the bursts of a phase, one after the other. If the limit has no room for a burst, its requests go one at a time, and
 * copies of earlier reads are skipped.
 */
export async function runBursts(
  probes: readonly Probe[],
  parts: PhaseParts,
  apart: TakingApart,
  onSent: () => void,
): Promise<void> {
  for (const burst of group(probes, ({ burst }) => burst).values()) {
    const [first] = burst;
    const left = first && parts.pace.remaining(destinationOf(first, parts), parts.clock.now());
    const hasRoom = left === undefined || left > burst.length;
    const due = hasRoom ? burst : burst.filter(({ copies }) => copies === undefined);
    for (const probe of burst) {
      if (due.includes(probe)) continue;
      parts.unsent.skip(probe, {
        kind: 'limit-too-small',
        reason: `the limit leaves ${left}, too few for ${burst.length} requests at once`,
      });
      onSent();
    }
    const width = hasRoom ? mostTogether(parts) : 1;
    await runPhase(
      due.map((probe) => [probe]),
      parts,
      apart,
      onSent,
      () => width,
    );
  }
}

/** Sends chains, and refused probes again once the window is open. */
async function sendUntilLetThrough(
  chains: readonly Chain[],
  parts: PhaseParts,
  apart: TakingApart,
  onSent: () => void,
  width: Width,
): Promise<void> {
  let waiting = chains;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS && waiting.length > 0; attempt += 1) {
    const refused = await sendAll(waiting, parts, apart, attempt === 1 ? onSent : () => {}, width);
    waiting = refused.map((probe) => [probe]);
  }
  parts.unsent.skipAll(waiting.flat(), {
    kind: 'refused-by-limit',
    reason: `the rate limit refused it ${MAX_ATTEMPTS} times`,
  });
}

/** A chain that is being sent, and the index of its next probe. */
interface ChainProgress {
  chain: Chain;
  next: number;
}

/** Sends each probe once, burst by burst: the next probe of each chain that is under way. Returns the refused probes. */
async function sendAll(
  chains: readonly Chain[],
  parts: PhaseParts,
  apart: TakingApart,
  onSent: () => void,
  width: Width,
): Promise<Probe[]> {
  const waiting = [...chains];
  const refused: Probe[] = [];
  let begun: ChainProgress[] = [];
  for (;;) {
    const more = Math.max(0, width() - begun.length);
    begun.push(...waiting.splice(0, more).map((chain) => ({ chain, next: 0 })));
    if (begun.length === 0) return refused;
    const burst = begun.slice(0, width());
    refused.push(...(await sendBurst(burst, parts, apart)));
    for (const progress of burst) {
      progress.next += 1;
      onSent();
      if (progress.next >= progress.chain.length) parts.transports.usual.release(progress.chain);
    }
    begun = begun.filter(({ chain, next }) => next < chain.length);
  }
}

/** Sends the next probes of chains together, and takes failures apart after all responses. Returns the refused probes. */
async function sendBurst(
  begun: readonly ChainProgress[],
  parts: PhaseParts,
  apart: TakingApart,
): Promise<Probe[]> {
  const due: { probe: Probe; chain: Chain }[] = [];
  for (const { chain, next } of begun) {
    const probe = chain[next];
    if (probe && (await waitForTurn(probe, parts))) due.push({ probe, chain });
  }
  const burst = burstOf(due.map(({ probe }) => probe));
  const sent = await Promise.all(
    due.map(async ({ probe, chain }) => ({ probe, exchange: await apart.sendOnce(probe, chain, burst) })),
  );
  const refused: Probe[] = [];
  for (const { probe, exchange: first } of sent) {
    const exchange = await apart.received(probe, first);
    if (exchange?.response?.status === 429) refused.push(probe);
    if (exchange) stopIfGone(parts, exchange);
  }
  return refused;
}

/** Why these requests go out together; undefined if there is only one. */
function burstOf(due: readonly Probe[]): Burst | undefined {
  if (due.length < 2) return undefined;
  return due.some(({ burst }) => burst !== undefined) ? 'beside' : 'apart';
}

/** Waits until a probe may be sent. False if it is not sent; a skipped one is noted with the reason. */
async function waitForTurn(probe: Probe, parts: PhaseParts): Promise<boolean> {
  const { pace, clock, end } = parts;
  if (!isDue(probe, parts)) return false;
  const now = clock.now();
  if (probe.key !== 'valid')
    return waitBefore(
      probe,
      parts,
      pace.closedFor(now),
      'the limit was exceeded; petspec sends no key meanwhile',
    );
  const { ms, why } = pace.wait(destinationOf(probe, parts), now);
  return ms <= 0 || end.stopped !== undefined || waitBefore(probe, parts, ms, why);
}

/** Waits before a probe. False if the wait would be too long; the probe is then skipped. */
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
  const { onlyIf, nextOf } = probe;
  if (onlyIf && !succeeded(onlyIf.succeeded)) return false;
  if (nextOf && !learnt.values.queryFor(probe)) return false;
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

/** Ends the run if nothing listens any more, because no operation is to blame for that. */
function stopIfGone({ learnt, end }: Pick<Parts, 'learnt' | 'end'>, exchange: Exchange): void {
  const { exchanges } = learnt;
  const { failure } = exchange;
  if (failure?.kind !== 'refused' && failure?.kind !== 'unreachable') return;
  const last = exchanges.slice(-MAX_REFUSED_CONNECTIONS);
  if (last.length < MAX_REFUSED_CONNECTIONS || last.some((recent) => recent.failure?.kind !== failure.kind))
    return;
  end.stop({ kind: 'gone', message: `${describeGone(exchanges, exchange)}: ${failure.message}` });
}

/** Names the address if it never responded: it is probably wrong, and there are two addresses. */
function describeGone(exchanges: readonly Exchange[], { address, url }: Exchange): string {
  const hasResponded = exchanges.some((earlier) => earlier.address === address && earlier.response);
  if (hasResponded) return 'the service is gone';
  return address === 'apiUrl'
    ? `the message address ${new URL(url).origin} (--api-url) cannot be reached`
    : 'the base address cannot be reached';
}
