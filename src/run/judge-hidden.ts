import type { Contract } from '../model/contract.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Finding } from '../model/finding.ts';
import { type Steps, whole } from '../model/large/steps.ts';
import { withStandIns } from '../secrets/hide-exchange.ts';
import type { RunSecrets } from '../secrets/secrets-of-run.ts';
import { shownStandIns } from '../secrets/stand-in.ts';
import { type Conducted, judging, type Outcome } from './judge-outcome.ts';
import type { RunOptions } from './options.ts';
import type { RunPlan } from './plan.ts';

/**
 * Judges what was received, in steps. What the result says and holds has no secret: its texts are those of the hidden exchanges, as a finding
 * may quote a part of a secret, which nothing finds any more.
 * @param kept exchanges of an earlier part of this run, which are hidden already, by their ids
 */
export function* judgingReceived(
  contract: Contract,
  plan: RunPlan,
  options: RunOptions,
  outcome: Outcome,
  { hide, redact }: RunSecrets,
  kept: ReadonlyMap<number, Exchange>,
): Steps<Conducted> {
  const exchanges = outcome.exchanges.map((each) => kept.get(each.id) ?? hide(each));
  const shown: Outcome = { ...outcome, exchanges };
  if (exchanges.every((each, index) => each === outcome.exchanges[index]))
    return yield* judging(contract, plan, options, shown);
  const received = yield* judging(contract, plan, options, outcome);
  const judged = yield* judgingHidden(contract, plan, options, shown);
  const findings = Object.entries(received.findings).map(([id, own]) => {
    const found = judged.findings[id];
    const isSame = found?.status === own.status && found.exercised === own.exercised;
    const { confirmation } = own;
    return [
      id,
      isSame ? { ...found, ...(confirmation ? { confirmation } : {}) } : withoutQuotes(own, redact),
    ];
  });
  return { ...judged, findings: Object.fromEntries(findings) };
}

/** The same at once. */
export const judgeReceived = whole(judgingReceived);

/** Judges exchanges whose secrets are hidden, such as those of a ledger, as what was received. */
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

/** A finding that says what is wrong, and nothing of what was received. */
function withoutQuotes(finding: Finding, redact: (text: string) => string): Finding {
  const { received, reason, seen } = finding;
  return {
    ...finding,
    reason: redact(reason),
    ...(received === undefined ? {} : { received: '[hidden]' }),
    ...(seen ? { seen: seen.map((each) => ({ ...each, what: redact(each.what) })) } : {}),
  };
}
