import type { Deviation } from '../changes/change.ts';

/** A named deviation of the reference that violates a named requirement. */
export type Fault = Deviation & {
  id: string;
  /** One line: what the service does wrong. */
  summary: string;
  /** The requirement's id; a second one needs `because`. */
  violates: [string] | [string, string];
  because?: string;
  /** The day on which it is tried, ISO 8601; today where none is given. */
  start?: string;
};
