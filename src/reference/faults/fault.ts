import type { Change } from '../changes/change.ts';

/** A named change to the reference that violates a named requirement. */
export type Fault = Change & {
  id: string;
  /** One line: what the service does wrong. */
  summary: string;
  /** The id of the requirement. A second one needs `because`. */
  violates: [string] | [string, string];
  because?: string;
  /** Only some seeds show it: these, of those from 0 to 6. Default: any seed does. */
  seeds?: readonly [number, ...number[]];
  /** The time at which it is tried, ISO 8601. Default: today. */
  start?: string;
};
