import { visible } from '../../model/visible.ts';
import type { ExchangeBrief } from '../../run/exchange-brief.ts';

/** An exchange as one line: the request, the outcome, the duration. */
export function renderExchangeLine(exchange: ExchangeBrief): string {
  const { id, probe, method, url, sentAt, receivedAt } = exchange;
  const outcome = exchange.status ?? exchange.failure ?? 'no response';
  return visible(`#${id} ${method} ${url} -> ${outcome}, ${Math.round(receivedAt - sentAt)} ms (${probe})`);
}
