import { group } from 'd3-array';
import type { Contract, Gap } from '../../model/contract.ts';
import { counted } from '../../model/report/report.ts';
import { visible } from '../../model/visible.ts';
import type { RunOptions } from '../../run/options.ts';
import { type UsefulExample, unplannedOf } from '../../run/plan/unplanned.ts';
import type { RunPlan } from '../../run/plan.ts';

/** What a run by a document of the user's leaves out, with the values that would reach the most. */
export function renderUnplanned(
  contract: Contract,
  plan: Pick<RunPlan, 'probes'>,
  options: RunOptions,
): string {
  const { gaps, useful } = unplannedOf(contract, plan, options);
  const lines = gapLines(gaps).map((line) => `  ${line}\n`);
  return lines.length === 0 ? '' : `not planned\n${lines.join('')}${hints(useful)}\n`;
}

/** The lines of a file for `--example` that would help most. */
function hints(useful: readonly UsefulExample[]): string {
  const lines = useful.map(({ operation, place, name, reached }) =>
    visible(`'${operation}': { ${place}: { ${name}: ... } } # ${counted(reached, 'operation')} more`),
  );
  if (lines.length === 0) return '';
  return `  a file with these values for --example would reach the most:\n${lines.map((line) => `    ${line}\n`).join('')}`;
}

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
