import type { RequirementResult } from '../model.ts';

/** How to see a violation again. */
export interface Reproduction {
  /** One curl command, or lines for bash and curl. */
  script: string;
  /** What the script adds to the service, or uses up. */
  warning?: string;
}

/** How a report says to see a violation again; older reports have the command alone. */
export function reproductionOf({
  reproduce,
  curl,
}: Pick<RequirementResult, 'reproduce' | 'curl'>): Reproduction | undefined {
  return reproduce ?? (curl === undefined ? undefined : { script: curl });
}
