import { type Exchange, isSuccess } from '../model/exchange.ts';
import type { NoRoom } from '../model/limits/request-counts.ts';
import type { Probe } from '../model/probe.ts';
import { pathOf } from '../probes/surplus/generated.ts';
import type { TakingApart } from './again/taking-apart.ts';
import { nextVariation } from './limiter/exhaust/exhaustion-steps.ts';
import { MAX_DRAWS } from './limiter/exhaust/surplus.ts';
import { hasRecovered, NextWindow } from './limiter/recovery.ts';
import { isWithKey, minuteLimit } from './limiter/room/limited-operation.ts';
import type { Parts } from './parts/parts.ts';
import type { SendingForm } from './parts/sender.ts';
import { runPhase } from './phase.ts';
import type { AfterRecovery, SessionOptions } from './terms/types.ts';

/** A plain request whose reason is not noted if it cannot be sent. */
const SPARE: SendingForm = { variations: [], attempt: 0, isSpare: true };

/** The most requests that are sent before petspec looks at their failures. */
const MAX_SENT_TOGETHER = 20;

/**
 * Continues with the requests that the budget allows beyond the plan, or that the window after the recovery has room for. Drawn
 * requests that fail are made simpler.
 * @param limited reads of operations that were not refused with 429 yet
 * @param refused the read that used up the limit
 */
export async function sendFurther(
  parts: Parts,
  apart: TakingApart,
  limited: readonly Probe[],
  refused: Probe | undefined,
): Promise<NoRoom | undefined> {
  const { further = 0, afterRecovery } = parts.options;
  if (further > 0) await overWindows(further, parts, apart, limited);
  else if (afterRecovery && isServedAgain(parts.learnt.exchanges))
    return inNextWindow(afterRecovery, parts, apart, refused);
  return undefined;
}

/** Whether requests with the key succeed after the recovery: if the service refuses them, more requests show nothing. */
function isServedAgain(exchanges: readonly Exchange[]): boolean {
  const last = exchanges.findLast(isWithKey);
  return hasRecovered(exchanges) && last !== undefined && isSuccess(last);
}

/**
 * Sends in the window after the recovery, one request at a time and without waiting, as long as the window has room.
 * @returns the probes that found no room, if any
 */
async function inNextWindow(
  { probes, ...share }: AfterRecovery,
  parts: Parts,
  apart: TakingApart,
  refused: Probe | undefined,
): Promise<NoRoom | undefined> {
  const { learnt, end, budget, shrinking } = parts;
  const window = new NextWindow(parts, share);
  const sent = new Set(learnt.exchanges.map(({ probe }) => probe));
  const before = window.used;
  let waiting = probes.filter(({ id }) => !sent.has(id));
  const total = Math.min(share.most, waiting.length);
  const tell = () =>
    end.tell({ kind: 'sent', done: Math.min(window.used - before, total), total, stage: 'surplus' });
  budget.release();
  while (!window.isOver) {
    const due = waiting.filter((probe) => isDue(probe, parts));
    if (due.length === 0) return undefined;
    const next = shrinking.next() ?? due.find((probe) => window.hasRoomFor(probe));
    if (!next || !window.hasRoomFor(next)) {
      const withKey = due.filter(({ key }) => key === 'valid');
      return { sent: window.used - before, unsent: withKey.slice(0, window.left).map(({ id }) => id) };
    }
    waiting = waiting.filter((probe) => probe !== next);
    tell();
    await apart.send(next);
    noteDrawn(next, parts);
    if (refused) await aroundLimit(refused, window, parts);
  }
  return undefined;
}

/** Whether the probe that a probe depends on succeeded. */
function isDue({ onlyIf }: Probe, { learnt }: Pick<Parts, 'learnt'>): boolean {
  return (
    !onlyIf || learnt.exchanges.some((exchange) => exchange.probe === onlyIf.succeeded && isSuccess(exchange))
  );
}

/** Tries to get around the limit with the variations for which the exhaustion had no room, when few requests are left. */
async function aroundLimit(refused: Probe, window: NextWindow, { learnt, sender }: Parts): Promise<void> {
  if (!window.hasRoomFor(refused)) return;
  const withKey = learnt.exchanges.filter(isWithKey);
  const variation = nextVariation(withKey, window.remaining(refused), minuteLimit(learnt) ?? 0);
  if (variation) await sender.send({ ...refused, stage: 'surplus' }, variation, SPARE);
}

/** Sends in as many windows as the budget takes. At the end of each, a request shows how the limit refuses an operation. */
async function overWindows(
  further: number,
  parts: Parts,
  apart: TakingApart,
  limited: readonly Probe[],
): Promise<void> {
  const { options, learnt, end, sender, shrinking } = parts;
  const waiting = furtherProbes(options, learnt.exchanges, further);
  const unrefused = [...limited];
  let done = 0;
  const tell = () => end.tell({ kind: 'sent', done, total: further, stage: 'surplus' });
  if (waiting.length > 0) tell();
  const send = async (probes: readonly Probe[]) => {
    await runPhase(
      probes.map((probe) => [probe]),
      parts,
      apart,
      () => {
        done += 1;
        tell();
      },
    );
    for (const probe of probes) noteDrawn(probe, parts);
  };
  while (waiting.length > 0 && !end.stopped) {
    const smaller = shrinking.next();
    const [refused] = unrefused;
    if (refused && isUsedUp(parts, refused)) {
      unrefused.shift();
      waiting.pop();
      await sender.send({ ...refused, stage: 'surplus' }, undefined, SPARE);
      done += 1;
    } else if (smaller) {
      waiting.pop();
      await send([smaller]);
    } else await send(waiting.splice(0, roomIn(parts, waiting[0])));
  }
}

/** The surplus that was not sent yet, followed by drawn probes. */
function furtherProbes(
  { surplus = [], generate = () => undefined }: Pick<SessionOptions, 'surplus' | 'generate'>,
  exchanges: readonly Exchange[],
  count: number,
): Probe[] {
  const sent = new Set(exchanges.map(({ probe }) => probe));
  const probes = surplus.filter(({ id }) => !sent.has(id)).slice(0, count);
  for (let place = 0; probes.length < count && place < MAX_DRAWS * count; place += 1) {
    const drawn = generate([place]);
    if (drawn && !sent.has(drawn.id)) probes.push(drawn);
  }
  return probes;
}

type Pacing = Pick<Parts, 'pace' | 'clock'>;

/** How many requests may be sent together: as many as the window has left. In a new window, the first one shows how many. */
function roomIn(window: Pacing, probe: Probe | undefined): number {
  const left = probe && remaining(window, probe);
  return Math.max(1, Math.min(left ?? MAX_SENT_TOGETHER, MAX_SENT_TOGETHER));
}

function remaining({ pace, clock }: Pacing, { operation }: Probe): number | undefined {
  return pace.remaining({ operation, address: 'baseUrl' }, clock.now());
}

/** Whether nothing is left of the window, and no 429 has closed it yet. */
function isUsedUp({ pace, clock }: Pacing, probe: Probe): boolean {
  const isOpen = pace.closedFor(clock.now()) === 0;
  return isOpen && remaining({ pace, clock }, probe) === 0;
}

/** Tells the shrinking of the response to a drawn probe, so that a failing one is made simpler. */
function noteDrawn(probe: Probe, { learnt, shrinking }: Pick<Parts, 'learnt' | 'shrinking'>): void {
  const path = pathOf(probe.id);
  if (path)
    shrinking.received(
      probe,
      path,
      learnt.exchanges.findLast((exchange) => exchange.probe === probe.id),
    );
}
