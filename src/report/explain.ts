import type { Requirement } from '../contract/types.ts';
import type { Finding } from '../judge/finding.ts';
import { visible } from './visible.ts';

/** A finding in a few lines of plain text, safe to print wherever it goes. */
export function explain(requirement: Pick<Requirement, 'statement'>, finding: Finding): string {
  const lines = [
    requirement.statement,
    finding.reason,
    ...(finding.expected === undefined ? [] : [`expected: ${finding.expected}`]),
    ...(finding.received === undefined ? [] : [`received: ${finding.received}`]),
    ...(finding.pointer ? [`at: ${finding.pointer}`] : []),
  ];
  return lines.map(visible).join('\n');
}
