import { group } from 'd3-array';
import type { Check } from '../../judge/evidence/check.ts';
import { onlyWith } from '../../judge/exchange/taken-apart.ts';
import type { Exchange } from '../../model/exchange.ts';
import { type Finding, isProblem } from '../../model/finding.ts';
import type { Confirmation } from '../../model/report/confirmation.ts';
import type { Execution } from '../../session/terms/types.ts';
import { isShownAgain, type Surrounding } from './shown-again.ts';

/** Findings with what came of sending again what shows them. */
export function withConfirmations(
  findings: Readonly<Record<string, Finding>>,
  { exchanges, unconfirmed = {} }: Pick<Execution, 'exchanges' | 'unconfirmed'>,
  checks: readonly Check[],
  surrounding: Surrounding,
): Record<string, Finding> {
  const sent = exchanges.filter(({ confirms }) => confirms !== undefined);
  const run = exchanges.filter(({ confirms }) => confirms === undefined);
  const confirmed = { ...findings };
  for (const check of checks) {
    const { requirement } = check;
    const finding = findings[requirement];
    if (!finding || !isProblem(finding)) continue;
    const because = unconfirmed[requirement];
    const own = sent.filter(({ confirms }) => confirms?.findings.includes(requirement));
    if (because) confirmed[requirement] = { ...finding, confirmation: { outcome: 'not-sent', because } };
    else if (own.length > 0) confirmed[requirement] = confirmedBy(own, run, finding, check, surrounding);
  }
  return confirmed;
}

/**
 * @param sent the exchanges of all attempts
 * @param run those of the run itself
 */
function confirmedBy(
  sent: readonly Exchange[],
  run: readonly Exchange[],
  finding: Finding,
  check: Check,
  surrounding: Surrounding,
): Finding {
  for (const exchanges of group(sent, ({ confirms }) => confirms?.attempt).values()) {
    if (!isShownAgain(check, finding, exchanges, run, surrounding)) continue;
    const [{ confirms }] = exchanges as [Exchange];
    const ids = exchanges.map(({ id }) => id);
    if (confirms?.form === 'after') {
      const repeats = exchanges.flatMap((each) => each.confirms?.repeats ?? []);
      return { ...finding, confirmation: { outcome: 'after', exchanges: ids, repeats } };
    }
    const confirmation: Confirmation = { outcome: 'again', exchanges: ids };
    if (confirms?.form !== 'varied') return { ...finding, confirmation };
    const variations = finding.variation ? undefined : exchanges.at(-1)?.variations;
    // The plain form was sent first, and was right.
    const found = variations ? onlyWith(finding, variations) : finding;
    return { ...found, confirmation: { ...confirmation, isVaried: true } };
  }
  return { ...finding, confirmation: { outcome: 'not-again', exchanges: sent.map(({ id }) => id) } };
}
