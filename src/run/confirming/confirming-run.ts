import type { Contract } from '../../model/contract.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { RunSecrets } from '../../secrets/secrets-of-run.ts';
import type { Confirming, SessionOptions } from '../../session/terms/types.ts';
import { type Conducted, furtherSent, type Outcome } from '../judge-outcome.ts';
import type { RunOptions } from '../options.ts';
import type { RunPlan } from '../plan.ts';
import { withConfirmations } from './confirmed.ts';
import { isShownAgain, type Surrounding } from './shown-again.ts';
import { toConfirm } from './to-confirm.ts';

/** A run that was judged before it saw its findings again. */
interface Before {
  outcome: Outcome;
  conducted: Conducted;
}

/**
 * Lets a run see its findings again, which needs them before it ends.
 * @param judged judges what a run received
 * @returns the hooks of the session, and what gives the result at its end: undefined if the run has to be judged once more
 */
export function confirmingRun(
  contract: Contract,
  plan: RunPlan,
  { plan: stated }: Pick<RunOptions, 'plan'>,
  { baseUrl, writes = false, limits }: SessionOptions,
  { hide }: Pick<RunSecrets, 'hide'>,
  outcomeOf: (execution: Parameters<Confirming['reproductionsOf']>[0]) => Outcome,
  judged: (outcome: Outcome) => Promise<Conducted>,
): { confirming: Confirming; resultOf: (outcome: Outcome) => Conducted | undefined } {
  const checks = new Map(plan.checks.map((each) => [each.requirement, each]));
  let before: Before | undefined;

  function surroundingOf(exchanges: readonly Exchange[]): Surrounding {
    return {
      contract,
      probes: [...plan.probes, ...furtherSent(plan, exchanges)],
      today: exchanges.at(-1)?.receivedAt ?? 0,
      baseUrl,
      referencesKnown: true,
      sharedKey: false,
      limits,
      plan: stated,
    };
  }

  return {
    confirming: {
      most: plan.cost.confirming,
      reproductionsOf: async (execution) => {
        const outcome = outcomeOf(execution);
        before = { outcome, conducted: await judged(outcome) };
        return toConfirm(before.conducted, contract, plan, writes);
      },
      isShown: (finding, exchanges) => {
        const check = checks.get(finding);
        const found = before?.conducted.findings[finding];
        if (!check || !found || !before) return false;
        return isShownAgain(check, found, exchanges, before.outcome.exchanges, surroundingOf(exchanges));
      },
    },
    resultOf: (outcome) => {
      if (!before || !isSameEvidence(before.outcome, outcome)) return undefined;
      const { conducted } = before;
      const { exchanges } = outcome;
      const hidden = new Map(conducted.exchanges.map((each) => [each.id, each]));
      return {
        ...conducted,
        ...outcome,
        exchanges: exchanges.map((each) => hidden.get(each.id) ?? hide(each)),
        findings: withConfirmations(conducted.findings, outcome, plan.checks, surroundingOf(exchanges)),
      };
    },
  };
}

/** Whether nothing was sent meanwhile but what sees findings again, and nothing ended the run. */
function isSameEvidence(before: Outcome, { exchanges, stopped }: Outcome): boolean {
  const judged = exchanges.filter(({ confirms }) => !confirms);
  const earlier = before.exchanges.filter(({ confirms }) => !confirms);
  return (
    !stopped && judged.length === earlier.length && judged.every((each, index) => each === earlier[index])
  );
}
