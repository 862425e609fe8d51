import type { RequirementResult } from '../../../model/report/report.ts';

/** The ids of the cards of violations and advisories in a page, by requirement. */
export function findingAnchors(requirements: readonly RequirementResult[]): Map<string, string> {
  const anchors = new Map<string, string>();
  for (const { id, status } of requirements)
    if (status === 'violated' || status === 'advisory') anchors.set(id, `${status}-${anchors.size + 1}`);
  return anchors;
}
