import type { Requirement } from '../../model/contract.ts';
import { brief, type Exchange, type ExchangeBrief } from '../../model/exchange.ts';
import type { Finding } from '../../model/finding.ts';
import { confirmationLine, occurrenceLine } from '../../model/report/finding-lines.ts';
import { visible } from '../../model/visible.ts';

/** A finding in a few lines of plain text, without hidden characters. */
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

/** The annotations of a test in the vitest UI: the requirement, the finding and its exchanges. */
export function annotations(
  requirement: Pick<Requirement, 'id' | 'level' | 'section' | 'statement'>,
  finding: Finding,
  { exchanges }: { exchanges: readonly Exchange[] },
): [text: string, kind: string][] {
  const { id, level, section, statement } = requirement;
  const observation = finding.observed ?? finding.reason;
  const evidence = exchanges.filter((exchange) => finding.evidence.includes(exchange.id));
  return [
    [visible(`${id} (${level}), ${section}: ${statement}`), 'requirement'],
    [visible(`${finding.status}${observation === '' ? '' : `: ${observation}`}`), 'finding'],
    ...evidence.map((exchange): [string, string] => [renderExchangeLine(brief(exchange)), 'exchange']),
  ];
}

/** An exchange in a line: the request, the outcome, the duration. */
export function renderExchangeLine(exchange: ExchangeBrief): string {
  const { id, probe, method, url, sentAt, receivedAt } = exchange;
  const outcome = exchange.status ?? exchange.failure ?? 'no response';
  return visible(`#${id} ${method} ${url} -> ${outcome}, ${Math.round(receivedAt - sentAt)} ms (${probe})`);
}
