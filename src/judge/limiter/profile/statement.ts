import type { Exchange } from '../../../model/exchange.ts';
import type { Probe } from '../../../model/probe.ts';

/** What a request of a profile is for. */
export type ProfileRole =
  /** A read whose Remaining shows what the requests since the last meter read took. */
  | 'meter'
  /** A read that may become the meter. */
  | 'try'
  | 'wrong-key'
  | 'rejected'
  | 'head'
  | 'unchanged'
  | 'other'
  /** Uses up the limit. */
  | 'fill'
  /** The first after a refusal, when the window is open again. */
  | 'after';

/** A request of a profile, with what came back. */
export interface ProfileExchange {
  exchange: Exchange;
  probe: Probe;
  role: ProfileRole;
}

/** A kind of limiter, and the exchange that rules it out. */
export interface RuledOut {
  model: string;
  exchange: number;
  because: string;
}

/** One thing that a profile tells of a limiter. */
export interface ProfileStatement {
  /** A name for code, such as `kind`, `window` or `cost wrong-key`. */
  about: string;
  text: string;
  /** Absent if it is unknown: the text then says why. */
  value?: string | number | boolean;
  /** The ids of the exchanges that show it. */
  shownBy: readonly number[];
  ruledOut?: readonly RuledOut[];
}

export function untold(about: string, why: string, shownBy: readonly number[] = []): ProfileStatement {
  return { about, text: `cannot be told: ${why}`, shownBy };
}

export function isTold({ value }: ProfileStatement): boolean {
  return value !== undefined;
}
