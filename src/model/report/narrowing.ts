import type { Requirement } from '../contract.ts';
import type { Finding } from '../finding.ts';
import type { NarrowedResult } from './report.ts';

/**
 * What left requirements out when traffic was judged that petspec did not plan.
 * @param findings of the requirements that the user selected, by id
 */
export function narrowedByTraffic(
  requirements: readonly Pick<Requirement, 'id'>[],
  findings: Readonly<Record<string, Finding>>,
): NarrowedResult[] {
  const ids = requirements.map(({ id }) => id);
  const unselected = ids.filter((id) => findings[id] === undefined);
  const unseen = ids.filter((id) => findings[id]?.untested === 'no-traffic');
  const selection = { kind: 'selection', option: '--only', requirements: unselected } as const;
  return [
    ...(unselected.length > 0 ? [selection] : []),
    { kind: 'no-traffic', option: 'no traffic', requirements: unseen },
  ];
}
