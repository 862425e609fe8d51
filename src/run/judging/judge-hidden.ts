import type { Contract } from '../../model/contract.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { Finding } from '../../model/finding.ts';
import { type Steps, whole } from '../../model/large/steps.ts';
import { withStandIns } from '../../secrets/hide-exchange.ts';
import type { RunSecrets } from '../../secrets/secrets-of-run.ts';
import { shownStandIns } from '../../secrets/stand-in.ts';
import type { RunOptions } from '../options.ts';
import type { RunPlan } from '../plan.ts';
import { type Conducted, judging, type Outcome } from './judge-outcome.ts';

/**
 * Judges what was received, in steps. The result has no secret: its texts are those of the hidden exchanges, because a finding may
 * quote a part of a secret, which no search finds.
 * @param kept exchanges of an earlier part of this run by id, which are hidden already
 */
export function* judgingReceived(
  contract: Contract,
  plan: RunPlan,
  options: RunOptions,
  outcome: Outcome,
  { hide, redact }: RunSecrets,
  kept: ReadonlyMap<number, Exchange>,
): Steps<Conducted> {
  const exchanges = outcome.exchanges.map((exchange) => kept.get(exchange.id) ?? hide(exchange));
  const shown: Outcome = { ...outcome, exchanges };
  if (exchanges.every((exchange, index) => exchange === outcome.exchanges[index]))
    return yield* judging(contract, plan, options, shown);
  const received = yield* judging(contract, plan, options, outcome);
  const judged = yield* judgingHidden(contract, plan, options, shown);
  const findings = Object.entries(received.findings).map(([id, finding]) => {
    const hidden = judged.findings[id];
    const isSame = hidden?.status === finding.status && hidden.exercised === finding.exercised;
    const { confirmation } = finding;
    return [
      id,
      isSame ? { ...hidden, ...(confirmation ? { confirmation } : {}) } : withoutQuotes(finding, redact),
    ];
  });
  return { ...judged, findings: Object.fromEntries(findings) };
}

/** The same without steps. */
export const judgeReceived = whole(judgingReceived);

/** Judges exchanges whose secrets are hidden, such as those of a ledger, as if they were received. */
export const judgeHidden = whole(judgingHidden);

function* judgingHidden(
  contract: Contract,
  plan: RunPlan,
  options: RunOptions,
  outcome: Outcome,
): Steps<Conducted> {
  const { exchanges } = outcome;
  const judged = yield* judging(contract, plan, options, {
    ...outcome,
    exchanges: exchanges.map(withStandIns),
  });
  return { ...shownStandIns(judged, exchanges), exchanges };
}

/** A finding that states the deviation without quoting what was received. */
function withoutQuotes(finding: Finding, redact: (text: string) => string): Finding {
  const { received, reason, seen } = finding;
  return {
    ...finding,
    reason: redact(reason),
    ...(received === undefined ? {} : { received: '[hidden]' }),
    ...(seen ? { seen: seen.map((deviation) => ({ ...deviation, what: redact(deviation.what) })) } : {}),
  };
}
