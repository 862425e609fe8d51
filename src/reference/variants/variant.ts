import type { Change } from '../changes/change.ts';
import { combined } from '../changes/changes.ts';

/** A named behaviour of the reference that differs and still conforms. */
export type Variant = Change & {
  id: string;
  /** One line: what the service does. */
  summary: string;
  /** The silence of interface.md that it uses, quoting the heading; or the freedom of HTTP or JSON, by its section. */
  freedom: string;
  /** Requirement ids that stay untested against it. */
  untested?: string[];
  /** The day on which it is tried, ISO 8601; today where none is given. */
  start?: string;
};

export function variantOf(id: string, summary: string, freedom: string, ...parts: Change[]): Variant {
  return { id, summary, freedom, ...combined(...parts) };
}
