import type { Exchange } from '../model/exchange.ts';
import { clip } from '../model/visible.ts';

/** Characters of an address or a failure that a line shows. */
const MAX_PART = 300;

/** As little of an exchange as its line needs. */
export type ExchangeBrief = Pick<Exchange, 'id' | 'probe' | 'method' | 'url' | 'sentAt' | 'receivedAt'> & {
  status?: number;
  failure?: string;
};

/** Takes what a line needs from an exchange, which may be megabytes. */
export function brief(exchange: Exchange): ExchangeBrief {
  const { id, probe, method, url, sentAt, receivedAt, response, failure } = exchange;
  return {
    id,
    probe,
    method,
    url: clip(url, MAX_PART),
    sentAt,
    receivedAt,
    ...(response ? { status: response.status } : {}),
    ...(failure ? { failure: clip(failure.message, MAX_PART) } : {}),
  };
}
