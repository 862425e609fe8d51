import type { Change } from '../changes/change.ts';
import type { CallWhere } from '../changes/where.ts';
import { concernsCall } from '../changes/where.ts';
import type { Answer } from '../http/answer.ts';
import type { Call } from '../http/call.ts';

/** A call that is being handled, and those that were handled at the same time so far. */
interface Busy {
  readonly call: Call;
  readonly beside: Call[];
}

/** Long enough for everything that was sent together to arrive. */
const OVERLAP_MS = 20;

/** Which calls handled at the same time make a difference to a call. */
export type Meets = (call: Call, other: Call) => boolean;

/** A call of one kind, at the same time as a call of another kind. */
export const meets =
  (where: CallWhere, others: CallWhere): Meets =>
  (call, other) =>
    concernsCall(where, call) && concernsCall(others, other);

/** Handles a call after a short pause, so that others can arrive. */
async function withOthers<T>(call: Call, handle: (beside: readonly Call[]) => Promise<T>): Promise<T> {
  const busy = call.recall('busy', () => new Set<Busy>());
  // Two of these changes at once handle a call one inside the other.
  const others = [...busy].filter((each) => each.call.number !== call.number);
  const own: Busy = { call, beside: others.map((each) => each.call) };
  for (const { beside } of others) beside.push(call);
  busy.add(own);
  try {
    await call.pause(OVERLAP_MS);
    return await handle(own.beside);
  } finally {
    busy.delete(own);
  }
}

/** Changes the answers to calls that are handled at the same time as certain others. */
export function besideAnswer(isMet: Meets, change: (answer: Answer, other: Call) => Answer): Change {
  return {
    around: (call, next) =>
      withOthers(call, async (beside) => {
        const answer = await next(call);
        const other = beside.find((each) => isMet(call, each));
        return other ? change(answer, other) : answer;
      }),
  };
}

/** Changes calls that are handled at the same time as certain others, before authentication. */
export function besideCall(isMet: Meets, change: (call: Call) => Call): Change {
  return {
    around: (call, next) =>
      withOthers(call, async (beside) =>
        next(beside.some((each) => isMet(call, each)) ? change(call) : call),
      ),
  };
}
