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

/** Variants with the same freedom, by id: what the service does, and by which changes. */
export function allowedBy(
  freedom: string,
  rows: Readonly<Record<string, readonly [summary: string, ...parts: Change[]]>>,
): Variant[] {
  return Object.entries(rows).map(([id, [summary, ...parts]]) => variantOf(id, summary, freedom, ...parts));
}
