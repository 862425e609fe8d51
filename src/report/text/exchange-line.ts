import { visible } from '../../model/visible.ts';
import type { ExchangeBrief } from '../../run/exchange-brief.ts';

/** An exchange as one line: the request, the outcome, the duration. */
export function renderExchangeLine({
  id,
  probe,
  method,
  url,
  status,
  failure,
  sentAt,
  receivedAt,
}: ExchangeBrief) {
  const outcome = status ?? failure ?? 'no response';
  return visible(`#${id} ${method} ${url} -> ${outcome}, ${Math.round(receivedAt - sentAt)} ms (${probe})`);
}
