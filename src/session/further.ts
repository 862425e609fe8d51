import type { Probe } from '../model/probe.ts';
import { pathOf } from '../probes/surplus/generated.ts';
import { MAX_DRAWS } from './limiter/exhaust/surplus.ts';
import { runPhase } from './phase.ts';
import type { Sender } from './sender.ts';
import type { TakingApart } from './taking-apart.ts';

/** So many are sent before petspec looks at what failed. */
const MAX_SENT_TOGETHER = 20;

/**
 * Goes on testing with what the budget allows beyond the run. What it draws and what fails is made simpler. Where that uses
 * up a window, one more request shows how the limit refuses another operation.
 * @param limited the same read of operations that were not refused with 429 yet
 */
export async function sendFurther(
  sender: Sender,
  apart: TakingApart,
  limited: readonly Probe[],
): Promise<void> {
  const { further = 0 } = sender.options;
  const waiting = furtherProbes(sender, further);
  const unrefused = [...limited];
  let done = 0;
  const tell = () => sender.end.tell({ kind: 'sent', done, total: further, stage: 'surplus' });
  if (waiting.length > 0) tell();
  const send = async (probes: readonly Probe[]) => {
    await runPhase(
      probes.map((each) => [each]),
      sender,
      apart,
      () => {
        done += 1;
        tell();
      },
    );
    for (const probe of probes) noteDrawn(probe, sender);
  };
  while (waiting.length > 0 && !sender.end.stopped) {
    const smaller = sender.shrinking.next();
    const [refused] = unrefused;
    if (refused && isUsedUp(sender, refused)) {
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
    } else await send(waiting.splice(0, roomIn(sender, waiting[0])));
  }
}

/** The surplus that was not sent yet, and then what is drawn. */
function furtherProbes(sender: Sender, count: number): Probe[] {
  const { surplus = [], generate = () => undefined } = sender.options;
  const sent = new Set(sender.exchanges.map(({ probe }) => probe));
  const probes = surplus.filter(({ id }) => !sent.has(id)).slice(0, count);
  for (let place = 0; probes.length < count && place < MAX_DRAWS * count; place += 1) {
    const drawn = generate([place]);
    if (drawn && !sent.has(drawn.id)) probes.push(drawn);
  }
  return probes;
}

/** How many requests may be sent together: as many as the window has left. In a new one, the first shows how many. */
function roomIn(sender: Sender, probe: Probe | undefined): number {
  const left = probe && remaining(sender, probe);
  return Math.max(1, Math.min(left ?? MAX_SENT_TOGETHER, MAX_SENT_TOGETHER));
}

function remaining({ pace, options }: Sender, { operation }: Probe): number | undefined {
  return pace.remaining({ operation, address: 'baseUrl' }, options.clock.now());
}

/** Whether the headers say that nothing is left of a minute, and no 429 has closed it yet. */
function isUsedUp(sender: Sender, probe: Probe): boolean {
  const isOpen = sender.pace.closedFor(sender.options.clock.now()) === 0;
  return isOpen && remaining(sender, probe) === 0;
}

/** What was drawn and fails is made simpler. */
function noteDrawn(probe: Probe, { exchanges, shrinking }: Sender): void {
  const path = pathOf(probe.id);
  if (path)
    shrinking.received(
      probe,
      path,
      exchanges.findLast((each) => each.probe === probe.id),
    );
}
