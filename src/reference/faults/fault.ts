import type { Change } from '../changes/change.ts';

/** A named change of the reference that violates a named requirement. */
export type Fault = Change & {
  id: string;
  /** One line: what the service does wrong. */
  summary: string;
  /** The requirement's id; a second one needs `because`. */
  violates: [string] | [string, string];
  because?: string;
  /** The day on which it is tried, ISO 8601; today where none is given. */
  start?: string;
};
