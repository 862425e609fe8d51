import type { Verdict } from '../../src/model/report/report.ts';
import { bytesOf, type Parts, partsOf } from './bytes.ts';
import type { Asked, Conduct, Wire } from './raw-service.ts';

/** One hostile way of a target, and what petspec is to make of it. */
export interface Behavior extends Conduct {
  id: string;
  /** One line: what the target does. */
  does: string;
  /** What the misbehaving requests are of; all where it is absent. */
  operation?: string;
  expected: Expected;
}

export interface Expected {
  verdict: Verdict;
  /** The one requirement that is reported; none where the behavior conforms, or where nothing can be held against it. */
  violates?: string;
  /** What petspec says of it: part of the finding, or of the reason why something was not tested. */
  says?: string;
  /** Its requests take until `--timeout`. */
  isLate?: true;
  /** The base address is asked under this scheme. */
  scheme?: 'https';
}

type Act = (wire: Wire, asked: Asked) => void | Promise<void>;

/** A behavior of one operation, whatever is asked of it. */
export function at(operation: string, id: string, does: string, act: Act, expected: Expected): Behavior {
  return { id, does, operation, concerns: (asked) => asked.operation === operation, act, expected };
}

/** Sends the usual answer, changed. @param ends whether the connection is closed after it */
export function changed(change: (parts: Parts) => Parts, ends = false): Act {
  return async ({ socket, usual }) => {
    const bytes = bytesOf(change(partsOf(await usual())));
    if (ends) socket.end(bytes);
    else socket.write(bytes);
  };
}

/** Held against the operation as a violation of HTTP itself. */
export function noHttp(says: string): Expected {
  return { verdict: 'non-conformant', violates: 'service.http', says };
}

/** Held against the operation since its answer does not come, or does not end. */
export function tooLate(says: string): Expected {
  return { ...noHttp(says), isLate: true };
}

export function violating(violates: string, says: string): Expected {
  return { verdict: 'non-conformant', violates, says };
}

/** Nothing can be held against the service, but not everything could be judged. */
export function untested(says: string): Expected {
  return { verdict: 'incomplete', says };
}

/** What petspec says of an answer that it does not read to its end. */
export const LARGER = 'larger than petspec reads';

export const CONFORMS: Expected = { verdict: 'conformant' };
