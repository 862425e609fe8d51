import type { Requirement } from '../../model/contract.ts';
import { didYouMean } from '../../model/nearest.ts';
import { UsageError } from '../options.ts';

/**
 * The requirements that `--only` selects; all of them without it.
 * @throws UsageError if a pattern selects none
 */
export function selectRequirements(
  requirements: readonly Requirement[],
  only: readonly string[],
): readonly Requirement[] {
  if (only.length === 0) return requirements;
  for (const pattern of only) {
    if (requirements.some((each) => isSelected(each, pattern))) continue;
    const names = requirements.flatMap(({ id, section, operation }) => [id, section, operation ?? id]);
    throw new UsageError(
      `unknown requirement, section or operation '${pattern}' in --only; petspec requirements lists them${didYouMean(pattern, [...new Set(names)])}`,
    );
  }
  return requirements.filter((each) => only.some((pattern) => isSelected(each, pattern)));
}

/** Whether a pattern names a requirement: by id or a glob of ids, its section, or its operation. */
function isSelected(requirement: Requirement, pattern: string): boolean {
  const glob = new RegExp(
    `^${pattern
      .split('*')
      .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
    'i',
  );
  return [requirement.id, requirement.section, requirement.operation ?? ''].some(
    (name) => name !== '' && glob.test(name),
  );
}
