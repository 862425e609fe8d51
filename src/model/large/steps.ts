import { setImmediate } from 'node:timers/promises';

/** Long work in short steps. Between them, other work may run, such as an interruption or the requests of another run. */
export type Steps<Result> = Generator<void, Result, void>;

/** Does all steps at once. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** The function that does all steps at once. */
export function whole<Given extends unknown[], Result>(
  inSteps: (...given: Given) => Steps<Result>,
): (...given: Given) => Result {
  return (...given) => atOnce(inSteps(...given));
}

/** How long (ms) a thread may be busy without handling events, by a clock that never jumps. */
const MOMENT = 50;

/** Does all steps, and lets other work run after each moment. */
export async function inTurns<Result>(steps: Steps<Result>): Promise<Result> {
  for (let begun = performance.now(); ; ) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() - begun < MOMENT) continue;
    await setImmediate();
    begun = performance.now();
  }
}
