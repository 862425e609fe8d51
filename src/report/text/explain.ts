import type { Requirement } from '../../model/contract.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { Finding } from '../../model/finding.ts';
import { confirmationLine, occurrenceLine } from '../../model/report/finding-lines.ts';
import { visible } from '../../model/visible.ts';
import { brief, type ExchangeBrief } from '../../run/exchange-brief.ts';

/** A finding in a few lines of plain text, safe to print anywhere. */
export function explain(requirement: Pick<Requirement, 'statement'>, finding: Finding): string {
  const { reason, expected, received, pointer } = finding;
  const where = occurrenceLine(finding);
  const fields = Object.entries({
    in: where,
    expected,
    received,
    at: pointer || undefined,
    again: confirmationLine(finding),
  });
  const lines = [
    requirement.statement,
    reason,
    ...fields.flatMap(([name, text]) => (text === undefined ? [] : [`${name}: ${text}`])),
  ];
  return lines.map(visible).join('\n');
}

/** What the vitest UI shows with a test: the requirement, the finding and its exchanges. */
export function annotations(
  requirement: Pick<Requirement, 'id' | 'level' | 'section' | 'statement'>,
  finding: Finding,
  { exchanges }: { exchanges: readonly Exchange[] },
): [text: string, kind: string][] {
  const { id, level, section, statement } = requirement;
  const seen = finding.observed === undefined ? finding.reason : finding.observed;
  const shown = exchanges.filter((each) => finding.evidence.includes(each.id));
  return [
    [visible(`${id} (${level}), ${section}: ${statement}`), 'requirement'],
    [visible(`${finding.status}${seen === '' ? '' : `: ${seen}`}`), 'finding'],
    ...shown.map((each): [string, string] => [renderExchangeLine(brief(each)), 'exchange']),
  ];
}

/** An exchange as one line: the request, the outcome, the duration. */
export function renderExchangeLine(exchange: ExchangeBrief): string {
  const { id, probe, method, url, sentAt, receivedAt } = exchange;
  const outcome = exchange.status ?? exchange.failure ?? 'no response';
  return visible(`#${id} ${method} ${url} -> ${outcome}, ${Math.round(receivedAt - sentAt)} ms (${probe})`);
}
