import { type Exchange, isSuccess } from '../model/exchange.ts';
import type { Probe } from '../model/probe.ts';
import type { NoRoom } from '../model/request-counts.ts';
import { pathOf } from '../probes/surplus/generated.ts';
import type { TakingApart } from './again/taking-apart.ts';
import { MAX_DRAWS } from './limiter/exhaust/surplus.ts';
import { nextVariation } from './limiter/exhaust/variations.ts';
import { minuteLimit } from './limiter/limited-operation.ts';
import { NextWindow } from './limiter/next-window.ts';
import { hasRecovered } from './limiter/recover.ts';
import type { Parts } from './parts/parts.ts';
import { runPhase } from './phase.ts';
import type { AfterRecovery, SessionOptions } from './terms/types.ts';

/** So many are sent before petspec looks at what failed. */
const MAX_SENT_TOGETHER = 20;

/**
 * Goes on testing with what the budget allows beyond the run, or with what the window after the recovery has room for. What is
 * drawn and fails is made simpler.
 * @param limited the same read of operations that were not refused with 429 yet
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

/** Whether the key is served after the recovery: a service that refuses it for another reason shows nothing more. */
function isServedAgain(exchanges: readonly Exchange[]): boolean {
  const last = exchanges.findLast(({ key, address }) => key === 'valid' && address === 'baseUrl');
  return hasRecovered(exchanges) && last !== undefined && isSuccess(last);
}

/**
 * Sends in the window after the recovery, one request at a time, what that window shows room for, and waits for nothing.
 * @returns what found no room, if so
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
    const due = waiting.filter((each) => isDue(each, parts));
    if (due.length === 0) return undefined;
    const next = shrinking.next() ?? due.find((each) => window.hasRoomFor(each));
    if (!next || !window.hasRoomFor(next)) {
      const withKey = due.filter(({ key }) => key === 'valid');
      return { sent: window.used - before, unsent: withKey.slice(0, window.left).map(({ id }) => id) };
    }
    waiting = waiting.filter((each) => each !== next);
    tell();
    await apart.send(next);
    noteDrawn(next, parts);
    if (refused) await aroundLimit(refused, window, parts);
  }
  return undefined;
}

/** Whether what a probe depends on succeeded. */
function isDue({ onlyIf }: Probe, { learnt }: Pick<Parts, 'learnt'>): boolean {
  return !onlyIf || learnt.exchanges.some((each) => each.probe === onlyIf.succeeded && isSuccess(each));
}

/** Tries to get around the limit in the ways for which the exhaustion had no room: it shows where few requests are left. */
async function aroundLimit(refused: Probe, window: NextWindow, { learnt, sender }: Parts): Promise<void> {
  if (!window.hasRoomFor(refused)) return;
  const withKey = learnt.exchanges.filter(({ key, address }) => key === 'valid' && address === 'baseUrl');
  const variation = nextVariation(withKey, window.remaining(refused), minuteLimit(learnt) ?? 0);
  if (variation)
    await sender.send({ ...refused, stage: 'surplus' }, variation, {
      variations: [],
      attempt: 0,
      isSpare: true,
    });
}

/** Sends in as many windows as the budget takes. Where that uses up one, the next request shows how the limit refuses another operation. */
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
      probes.map((each) => [each]),
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
      await sender.send({ ...refused, stage: 'surplus' }, undefined, {
        variations: [],
        attempt: 0,
        isSpare: true,
      });
      done += 1;
    } else if (smaller) {
      waiting.pop();
      await send([smaller]);
    } else await send(waiting.splice(0, roomIn(parts, waiting[0])));
  }
}

/** The surplus that was not sent yet, and then what is drawn. */
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

/** How many requests may be sent together: as many as the window has left. In a new one, the first shows how many. */
function roomIn(window: Pacing, probe: Probe | undefined): number {
  const left = probe && remaining(window, probe);
  return Math.max(1, Math.min(left ?? MAX_SENT_TOGETHER, MAX_SENT_TOGETHER));
}

function remaining({ pace, clock }: Pacing, { operation }: Probe): number | undefined {
  return pace.remaining({ operation, address: 'baseUrl' }, clock.now());
}

/** Whether the headers say that nothing is left of a minute, and no 429 has closed it yet. */
function isUsedUp({ pace, clock }: Pacing, probe: Probe): boolean {
  const isOpen = pace.closedFor(clock.now()) === 0;
  return isOpen && remaining({ pace, clock }, probe) === 0;
}

/** What was drawn and fails is made simpler. */
function noteDrawn(probe: Probe, { learnt, shrinking }: Pick<Parts, 'learnt' | 'shrinking'>): void {
  const path = pathOf(probe.id);
  if (path)
    shrinking.received(
      probe,
      path,
      learnt.exchanges.findLast((each) => each.probe === probe.id),
    );
}
