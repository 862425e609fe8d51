import { group } from 'd3-array';
import type { Gap } from '../../model/contract.ts';
import { visible } from '../../model/visible.ts';

/** Operations that a line names at most. */
const MAX_NAMED = 3;

/** What a document says and petspec does not judge: a line for each reason, with its operations. */
export function gapLines(gaps: readonly Gap[]): string[] {
  const byReason = group(
    gaps,
    ({ reason, isWhole }) => `${reason}${isWhole ? '; nothing of it is judged' : ''}`,
  );
  return [...byReason].map(([reason, own]) => {
    const names = own.flatMap(({ operation }) => operation ?? []);
    const rest = names.length - MAX_NAMED;
    const more = rest > 0 ? ` and ${rest} more` : '';
    return visible(`${names.slice(0, MAX_NAMED).join(', ')}${more}: ${reason}`);
  });
}
