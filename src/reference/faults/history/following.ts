import type { Change, Where } from '../../changes/change.ts';
import { concerns } from '../../changes/change.ts';
import type { Answer } from '../../http/answer.ts';
import type { Call } from '../../http/call.ts';

/** A call and its answer. */
interface AnsweredCall {
  call: Call;
  answer: Answer;
}

/** Calls with the same text belong together: the call before is looked for among them. */
type Group = (call: Call) => string;

export const ofConnection: Group = ({ connection }) => `connection ${connection}`;
export const ofOperation: Group = ({ operation }) => `operation ${operation}`;
export const ofService: Group = () => 'service';

/** Changes the answers that directly follow certain others of the same group. */
export function following(
  group: Group,
  before: Where,
  where: Where,
  change: (answer: Answer, earlier: Answer) => Answer,
): Change {
  return {
    around: async (call, next) => {
      const last = call.recall(`last of ${group.name}`, () => new Map<string, AnsweredCall>());
      const earlier = last.get(group(call));
      const answer = await next(call);
      last.set(group(call), { call, answer });
      const isMeant =
        earlier && concerns(before, earlier.answer, earlier.call) && concerns(where, answer, call);
      return isMeant ? change(answer, earlier.answer) : answer;
    },
  };
}

/** Changes the requests that directly follow certain others of the same group. */
export function followingCall(
  group: Group,
  before: Where,
  where: Where,
  change: (call: Call) => Call,
): Change {
  return {
    around: async (call, next) => {
      const last = call.recall(`last of ${group.name}`, () => new Map<string, AnsweredCall>());
      const earlier = last.get(group(call));
      const isMeant =
        earlier && concerns(before, earlier.answer, earlier.call) && concerns(where, earlier.answer, call);
      const answer = await next(isMeant ? change(call) : call);
      last.set(group(call), { call, answer });
      return answer;
    },
  };
}
