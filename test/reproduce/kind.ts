import type { Ended } from '../command-line/command-line.ts';
import type { Served } from './in-bash.ts';

/** A kind of finding: a fault that has it, and how its deviation shows in what bash prints. */
export interface Kind {
  kind: string;
  fault: string;
  requirement: string;
  /** How the reference is served with and without the fault, if not with a window that does not end. */
  served?: Served;
  /** Whether the script goes on to the limit: then it gets a server of its own. */
  usesUpLimit?: boolean;
  shows: (printed: Ended) => boolean;
}
