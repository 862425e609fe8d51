import type { Change } from '../changes/change.ts';
import { combined } from '../changes/changes.ts';

/** A named change to the reference that differs and still conforms. */
export type Variant = Change & {
  id: string;
  /** One line: what the service does. */
  summary: string;
  /** Why it conforms: what interface.md does not say, with the heading, or what HTTP or JSON allows, with the section. */
  freedom: string;
  /** Ids of requirements that cannot be tested against it. */
  untested?: string[];
  /** The time at which it is tried, ISO 8601. Default: today. */
  start?: string;
};

export function variantOf(id: string, summary: string, freedom: string, ...parts: Change[]): Variant {
  return { id, summary, freedom, ...combined(...parts) };
}
