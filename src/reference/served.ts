import type { Answer, HeaderField } from './http/answer.ts';
import type { Call, KeyVerdict } from './http/call.ts';
import type { LimiterVerdict } from './limiter/verdict.ts';
import type { Route } from './routes.ts';

/** A request before its body is read. */
export interface RequestHead {
  method: string;
  /** The path with the query. */
  target: string;
  /** The values of a header, by its name in lower case. */
  headers: Readonly<Record<string, readonly string[] | undefined>>;
}

/** What another interface than the animal store has of its own, behind the same limiter, log and changes. */
export interface Served {
  /** Path of its base address, without a slash at its end. */
  basePath: string;
  route(asked: RequestHead): Route;
  judgeKey(asked: RequestHead, route: Route): KeyVerdict;
  /** Answers a request that its limit and its key allow. */
  operate(call: Call): Answer;
  /** A refusal as the interface writes them. */
  refuse(call: Call, status: number, message: string, headers: HeaderField[]): Answer;
  /** What every answer says of the limit. */
  limitHeaders(verdict: LimiterVerdict, now: number): HeaderField[];
}
