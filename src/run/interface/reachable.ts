import type { Check } from '../../judge/check.ts';
import { type Contract, ContractError } from '../../model/contract.ts';
import { didYouMean } from '../../model/nearest.ts';

/**
 * Refuses an interface with a sentence that no run could judge, or with a check of no sentence: both are mistakes of whoever
 * wrote it, and a run would never be complete.
 * @throws ContractError with one line
 */
export function refuseUnreachable({ requirements }: Contract, checks: readonly Check[]): void {
  const ids = new Set(requirements.map(({ id }) => id));
  const stranger = checks.find(({ requirement }) => !ids.has(requirement));
  if (stranger)
    throw new ContractError(
      `suites/: a check judges ${stranger.requirement}, which requirements.yaml does not list${didYouMean(stranger.requirement, [...ids])}`,
    );
  const checked = new Set(checks.map(({ requirement }) => requirement));
  const unchecked = requirements.find(
    ({ id, source, level }) => source === 'listed' && level !== 'open' && !checked.has(id),
  );
  if (unchecked)
    throw new ContractError(
      `requirements.yaml: nothing judges ${unchecked.id}; add a check of it to suites/, or make its level open`,
    );
}
