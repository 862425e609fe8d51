/** What an exhaustion does next; an end says why nothing more is sent. */
export type Step<End> =
  | { kind: 'send'; prepare?: () => Promise<End | undefined> }
  | { kind: 'wait' }
  | { kind: 'end'; end: End };

/** Something that is sent again and again. */
export interface Repeated<End> {
  send(): Promise<void>;
  /** @param inFlight requests that have no response yet */
  next(inFlight: number): Step<End>;
}

/** Sends until it is told to end, several requests at a time. Returns why, once all of them have a response. */
export async function sendInLanes<End>(repeated: Repeated<End>): Promise<End> {
  const inFlight = new Set<Promise<void>>();
  for (;;) {
    const step = repeated.next(inFlight.size);
    if (step.kind === 'wait') {
      await Promise.race(inFlight);
      continue;
    }
    const end = step.kind === 'end' ? step.end : step.prepare && (await step.prepare());
    if (end !== undefined) {
      await Promise.all(inFlight);
      return end;
    }
    const sending: Promise<void> = repeated.send().finally(() => inFlight.delete(sending));
    inFlight.add(sending);
  }
}
