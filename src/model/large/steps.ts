import { setImmediate } from 'node:timers/promises';

/**
 * Work that may take long, in steps of a moment each. Between them, whoever does it may let others have their turn: an
 * interruption, the requests of another run.
 */
export type Steps<Result> = Generator<void, Result, void>;

/** Does all of it at once. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** A function that does all of it at once. */
export function whole<Given extends unknown[], Result>(
  inSteps: (...given: Given) => Steps<Result>,
): (...given: Given) => Result {
  return (...given) => atOnce(inSteps(...given));
}

/** A thread that is busy for longer is deaf. In ms, of the clock that nobody sets. */
const MOMENT = 50;

/** Does it with a pause after each moment. */
export async function inTurns<Result>(steps: Steps<Result>): Promise<Result> {
  for (let begun = performance.now(); ; ) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() - begun < MOMENT) continue;
    await setImmediate();
    begun = performance.now();
  }
}
