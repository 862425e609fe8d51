import type { Answer, Header } from './http/answer.ts';
import type { Call, KeyVerdict } from './http/call.ts';
import type { Verdict } from './limiter/verdict.ts';
import type { Route } from './routes.ts';

/** A request before its body is read. */
export interface Asked {
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
  route(asked: Asked): Route;
  judgeKey(asked: Asked, route: Route): KeyVerdict;
  /** Answers a request that its limit and its key allow. */
  operate(call: Call): Answer;
  /** A refusal as the interface writes them. */
  refuse(call: Call, status: number, message: string, headers: Header[]): Answer;
  /** What every answer says of the limit. */
  limitHeaders(verdict: Verdict, now: number): Header[];
}
