import type { Requirement } from '../../model/contract.ts';
import { didYouMean, UsageError } from '../../model/usage-error.ts';
import type { RunOptions } from '../options.ts';
import { stated, usageError } from '../settings/stated-name.ts';

/** The options that select requirements. */
export type Selection = Pick<RunOptions, 'only' | 'violatedBefore'>;

/**
 * The requirements that `--only` and `--only-violated` select; all of them without these options.
 * @param list the command that lists them
 * @throws UsageError if a pattern or an id selects none
 */
export function selectRequirements(
  requirements: readonly Requirement[],
  { only, violatedBefore }: Selection,
  list = 'petspec requirements',
): readonly Requirement[] {
  if (only.length === 0 && !violatedBefore) return requirements;
  for (const pattern of only) {
    if (requirements.some((requirement) => isSelected(requirement, pattern))) continue;
    const names = requirements.flatMap(({ id, section, operation }) => [id, section, operation ?? id]);
    throw usageError`unknown requirement, section or operation '${pattern}' in ${stated('only')}; ${list} lists them${didYouMean(pattern, [...new Set(names)])}`;
  }
  const violated = new Set(violatedBefore);
  const unlisted = [...violated].find((id) => !requirements.some((requirement) => requirement.id === id));
  if (unlisted !== undefined)
    throw new UsageError(
      `--only-violated: this interface has no requirement '${unlisted}', which the report found violated; name a report of the same interface`,
    );
  return requirements.filter(
    (requirement) => violated.has(requirement.id) || only.some((pattern) => isSelected(requirement, pattern)),
  );
}

/** Whether a pattern names a requirement: by id or a glob of ids, its section, or its operation. */
function isSelected(requirement: Requirement, pattern: string): boolean {
  return [requirement.id, requirement.section, requirement.operation ?? ''].some(
    (name) => name !== '' && isMatch(name.toLowerCase(), pattern.toLowerCase().split('*')),
  );
}

/** Whether a name has the parts of a glob, in order. No regular expression: a ledger may hold thousands of stars. */
function isMatch(name: string, [first = '', ...parts]: readonly string[]): boolean {
  const last = parts.pop();
  if (last === undefined) return name === first;
  const isShort = name.length < first.length + last.length;
  if (isShort || !name.startsWith(first) || !name.endsWith(last)) return false;
  let rest = name.slice(first.length, name.length - last.length);
  for (const part of parts) {
    const at = rest.indexOf(part);
    if (at < 0) return false;
    rest = rest.slice(at + part.length);
  }
  return true;
}
