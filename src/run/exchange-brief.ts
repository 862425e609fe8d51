import type { Exchange } from '../model/exchange.ts';
import { clip } from '../model/visible.ts';

/** Maximum length of a URL or a failure in a line of output. */
const MAX_PART = 300;

/** The parts of an exchange that a line of output shows. */
export type ExchangeBrief = Pick<Exchange, 'id' | 'probe' | 'method' | 'url' | 'sentAt' | 'receivedAt'> & {
  status?: number | undefined;
  failure?: string | undefined;
};

/** An exchange, which may be megabytes, shortened for a line of output. */
export function brief(exchange: Exchange): ExchangeBrief {
  const { id, probe, method, url, sentAt, receivedAt, response, failure } = exchange;
  return {
    id,
    probe,
    method,
    url: clip(url, MAX_PART),
    sentAt,
    receivedAt,
    status: response?.status,
    failure: failure && clip(failure.message, MAX_PART),
  };
}
